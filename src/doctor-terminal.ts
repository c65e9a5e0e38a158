// The former name of terminal/doctor.ts: cron lines and unit files may still run it. Goes with 1.0.
import './terminal/doctor.ts'
