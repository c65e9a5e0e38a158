// Database files for tests, in a directory that is taken away afterwards.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Clock } from '../../src/slack/ids.ts'
import { openStorage, type Storage } from '../../src/storage/storage.ts'

export function temporaryFile(): string {
  const directory = mkdtempSync(join(tmpdir(), 'bellhop-storage-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return join(directory, 'data', 'bellhop.db')
}

/** Opens a storage that is closed when the test is over. */
export async function open(path: string, now: Clock = Date.now): Promise<Storage> {
  const storage = await openStorage({ url: `file:${path}`, now })
  onTestFinished(() => storage.close())
  return storage
}
