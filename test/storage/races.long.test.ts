// Several processes on either engine, and a locked file: exactly one wins, and nobody is told that it is busy.
import { execFile } from 'node:child_process'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { startPostgres } from '../postgres.ts'
import { bytesOf, open, openUrl, temporaryFile } from './files.ts'

const alice = { workspaceId: 'T1', userId: 'U1' }
const child = fileURLToPath(new URL('./race-child.ts', import.meta.url))
const reportSchema = z.object({
  begun: z.array(z.string()),
  sent: z.array(z.string()),
  taken: z.array(z.string()),
})

const server = await startPostgres()

async function runChild(url: string, startAt: number, count: number) {
  const { stdout } = await promisify(execFile)(process.execPath, [
    child,
    url,
    `${startAt}`,
    `${count}`,
    'x',
  ])
  return reportSchema.parse(JSON.parse(stdout))
}

describe.each([
  { what: 'file', create: async () => `file:${temporaryFile()}` },
  { what: 'PostgreSQL database', create: () => server.createDatabase() },
])('processes on one $what', ({ create }) => {
  it('begin each wish, send each write and take each command once between them', async () => {
    const url = await create()
    const storage = await openUrl(url)
    const count = 60
    const all = Array.from({ length: count }, (_, index) => String(index + 1))
    for (const one of all) {
      await storage.waiting.put({ ...alice, key: `x${one}`, value: 'k.x' })
    }

    const startAt = Date.now() + 700
    const reports = await Promise.all([
      runChild(url, startAt, count),
      runChild(url, startAt, count),
    ])

    for (const what of ['begun', 'sent', 'taken'] as const) {
      const won = reports.flatMap((report) => report[what])
      expect(won.toSorted((one, other) => Number(one) - Number(other))).toEqual(all)
    }
  })
})

describe('a lock that somebody else holds', () => {
  it('delays whoever asks, does not stop the process, and is never heard of', async () => {
    const path = temporaryFile()
    const storage = await open(path)
    await storage.accounts.keep(alice, 'k.before')
    const stranger = new DatabaseSync(path)
    stranger.exec('begin immediate')

    let written = 0
    const writes = Array.from({ length: 20 }, async (_, index) => {
      await storage.accounts.keep({ ...alice, userId: `U${index}` }, 'k.after')
      written += 1
    })
    await delay(400)
    expect(written).toBe(0)
    expect(await storage.problem()).toBe('locked')
    stranger.exec('commit')
    stranger.close()
    await Promise.all(writes)

    expect(written).toBe(20)
    expect(await storage.problem()).toBeUndefined()
  })

  it('for longer than ten seconds fails whoever asks, and nothing is written', async () => {
    const path = temporaryFile()
    const storage = await open(path)
    const stranger = new DatabaseSync(path)
    stranger.exec('begin immediate')

    await expect(storage.accounts.keep(alice, 'k.after')).rejects.toThrow('locked')

    stranger.exec('rollback')
    stranger.close()
    expect(await storage.accounts.find(alice)).toBeUndefined()
  })

  it('lets a token be forgotten beside somebody who reads for long, and is gone when they are done', async () => {
    const path = temporaryFile()
    const storage = await open(path)
    await storage.accounts.keep(alice, 'k.forget-me-entirely')
    const reader = new DatabaseSync(path)
    const rows = reader.prepare('select * from accounts').iterate()
    rows.next()

    expect(await storage.accounts.forget(alice)).toBe(true)
    expect(bytesOf(path)).toContain('forget-me-entirely')

    rows.return?.()
    reader.close()
    await expect.poll(() => bytesOf(path), { timeout: 30_000 }).not.toContain('forget-me-entirely')
  })
})
