// The former name of terminal/backup.ts: cron lines and unit files may still run it. Goes with 1.0.
import './terminal/backup.ts'
