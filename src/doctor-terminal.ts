// The former name of terminal/doctor.ts: cron lines and unit files may still run it. Goes with 1.0.
import { runHere } from './terminal/command.ts'
import { runDoctor } from './terminal/doctor.ts'

process.exit(await runHere(runDoctor))
