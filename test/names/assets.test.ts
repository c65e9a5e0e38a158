// Assets by number and name: one list of a container fills what all who wait want, and nobody sees what another's token showed.
import { describe, expect, it } from 'vitest'
import { createAssets } from '../../src/names/assets.ts'
import { alice, aliceToken, bob, bobToken, minuteMs, openNames } from './names-world.ts'

const asAlice = { owner: alice, token: aliceToken }
const asBob = { owner: bob, token: bobToken }
const db = { asset: 34, container: 12 }

/** db-03 (34) and web-01 (35) are on container 12. */
async function open(options = {}) {
  const world = await openNames(options)
  const { service, house } = world
  service.addAsset(34, { name: 'db-03' })
  service.addAsset(35, { name: 'web-01', mode: 'maintenance' })
  const assets = createAssets(house.monitor, house.names, house.now)
  return { ...world, assets }
}

describe('the assets of a container', () => {
  it('are read once in ten minutes, by one of all who want them', async () => {
    const { assets, asked, clock, service } = await open()
    const all = await Promise.all([
      assets.listed(asAlice, 12),
      assets.listed(asAlice, 12),
      assets.nameOf(asAlice, db, true),
    ])
    expect([...(all[0]?.values() ?? [])]).toEqual([
      { id: 35, name: 'web-01', mode: 'maintenance' },
      { id: 34, name: 'db-03', mode: 'normal' },
    ])
    expect(all[2]).toBe('db-03')
    service.addAsset(34, { name: 'db-04' })
    clock.advance(9 * minuteMs)
    expect(await assets.nameOf(asAlice, db, true)).toBe('db-03')
    expect(asked()).toEqual(['/container/12/assets'])

    clock.advance(2 * minuteMs)
    expect(assets.nameKnown(alice, db)).toBe('db-03')
    expect(await assets.nameOf(asAlice, db, true)).toBe('db-04')
    expect(asked()).toEqual(['/container/12/assets'])
  })

  it('stay as they were where the service gives no answer, which is asked again after a minute', async () => {
    const { assets, asked, clock, service } = await open()
    await assets.listed(asAlice, 12)
    clock.advance(11 * minuteMs)
    service.trouble.answer(500)
    expect((await assets.listed(asAlice, 12))?.size).toBe(2)
    asked()
    clock.advance(minuteMs / 2)
    await assets.listed(asAlice, 12)
    expect(asked()).toEqual([])

    service.trouble.clear()
    service.addAsset(36)
    clock.advance(minuteMs)
    expect((await assets.listed(asAlice, 12))?.size).toBe(3)
  })

  it('keep their modes for twenty minutes without an answer, however often it is asked for', async () => {
    const { assets, clock, service } = await open()
    await assets.listed(asAlice, 12)
    const mode = () => assets.modeKnown(alice, { asset: 35, container: 12 })
    service.trouble.answer(500)
    clock.advance(19 * minuteMs)
    await assets.listed(asAlice, 12)
    expect(mode()).toBe('maintenance')
    clock.advance(2 * minuteMs)
    await assets.listed(asAlice, 12)
    expect(mode()).toBeUndefined()
  })

  it.each([
    ['refused (401)', 401],
    ['forbidden (403)', 403],
    ['nowhere (404)', 404],
    ['no operation (405)', 405],
    ['odd (200)', 200],
  ])(
    'are known no more once they are %s, and not asked for again within ten minutes',
    async (_, status) => {
      const { assets, asked, clock, service } = await open()
      await assets.listed(asAlice, 12)
      clock.advance(11 * minuteMs)
      service.trouble.answer(status)
      expect(await assets.listed(asAlice, 12)).toBeUndefined()
      expect(assets.nameKnown(alice, db)).toBeUndefined()
      asked()
      clock.advance(9 * minuteMs)
      await assets.listed(asAlice, 12)
      expect(asked()).toEqual([])
    },
  )

  it('are forgotten after a day', async () => {
    const { assets, clock } = await open()
    await assets.listed(asAlice, 12)
    clock.advance(24 * 60 * minuteMs + 1)
    expect(assets.nameKnown(alice, db)).toBeUndefined()
  })

  it('are 2,000 at most for each container; of more than 50,000 in all, the last used stay', async () => {
    const { assets, service, asked } = await open({ budgetMs: 60_000 })
    service.addContainer(34)
    for (let id = 1_000; id < 2_998; id += 1) service.addAsset(id, { name: `host-${id}` })
    service.trouble.answer(200, {
      only: { path: /container\/1../ },
      body: Array.from({ length: 2_000 }, (_, id) => ({ id, name: `n-${id}`, mode: 'normal' })),
    })
    expect((await assets.listed(asAlice, 12))?.size).toBe(2_000)
    const letGo = service.trouble.hold({ only: { path: /container\/34/ } })
    const waiting = assets.listed(asAlice, 34)
    for (let id = 100; id < 125; id += 1) await assets.listed(asAlice, id)
    expect(assets.nameKnown(alice, db)).toBeUndefined()
    expect(assets.nameKnown(alice, { asset: 7, container: 124 })).toBe('n-7')
    letGo()
    expect((await waiting)?.size).toBe(0)
    asked()
    await assets.listed(asAlice, 12)
    expect(asked()).toEqual(['/container/12/assets'])
  })
})

