// The former name of terminal/migrate.ts: cron lines and unit files may still run it. Goes with 1.0.
import './terminal/migrate.ts'
