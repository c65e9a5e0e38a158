// The former name of terminal/rotate-keys.ts: cron lines and unit files may still run it. Goes with 1.0.
import { runHere } from './terminal/command.ts'
import { runRotateKeys } from './terminal/rotate-keys.ts'

await runHere(runRotateKeys)
