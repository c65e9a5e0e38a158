// Databases for tests: files in a directory that is taken away afterwards, and storages that are closed.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Clock } from '../../src/slack/person.ts'
import { openStorage, type Storage } from '../../src/storage/storage.ts'
import { temporaryPlace, writeEmptyDatabase } from '../database-folder.ts'

export function temporaryFile(): string {
  const directory = mkdtempSync(join(temporaryPlace, 'bellhop-storage-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return join(directory, 'data', 'bellhop.db')
}

/** As `temporaryFile`, with a database in it whose tables are made. */
export async function databaseFile(): Promise<string> {
  const path = temporaryFile()
  mkdirSync(dirname(path), { mode: 0o700 })
  await writeEmptyDatabase(path)
  return path
}

/** All bytes of a database, its log's too. */
export const bytesOf = (path: string) =>
  [path, `${path}-wal`].map((file) => readFileSync(file).toString('latin1')).join('')

/** Opens a storage on a file that is closed when the test is over. */
export function open(path: string, now: Clock = Date.now): Promise<Storage> {
  return openUrl(`file:${path}`, now)
}

/** Opens a storage that is closed when the test is over. */
export async function openUrl(url: string, now: Clock = Date.now): Promise<Storage> {
  const storage = await openStorage({ url, now })
  onTestFinished(() => storage.close())
  return storage
}
