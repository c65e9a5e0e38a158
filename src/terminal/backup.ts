// `npm run backup -- <file>`: copies the SQLite database while the bot runs.
import { parseDatabaseUrl } from '../config/config.ts'
import { ConfigError, UserError } from '../errors.ts'
import { backUp } from '../storage/sqlite/backup.ts'
import { printError, printLines } from './print.ts'

const [to, ...others] = process.argv.slice(2)

try {
  if (to === undefined || to.startsWith('-') || others.length > 0) {
    throw new UserError('Name the file to copy to, as in: npm run backup -- bellhop-monday.db')
  }
  const { from, bytes } = await backUp(parseDatabaseUrl(process.env), to)
  printLines([
    `${from} is copied to ${to} (${Math.ceil(bytes / 1024)} KiB), and the copy was read and is whole.`,
    'ENCRYPTION_KEYS are not in it: without them it opens no token. Keep a copy of them elsewhere.',
  ])
} catch (error) {
  if (!(error instanceof ConfigError || error instanceof UserError)) throw error
  printError(error)
  process.exitCode = 1
}
