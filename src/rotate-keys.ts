// The former name of terminal/rotate-keys.ts: cron lines and unit files may still run it. Goes with 1.0.
import './terminal/rotate-keys.ts'
