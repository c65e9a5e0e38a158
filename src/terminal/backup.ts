// `npm run backup -- <file>`: copies the SQLite database while the bot runs.
import { type Environment, parseDatabaseUrl } from '../config/config.ts'
import { ConfigError, UserError } from '../errors.ts'
import { backUp } from '../storage/sqlite/backup.ts'
import { runHere } from './command.ts'
import type { Print } from './print.ts'

export async function runBackup(
  [to, ...others]: readonly string[],
  env: Environment,
  print: Print,
): Promise<0 | 1> {
  try {
    if (to === undefined || to.startsWith('-') || others.length > 0) {
      throw new UserError('Name the file to copy to, as in: npm run backup -- bellhop-monday.db')
    }
    const { from, bytes } = await backUp(parseDatabaseUrl(env), to)
    print.lines([
      `${from} is copied to ${to} (${Math.ceil(bytes / 1024)} KiB), and the copy was read and is whole.`,
      'ENCRYPTION_KEYS are not in it: without them it opens no token. Keep a copy of them elsewhere.',
    ])
    return 0
  } catch (error) {
    if (!(error instanceof ConfigError || error instanceof UserError)) throw error
    print.error(error)
    return 1
  }
}

if (import.meta.main) await runHere(runBackup)
