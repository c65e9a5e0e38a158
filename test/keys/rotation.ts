// Tools for the tests of `npm run rotate-keys`: keys, the command as a process, and a look at what is sealed.
import { randomBytes } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { runRotateKeys } from '../../src/terminal/rotate-keys.ts'
import { runCommand } from '../terminal/run-command.ts'

export function newKey(id: string): string {
  return `${id}:${randomBytes(32).toString('base64')}`
}

export function rotateKeys(env: Readonly<Record<string, string>>, ...words: string[]) {
  return runCommand(runRotateKeys, env, words)
}

/** Tokens as they stand in a SQLite file, sealed. */
export function sealedTokens(url: string): readonly string[] {
  const database = new DatabaseSync(url.replace('file:', ''), { timeout: 5_000 })
  try {
    return database
      .prepare('select token from accounts')
      .all()
      .map(({ token }) => String(token))
  } finally {
    database.close()
  }
}
