// The former name of terminal/backup.ts: cron lines and unit files may still run it. Goes with 1.0.
import { runBackup } from './terminal/backup.ts'
import { runHere } from './terminal/command.ts'

await runHere(runBackup)
