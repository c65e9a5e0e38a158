// The contract of small stores: what is true of each beside what `kept` and documents promise (contract-ground.ts).
import { expect, it } from 'vitest'
import type { AlertLink } from '../../src/alert/link.ts'
import type { OpenPair } from './pair.ts'

const alice = { workspaceId: 'T1', userId: 'U1' }
const bob = { workspaceId: 'T1', userId: 'U2' }
const elsewhere = { workspaceId: 'T2', userId: 'U1' }
const people = [alice, bob, elsewhere]
const [hourMs, dayMs] = [3_600_000, 86_400_000]
const link: AlertLink = {
  asset: 34,
  timestamp: 1_700_000_000,
  container: 12,
  condition: 5,
  item: '/var <&>',
}

export function smallContract(open: OpenPair): void {
  it('what is to happen once does in each workspace, and again when its time is over or it did not', async () => {
    const { storage, other, clock } = await open()
    const said = [storage, other, storage].map(({ once }) => once.claim('T1', 'help', hourMs))
    expect((await Promise.all(said)).filter((isFirst) => isFirst)).toHaveLength(1)
    expect(await storage.once.claim('T2', 'help', hourMs)).toBe(true)
    await other.once.release('T1', 'help')
    expect(await storage.once.claim('T1', 'help', hourMs)).toBe(true)
    clock.now += hourMs
    expect(await other.once.claim('T1', 'help', hourMs)).toBe(true)
  })

  it('what has happened is known for a month', async () => {
    const { storage, clock } = await open()
    expect(await storage.once.claim('T1', 'act')).toBe(true)
    clock.now += 31 * dayMs - 1
    expect(await storage.once.claim('T1', 'act')).toBe(false)
    clock.now += 1
    expect(await storage.once.claim('T1', 'act')).toBe(true)
  })

  it('who somebody is at the service leads back to them, first to whoever is matched', async () => {
    const { storage, other } = await open()
    // Numbers may be larger than 32 bits.
    const userId = 9_007_199_254_740_991
    await storage.ownIds.keep(alice, { userId: 7, isMatched: true })
    await storage.ownIds.keep(alice, { userId, isMatched: false })
    expect(await other.ownIds.find(alice)).toEqual({ userId, isMatched: false })
    expect(await other.ownIds.personOf('T1', userId)).toEqual(alice)
    await storage.ownIds.keep(bob, { userId, isMatched: true })
    expect(await other.ownIds.personOf('T1', userId)).toEqual(bob)
    expect(await other.ownIds.personOf('T2', userId)).toBeUndefined()
  })

  it('links of alerts lead to their keys, for the person whose token showed it', async () => {
    const { storage, other } = await open()
    await storage.alertLinks.keep(alice, link, '5HkX')
    const { item, ...rest } = link
    expect(await other.alertLinks.keyOf(alice, { item, ...rest })).toBe('5HkX')
    expect(await other.alertLinks.keyOf(alice, rest)).toBeUndefined()
    for (const owner of [bob, elsewhere])
      expect(await other.alertLinks.keyOf(owner, link)).toBeUndefined()
  })

  it('places of alerts are kept by key for ninety days, and what is known of one asset adds up', async () => {
    const { storage, other, clock } = await open()
    await storage.places.keep('T1', '5HkX', { ...link, container: undefined })
    await other.places.keep('T1', '5HkX', { asset: 34, container: 12, item: undefined })
    expect(await storage.places.find('T1', '5HkX')).toEqual(link)
    expect(await storage.places.some('T1', ['else', '5HkX'])).toEqual(new Map([['5HkX', link]]))
    expect((await storage.places.some('T2', ['5HkX'])).size).toBe(0)
    expect(await storage.places.find('T2', '5HkX')).toBeUndefined()
    expect(await storage.places.find('T1', '5hkx')).toBeUndefined()

    clock.now += 90 * dayMs - 1
    expect(await storage.places.find('T1', '5HkX')).toEqual(link)
    await other.places.keep('T1', '5HkX', { asset: 35 })
    clock.now += 90 * dayMs - 1
    expect(await storage.places.find('T1', '5HkX')).toEqual({ asset: 35 })
    clock.now += 1
    expect(await storage.places.find('T1', '5HkX')).toBeUndefined()
  })

  it('all of it is forgotten with its person, and with the workspace', async () => {
    const { storage } = await open()
    const { connectLinks, ownIds, alertLinks } = storage
    for (const [at, owner] of people.entries()) {
      await connectLinks.put({ ...owner, key: `h${at}`, value: 'k' })
      await ownIds.keep(owner, { userId: 7, isMatched: true })
      await alertLinks.keep(owner, link, '5HkX')
    }
    const known = (at: number, owner: typeof alice) =>
      Promise.all([
        connectLinks.find({ key: `h${at}` }),
        ownIds.find(owner),
        alertLinks.keyOf(owner, link),
      ])
    const counts = () =>
      Promise.all(
        people.map(async (owner, at) => (await known(at, owner)).filter((one) => one).length),
      )
    await storage.places.keep('T1', '5HkX', { asset: 34 })
    await storage.forgetPerson(alice)
    expect(await counts()).toEqual([0, 3, 3])
    expect(await storage.places.find('T1', '5HkX')).toEqual({ asset: 34 })
    await storage.forgetWorkspace('T1')
    expect(await counts()).toEqual([0, 0, 3])
    expect(await storage.places.find('T1', '5HkX')).toBeUndefined()
  })
}
