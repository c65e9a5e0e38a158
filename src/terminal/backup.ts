// `npm run backup -- <file>`: copies the SQLite database while the bot runs.
import { readThese, settings } from '../config/config.ts'
import { UserError } from '../errors.ts'
import { backUp } from '../storage/sqlite/backup.ts'
import { runHere, terminalCommand } from './command.ts'

export const runBackup = terminalCommand(1, async ([to, ...others], env, print) => {
  if (to === undefined || to.startsWith('-') || others.length > 0) {
    throw new UserError('Name the file to copy to: npm run backup -- bellhop-monday.db')
  }
  const { DATABASE_URL } = readThese(settings.pick({ DATABASE_URL: true }), env)
  const { from, bytes } = await backUp(DATABASE_URL, to)
  print.lines([
    `Copied ${from} to ${to} (${Math.ceil(bytes / 1024)} KiB). The copy is complete.`,
    'It doesn’t contain ENCRYPTION_KEYS, and without them nobody can decrypt its tokens. Keep a copy of the keys elsewhere.',
  ])
  return 0
})

if (import.meta.main) await runHere(runBackup)
