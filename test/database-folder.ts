// A folder with one test's database file, whose tables are made already: making them for each test costs more than most
// tests do.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { onTestFinished } from 'vitest'
import { openStorage } from '../src/storage/storage.ts'

/** In memory where the system has such a place: nobody cuts the power of a test, so that no commit needs the disk. */
export const temporaryPlace = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
const fileName = 'bellhop.db'

export interface DatabaseFolder {
  readonly folder: string
  /** As `DATABASE_URL` takes it. */
  readonly url: string
  /** Of all its files, journal included. */
  bytes(): Buffer
  remove(): void
}

export async function makeDatabaseFolder(): Promise<DatabaseFolder> {
  const made = makeFolder()
  await writeEmptyDatabase(join(made.folder, fileName))
  return made
}

/** A database file as the bot makes it at its first start. */
export async function writeEmptyDatabase(path: string): Promise<void> {
  emptyDatabase ??= makeEmptyDatabase()
  writeFileSync(path, await emptyDatabase, { mode: 0o600 })
}

/** For all tests of a worker. */
let emptyDatabase: Promise<Buffer> | undefined

async function makeEmptyDatabase(): Promise<Buffer> {
  const { folder, url, remove } = makeFolder()
  try {
    const storage = await openStorage({ url, now: Date.now })
    await storage.close()
    return readFileSync(join(folder, fileName))
  } finally {
    remove()
  }
}

/** A database file, past the bot, as somebody with access to it could. @param file - As a path, or as `DATABASE_URL`. */
export function openFile(file: string | undefined): DatabaseSync {
  const database = new DatabaseSync(String(file).replace('file:', ''), { timeout: 5_000 })
  onTestFinished(() => database.close())
  return database
}

function makeFolder(): DatabaseFolder {
  const folder = mkdtempSync(join(temporaryPlace, 'bellhop-test-'))
  return {
    folder,
    bytes: () => Buffer.concat(readdirSync(folder).map((name) => readFileSync(join(folder, name)))),
    url: `file:${join(folder, fileName)}`,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
