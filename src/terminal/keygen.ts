// `npm run keygen`: prints a value for ENCRYPTION_KEYS. Put it in front of the older ones, with a comma, to rotate.
import { randomBytes } from 'node:crypto'
import { type Print, runHere } from './command.ts'

export async function runKeygen(_words: unknown, _env: unknown, print: Print): Promise<0> {
  const day = new Date().toISOString().slice(0, 10).replaceAll('-', '')
  // A few random letters keep two keys of one day apart.
  const id = `k${day}${randomBytes(2).toString('hex')}`
  print.lines([`${id}:${randomBytes(32).toString('base64')}`])
  return 0
}

if (import.meta.main) await runHere(runKeygen)
