// The former name of terminal/doctor.ts: cron lines and unit files may still run it. Goes with 1.0.
import { runHereToTheEnd } from './terminal/command.ts'
import { runDoctor } from './terminal/doctor.ts'

await runHereToTheEnd(runDoctor)
