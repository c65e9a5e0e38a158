// A copy of a SQLite database while Bellhop runs on it: whole, and for its owner alone.
import { existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { UserError } from '../../errors.ts'
import { onceUnlocked } from './connection.ts'
import { asConfigError, existingPath } from './sqlite.ts'

/**
 * Copies the database into a new file. A copy that fails half way leaves no file.
 * @param to - Where the copy goes. Nothing may be there.
 * @throws UserError when the copy cannot be made there, or the database is no file.
 * @throws ConfigError when there is no database, or it cannot be read.
 */
export async function backUp(url: string, to: string) {
  if (!url.startsWith('file:')) throw new UserError(usePgDump)
  const from = existingPath(url)
  using database = new DatabaseSync(from, { timeout: 2 })
  try {
    const partial = `${to}.partial`
    reserve(to, partial)
    try {
      // The copy is one file, without side files and without deleted data. Bellhop sets WAL when it opens the copy.
      await onceUnlocked(() => database.prepare('vacuum into ?').run(partial))
      renameSync(partial, to)
      return { from, bytes: statSync(to).size }
    } catch (error) {
      for (const file of [partial, `${partial}-journal`]) rmSync(file, { force: true })
      throw error
    }
  } catch (error) {
    throw asConfigError(error, from)
  }
}

/** Makes the file that the copy is written to, so that nobody else reads it at any moment. */
function reserve(to: string, partial: string) {
  if (existsSync(to))
    throw new UserError(`${to} already exists, and Bellhop won’t overwrite it. Name another file.`)
  try {
    writeFileSync(partial, '', { flag: 'wx', mode: 0o600 })
  } catch (error) {
    const why = error instanceof Error ? error.message : error
    throw new UserError(
      `${to} can’t be written: ${why}. Name another file, or remove what stands in its way.`,
    )
  }
}

const usePgDump =
  'DATABASE_URL is a PostgreSQL database. Copy it with pg_dump --format=custom --file=<file> "$DATABASE_URL".'