describe('the name of an asset', () => {
  it('is read alone for a card that nobody follows, once in ten minutes, wherever the asset is now', async () => {
    const { assets, asked, clock, service } = await open()
    service.moveAsset(34, 34)
    const shown = await Promise.all([1, 2, 3].map(() => assets.nameOf(asAlice, db, false)))
    expect(shown).toEqual(['db-03', 'db-03', 'db-03'])
    expect(await assets.nameOf(asAlice, { asset: 34 }, false)).toBe('db-03')
    expect(asked()).toEqual(['/asset/34'])
    expect(await assets.nameOf(asAlice, { asset: 34 }, true)).toBe('db-03')
    expect(asked()).toEqual([])
    service.addAsset(34, { name: 'db-04' })
    clock.advance(11 * minuteMs)
    expect(await assets.nameOf(asAlice, db, false)).toBe('db-04')
  })

  it('is none once their token shows it no more, though a list showed it before; the last one while nobody knows', async () => {
    const { assets, service, clock } = await open()
    await assets.listed(asAlice, 12)
    clock.advance(11 * minuteMs)
    const letGo = service.trouble.hold()
    expect(await assets.nameOf(asAlice, db, false)).toBe('db-03')
    service.behaves({ hiddenAssets: [34] })
    letGo()
    await expect.poll(() => assets.nameOf(asAlice, db, false)).toBeUndefined()
  })

  it('is taken from a list that is known, without a read', async () => {
    const { assets, asked } = await open()
    await assets.listed(asAlice, 12)
    asked()
    expect(await assets.nameOf(asAlice, db, false)).toBe('db-03')
    expect(asked()).toEqual([])
  })

  it('is none where it takes longer than 300 ms, and known the next time', async () => {
    const { assets, service, asked } = await open()
    const letGo = service.trouble.hold()
    const from = performance.now()
    expect(await assets.nameOf(asAlice, db, false)).toBeUndefined()
    expect(performance.now() - from).toBeLessThan(1_000)
    letGo()
    await expect.poll(() => assets.nameKnown(alice, db)).toBe('db-03')
    expect(await assets.nameOf(asAlice, db, false)).toBe('db-03')
    expect(asked()).toEqual(['/asset/34'])
  })

  it.each([403, 404] as const)(
    'is none for somebody who may not see the asset (%i), though its container',
    async (hiddenAsset) => {
      const { assets, service } = await open()
      service.behaves({ hiddenAssets: [34], hiddenAsset })
      expect(await assets.nameOf(asAlice, db, true)).toBeUndefined()
      expect(await assets.nameOf(asAlice, db, false)).toBeUndefined()
      expect(await assets.nameOf(asAlice, { asset: 35, container: 12 }, true)).toBe('web-01')
    },
  )

  it.each([
    ['nothing', ''],
    ['signs that show nothing', '\u200b\u3164'],
  ])('is none where it is %s', async (_, name) => {
    const { assets, service } = await open()
    service.addAsset(34, { name })
    expect(await assets.nameOf(asAlice, db, false)).toBeUndefined()
  })

  it('is short and on one line', async () => {
    const { assets, service } = await open()
    service.addAsset(34, { name: `db\n03 ${'x'.repeat(300)}` })
    const name = await assets.nameOf(asAlice, db, false)
    expect(name).toMatch(/^db 03 x+ …$/)
    expect(name?.length).toBeLessThanOrEqual(40)
  })

  it('is for the owner of the token that showed it, and for that token alone', async () => {
    const { assets, service, house, asked } = await open()
    await assets.listed(asAlice, 12)
    expect(assets.nameKnown(alice, db)).toBe('db-03')
    expect(assets.nameKnown(bob, db)).toBeUndefined()
    service.revoke(bobToken)
    service.addToken({ token: bobToken, name: 'bob', flags: ['API'] })
    expect(await assets.nameOf(asBob, db, true)).toBeUndefined()

    await house.tokens.forget(alice)
    expect(assets.nameKnown(alice, db)).toBeUndefined()
    asked()
    const another = { owner: alice, token: 'another-token-1' }
    expect(await assets.nameOf(another, db, true)).toBeUndefined()
    expect(asked()).toEqual(['/container/12/assets'])
  })

  it('is never asked for with MONITOR_OPERATIONS=basic', async () => {
    const { assets, asked } = await open({ operations: 'basic' })
    expect(await assets.nameOf(asAlice, db, true)).toBeUndefined()
    expect(await assets.nameOf(asAlice, db, false)).toBeUndefined()
    expect(asked()).toEqual([])
  })
})

describe('assets called so', () => {
  it('are found in lists that are known, in whatever capitals, two of one name as two, without a read', async () => {
    const { assets, service, asked } = await open()
    service.addContainer(34)
    service.addAsset(40, { name: 'DB-03', containerId: 34 })
    service.addAsset(41, { name: '' })
    await assets.listed(asAlice, 12)
    await assets.listed(asAlice, 34)
    asked()
    const named = async (wanted: string) => (await assets.search(asAlice, wanted, [34, 12])).found
    expect(await named(' db-03 ')).toEqual([
      { id: 40, name: 'DB-03', mode: 'normal', container: 34 },
      { id: 34, name: 'db-03', mode: 'normal', container: 12 },
    ])
    expect(await named('db-0')).toEqual([])
    expect(await named(' ')).toEqual([])
    expect(asked()).toEqual([])
  })

  it('are read where none is known, in three lists at most, and again with another token', async () => {
    const { assets, service, asked } = await open()
    for (const id of [34, 56, 78]) service.addContainer(id)
    asked()

    const { found, looked } = await assets.search(asAlice, 'DB-03', [34, 56, 12, 78])

    expect(found).toEqual([expect.objectContaining({ id: 34, container: 12 })])
    expect(looked).toEqual([34, 56, 12])
    expect(asked()).toHaveLength(3)
    await assets.search(asAlice, 'db-03', [34, 56, 12, 78])
    expect(asked()).toEqual([])
    const other = { ...asAlice, token: 'shows-nothing' }
    expect(await assets.search(other, 'db-03', [12])).toEqual({ found: [], looked: [] })
  })
})
