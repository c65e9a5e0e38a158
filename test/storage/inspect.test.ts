// Looking at a SQLite file without making or changing anything.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { inspectStorage } from '../../src/storage/storage.ts'
import { open, temporaryFile } from './files.ts'

describe('inspecting a SQLite file', () => {
  it('that is not there says that it can be made, and does not make it', async () => {
    const path = join(dirname(temporaryFile()), 'deeper', 'bellhop.db')

    const health = await inspectStorage(`file:${path}`)

    expect(health).toEqual({
      engine: expect.stringMatching(/^SQLite 3\.\d+/),
      isUpToDate: false,
      keyChecks: [],
    })
    expect(existsSync(dirname(path))).toBe(false)
  })

  it('that is in use finds it up to date, and leaves no trace', async () => {
    const path = temporaryFile()
    const storage = await open(path)
    const alice = { workspaceId: 'T1', userId: 'U1' }
    await storage.waiting.put({ ...alice, key: 'w1', value: 'k.x' })
    const before = readFileSync(`${path}-wal`)
    expect(before.length).toBeGreaterThan(0)

    expect(await inspectStorage(`file:${path}`)).toMatchObject({ isUpToDate: true })

    expect(readFileSync(`${path}-wal`)).toEqual(before)
    expect(await storage.waiting.take('T1', 'w1')).toMatchObject({ value: 'k.x' })
  })
})
