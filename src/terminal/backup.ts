// `npm run backup -- <file>`: copies the SQLite database while the bot runs.
import { type Environment, parseDatabaseUrl } from '../config/config.ts'
import { UserError } from '../errors.ts'
import { backUp } from '../storage/sqlite/backup.ts'
import { orSay, type Print, runHere } from './command.ts'

export function runBackup(
  [to, ...others]: readonly string[],
  env: Environment,
  print: Print,
): Promise<0 | 1> {
  return orSay(print, 1, async () => {
    if (to === undefined || to.startsWith('-') || others.length > 0) {
      throw new UserError('Name the file to copy to: npm run backup -- bellhop-monday.db')
    }
    const { from, bytes } = await backUp(parseDatabaseUrl(env), to)
    print.lines([
      `Copied ${from} to ${to} (${Math.ceil(bytes / 1024)} KiB). The copy is complete.`,
      'It doesn’t contain ENCRYPTION_KEYS, and without them nobody can decrypt its tokens. Keep a copy of the keys elsewhere.',
    ])
    return 0
  })
}

if (import.meta.main) await runHere(runBackup)
