// The former name of terminal/audit.ts: cron lines and unit files may still run it. Goes with 1.0.
import { runAudit } from './terminal/audit.ts'
import { runHere } from './terminal/command.ts'

await runHere(runAudit)
