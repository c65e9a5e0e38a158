// Tools for the tests of `npm run rotate-keys`: keys, the command as a process, and a look at what is sealed.
import { randomBytes } from 'node:crypto'
import { runRotateKeys } from '../../src/terminal/rotate-keys.ts'
import { openFile } from '../database-folder.ts'
import { runCommand } from '../terminal/run-command.ts'

export function newKey(id: string): string {
  return `${id}:${randomBytes(32).toString('base64')}`
}

export function rotateKeys(env: Readonly<Record<string, string>>, ...words: string[]) {
  return runCommand(runRotateKeys, env, words)
}

/** Tokens as they stand in a SQLite file, sealed. */
export function sealedTokens(url: string): readonly string[] {
  const rows = openFile(url).prepare('select token from accounts').all()
  return rows.map(({ token }) => String(token))
}
