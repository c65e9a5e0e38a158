// A database that cannot be written, as an operator sees it: the disk is full, or it can only be read.
import { describe, expect, it } from 'vitest'
import type { Database } from '../../src/storage/problem.ts'
import { openSqlite } from '../../src/storage/sqlite/sqlite.ts'
import { assemble } from '../../src/storage/storage.ts'
import { ready, scrape } from '../metrics/scraped.ts'
import { linesIn, openWorld, posts, type World } from '../world.ts'

const began = 'Bellhop can’t write to the database'
const ended = 'the database can be written again'

/** A bot whose database a test can fill, by the connections that the bot itself uses. */
async function openFillable() {
  const opened: Database[] = []
  const world = await openWorld({
    async open({ url, now, log }) {
      const database = await openSqlite(url, now, log)
      opened.push(database)
      return assemble(database)
    },
  })
  async function say(pragma: string) {
    for (const { db } of opened) await db.all(`pragma ${pragma}`)
  }
  return {
    world,
    /** Not a page more: what is free already is used up. */
    async fill() {
      await say('max_page_count = 1')
      const [database] = opened
      const insert = `insert into kept values ('x', ?, 'T9', '', ?, 1, 1)`
      for (let id = 0; ; id += 1) {
        const kept = await database?.db
          .run(insert, [String(id), 'x'.repeat(100)])
          .catch(() => undefined)
        if (kept === undefined) return
      }
    },
    makeRoom: () => say('max_page_count = 1000000'),
    allowReadsOnly: () => say('query_only = on'),
    allowWrites: () => say('query_only = off'),
  }
}

async function figures({ url }: World): Promise<Readonly<Record<string, number | undefined>>> {
  const { of } = await scrape(url)
  const failures = ['full', 'unreachable', 'other'].map((kind) => [
    kind,
    of(`bellhop_storage_failures_total{kind="${kind}"}`),
  ])
  return { unwritable: of('bellhop_storage_unwritable'), ...Object.fromEntries(failures) }
}

const notReady = (why: string) => `503 not ready\nstorage: ${why}\nSlack: ready`

describe('a disk that is full', () => {
  it('is told in /readyz, in figures and in the log once, and so is that there is room again', async () => {
    const { world, fill, makeRoom } = await openFillable()
    const { alice, general, slack, log, clock } = world
    world.expectRefusals()
    await expect.poll(() => ready(world)).toBe('200 ok')
    expect(await figures(world)).toEqual({ unwritable: 0, full: 0, unreachable: 0, other: 0 })

    await fill()
    for (let times = 0; times < 2; times += 1) {
      await alice.types('/grant 12 dave@example.com viewer', general)
      await slack.idle()
    }

    // What can’t be written down first is not sent.
    expect(posts(world)).toEqual([])
    expect(await ready(world)).toBe(notReady('the disk is full, or the system refuses to write'))
    const { unwritable, full } = await figures(world)
    expect([unwritable, Number(full) > 1]).toEqual([1, true])
    expect(linesIn(log, began)).toMatchObject([{ level: 'warn', why: 'full' }])
    await makeRoom()
    clock.advance(10_000)
    expect(await ready(world)).toBe('200 ok')
    expect((await figures(world)).unwritable).toBe(0)
    expect(linesIn(log, ended)).toMatchObject([
      { level: 'warn', lastedSeconds: expect.any(Number) },
    ])
    expect(linesIn(log, began)).toHaveLength(1)
  })
})

describe('a database that can only be read', () => {
  it('is told as such', async () => {
    const { world, allowReadsOnly, allowWrites } = await openFillable()
    const { alice, general, slack, log, clock } = world
    world.expectRefusals()

    await allowReadsOnly()
    await alice.types('/grant 12 dave@example.com viewer', general)
    await slack.idle()

    expect(posts(world)).toEqual([])
    expect(await ready(world)).toBe(notReady('it can only be read'))
    expect(linesIn(log, began)).toMatchObject([{ level: 'warn', why: 'read-only' }])
    expect((await figures(world)).unwritable).toBe(1)
    await allowWrites()
    clock.advance(10_000)
    expect(await ready(world)).toBe('200 ok')
  })
})
