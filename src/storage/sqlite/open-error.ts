// Why a database file could not be opened, in words for the operator.
import { ConfigError } from '../../errors.ts'
import { isFull, isRefused, primaryCode, resultCode } from './errors.ts'

/** What the operator can mend about the file, in words; every other error as it is. */
export function asConfigError(error: unknown, path: string): unknown {
  if (error instanceof ConfigError) return error
  const sentence = sqliteSentence(error) ?? systemSentence(systemCode(error) ?? '')
  return sentence === undefined ? error : new ConfigError([`DATABASE_URL: ${path} ${sentence}`])
}

function sqliteSentence(error: unknown): string | undefined {
  if (isFull(error)) return noRoom
  if (isRefused(error)) return refused(`SQLite error ${resultCode(error)}`)
  return sqliteSentences[primaryCode(error) ?? -1]
}

function systemSentence(code: string): string | undefined {
  return /^(EDQUOT|EFBIG|EIO)$/.test(code) ? refused(code) : systemSentences[code]
}

function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

const notAllowed =
  'may not be read and written by the user Bellhop runs as. Give it to that user, or name another file.'
const noRoom = 'has no room: the disk is full. Make room and start again.'
const refused = (code: string) =>
  `cannot be written (${code}): a quota, a limit on the size of files (ulimit -f, LimitFSIZE) or a fault of the disk. Mend that and start again.`

const systemSentences: Readonly<Record<string, string>> = {
  EACCES: notAllowed,
  EPERM: notAllowed,
  EROFS: 'is on a file system that cannot be written. Name another file.',
  EEXIST: 'has a file where a directory must be. Name another path.',
  ENOTDIR: 'has a file where a directory must be. Name another path.',
  ENOSPC: noRoom,
}

// By primary result code, sqlite.org/rescode.html.
const sqliteSentences: Readonly<Record<number, string>> = {
  5: 'is kept locked by another program. End that one, or name another file.',
  8: notAllowed,
  11: 'is damaged. Put back a copy of it.',
  14: 'cannot be opened. Check that it is a file (not a directory) that Bellhop may read and write.',
  26: 'is not a SQLite database. Name another file.',
}
