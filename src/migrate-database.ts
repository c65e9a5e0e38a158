// The former name of terminal/migrate.ts: cron lines and unit files may still run it. Goes with 1.0.
import { runHereToTheEnd } from './terminal/command.ts'
import { runMigrate } from './terminal/migrate.ts'

await runHereToTheEnd(runMigrate)
