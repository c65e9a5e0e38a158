// A folder with one test's database file, whose tables are made already: making them for each test costs more than most
// tests do.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStorage } from '../src/storage/storage.ts'

/** In memory where the system has such a place: nobody cuts the power of a test, so that no commit needs the disk. */
const place = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
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
  emptyDatabase ??= readEmptyDatabase()
  writeFileSync(join(made.folder, fileName), await emptyDatabase, { mode: 0o600 })
  return made
}

let emptyDatabase: Promise<Buffer> | undefined

/** Made by the bot's own way, once for all tests of a worker. */
async function readEmptyDatabase(): Promise<Buffer> {
  const { folder, url, remove } = makeFolder()
  try {
    const storage = await openStorage({ url, now: Date.now })
    await storage.close()
    return readFileSync(join(folder, fileName))
  } finally {
    remove()
  }
}

function makeFolder(): DatabaseFolder {
  const folder = mkdtempSync(join(place, 'bellhop-test-'))
  return {
    folder,
    bytes: () => Buffer.concat(readdirSync(folder).map((name) => readFileSync(join(folder, name)))),
    url: `file:${join(folder, fileName)}`,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
