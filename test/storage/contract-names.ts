// The contract of names of containers and people, of the containers of alerts, and of who somebody is at the service.
import { describe, expect, it } from 'vitest'
import type { OpenPair } from './pair.ts'

const alice = { workspaceId: 'T1', userId: 'U1' }
const bob = { workspaceId: 'T1', userId: 'U2' }
const elsewhere = { workspaceId: 'T2', userId: 'U1' }
const minute = 60_000

export function namesContract(open: OpenPair): void {
  describe('names of a container', () => {
    it('are one person’s, and name and people are kept each for itself', async () => {
      const { storage, other } = await open()
      const { containerNames } = storage
      await containerNames.keep(alice, 12, { name: 'k.name' })
      expect(await other.containerNames.find(alice, 12)).toEqual({
        containerId: 12,
        name: 'k.name',
        people: undefined,
      })
      await containerNames.keep(alice, 12, { people: 'k.people' })
      await containerNames.keep(alice, 12, { name: 'k.newer' })
      const kept = { containerId: 12, name: 'k.newer', people: 'k.people' }
      expect(await other.containerNames.find(alice, 12)).toEqual(kept)
      expect(await other.containerNames.find(alice, 120)).toBeUndefined()
      for (const owner of [bob, elsewhere]) {
        expect(await other.containerNames.find(owner, 12)).toBeUndefined()
        expect(await other.containerNames.named(owner, 9)).toEqual([])
      }
    })

    it('are listed where there is a name, as many as are wanted', async () => {
      const { storage, other } = await open()
      for (const id of [12, 34, 56]) await storage.containerNames.keep(alice, id, { name: `k.${id}` })
      await storage.containerNames.keep(alice, 78, { people: 'k.people' })
      const ids = (await other.containerNames.named(alice, 9)).map(({ containerId }) => containerId)
      expect(ids.toSorted()).toEqual([12, 34, 56])
      expect(await other.containerNames.named(alice, 2)).toHaveLength(2)
    })

    it('are asked for by one of those who try at the same moment, and again after the time', async () => {
      const { storage, other, clock } = await open()
      const claim = (at = storage, withinMs = 10 * minute) =>
        at.containerNames.claim(alice, 12, 'people', withinMs)
      const tries = await Promise.all([claim(), claim(other), claim(), claim(other)])
      expect(tries.filter(Boolean)).toHaveLength(1)
      expect(await storage.containerNames.claim(alice, 12, 'name', 10 * minute)).toBe(true)
      expect(await storage.containerNames.claim(bob, 12, 'people', 10 * minute)).toBe(true)
      clock.now += 1
      expect(await claim()).toBe(false)
      expect(await claim(other, 0)).toBe(true)
      // Nothing is known by having asked.
      expect(await storage.containerNames.find(alice, 12)).toEqual({
        containerId: 12,
        name: undefined,
        people: undefined,
      })
    })

    it('are sealed anew where they stand', async () => {
      const { storage, other } = await open()
      await storage.containerNames.keep(alice, 12, { name: 'old.name', people: 'old.people' })
      await storage.containerNames.keep(alice, 34, { people: 'old.others' })
      for (const [purpose, count] of [
        ['container-name', 1],
        ['people-names', 2],
      ] as const) {
        const rows = await other.sealedRows.sealedByOtherKeys(purpose, 'new', { after: undefined, most: 9 })
        expect(rows).toHaveLength(count)
        for (const row of rows) {
          expect(await other.sealedRows.replace(row, row.sealed.replace('old', 'new'))).toBe(true)
        }
        expect(await storage.sealedRows.count(purpose)).toBe(count)
      }
      expect(await storage.containerNames.find(alice, 12)).toMatchObject({
        name: 'new.name',
        people: 'new.people',
      })
    })
  })

  describe('containers of alerts', () => {
    it('are one person’s, come with their names, and move', async () => {
      const { storage, other } = await open()
      const ks = 'a key/with "everything" 🔥'
      await storage.containerNames.noteAlert(alice, ks, 12)
      const bare = { containerId: 12, name: undefined, people: undefined }
      expect(await other.containerNames.ofAlert(alice, ks)).toEqual(bare)
      await storage.containerNames.keep(alice, 12, { name: 'k.name', people: 'k.people' })
      await storage.containerNames.keep(bob, 12, { name: 'k.of-bob' })
      const kept = { containerId: 12, name: 'k.name', people: 'k.people' }
      expect(await other.containerNames.ofAlert(alice, ks)).toEqual(kept)
      for (const owner of [bob, elsewhere]) {
        expect(await other.containerNames.ofAlert(owner, ks)).toBeUndefined()
      }
      await storage.containerNames.noteAlert(alice, ks, 34)
      expect(await other.containerNames.ofAlert(alice, ks)).toEqual({ ...bare, containerId: 34 })
    })

    it('are listed, each once', async () => {
      const { storage, other } = await open()
      for (const [ks, id] of [
        ['a', 12],
        ['b', 34],
        ['c', 12],
      ] as const) {
        await storage.containerNames.noteAlert(alice, ks, id)
      }
      expect((await other.containerNames.lastOfAlerts(alice, 9)).toSorted()).toEqual([12, 34])
      expect(await other.containerNames.lastOfAlerts(alice, 1)).toHaveLength(1)
      expect(await other.containerNames.lastOfAlerts(bob, 9)).toEqual([])
    })

    it('and names are forgotten with their person, and with the workspace', async () => {
      const { storage } = await open()
      for (const owner of [alice, bob, elsewhere]) {
        await storage.containerNames.keep(owner, 12, { name: 'k.name' })
        await storage.containerNames.noteAlert(owner, '5HkX', 12)
      }
      const known = () =>
        Promise.all(
          [alice, bob, elsewhere].map(async (owner) => [
            (await storage.containerNames.find(owner, 12))?.name,
            (await storage.containerNames.ofAlert(owner, '5HkX'))?.name,
          ]),
        )
      const [none, both] = [
        [undefined, undefined],
        ['k.name', 'k.name'],
      ]
      await storage.containerNames.forget(alice)
      expect(await known()).toEqual([none, both, both])
      await storage.forgetWorkspace('T1')
      expect(await known()).toEqual([none, none, both])
    })
  })

  describe('who somebody is at the service', () => {
    it('is chosen or proven, in their workspace', async () => {
      const { storage, other } = await open()
      expect(await storage.ownIds.choose(alice, 7, 'chosen')).toBe('linked')
      expect(await other.ownIds.find(alice)).toEqual({ userId: 7, isProven: false })
      expect(await other.ownIds.personProven('T1', 7)).toBeUndefined()
      expect(await storage.ownIds.prove(alice, 7)).toBe('linked')
      expect(await other.ownIds.find(alice)).toEqual({ userId: 7, isProven: true })
      expect(await other.ownIds.personProven('T1', 7)).toEqual(alice)
      expect(await other.ownIds.personProven('T2', 7)).toBeUndefined()
      expect(await storage.ownIds.choose(elsewhere, 7, 'chosen')).toBe('linked')
      // Numbers may be larger than 32 bits.
      expect(await storage.ownIds.prove(alice, 9_007_199_254_740_991)).toBe('corrected')
      expect(await other.ownIds.find(alice)).toEqual({ userId: 9_007_199_254_740_991, isProven: true })
    })

    it('is proven since then, by the database’s clock, which also says when a token was kept', async () => {
      const { storage, other } = await open()
      await storage.accounts.keep(alice, 'k.token')
      const since = (await other.accounts.since(alice)) ?? 0
      await storage.ownIds.choose(alice, 7, 'chosen')
      expect(await other.ownIds.provenSince(alice, since)).toBeUndefined()
      await storage.ownIds.prove(alice, 7)
      expect(await other.ownIds.provenSince(alice, since)).toBe(7)
      expect(await other.ownIds.provenSince(alice, since + 86_400_000)).toBeUndefined()
      expect(await other.ownIds.provenSince(elsewhere, since)).toBeUndefined()
    })

    it('is proven for one person, whoever tries at the same moment to prove it', async () => {
      const { storage, other } = await open()
      const people = ['U1', 'U2', 'U3', 'U4', 'U5'].map((userId) => ({ workspaceId: 'T1', userId }))
      for (const person of people) expect(await storage.ownIds.choose(person, 7, 'chosen')).toBe('linked')
      const tries = await Promise.all(
        people.map((person, at) => (at % 2 === 0 ? storage : other).ownIds.prove(person, 7)),
      )
      expect(tries.filter((end) => end === 'linked')).toHaveLength(1)
      expect(tries.filter((end) => end === 'taken')).toHaveLength(4)
      const found = await Promise.all(people.map((person) => other.ownIds.find(person)))
      expect(found.filter((one) => one?.isProven)).toEqual([{ userId: 7, isProven: true }])
      const overruled = { userId: 7, isProven: false, isOverruled: true }
      expect(found.filter((one) => !one?.isProven)).toEqual([overruled, overruled, overruled, overruled])
    })

    it('is linked for somebody who tries twice at the same moment', async () => {
      const { storage, other } = await open()
      const tries = [storage, other, storage, other].map(({ ownIds }) => ownIds.prove(alice, 7))
      expect(new Set(await Promise.all(tries))).toEqual(new Set(['linked']))
      expect(await other.ownIds.find(alice)).toEqual({ userId: 7, isProven: true })
    })

    it('stays as it was where another has proven it, and overrules whoever only chose it', async () => {
      const { storage } = await open()
      await storage.ownIds.prove(alice, 7)
      await storage.ownIds.choose(bob, 8, 'chosen')
      expect(await storage.ownIds.choose(bob, 7, 'proven')).toBe('taken')
      expect(await storage.ownIds.prove(bob, 7)).toBe('taken')
      expect(await storage.ownIds.find(bob)).toEqual({ userId: 8, isProven: false })
      expect(await storage.ownIds.prove(alice, 8)).toBe('corrected')
      expect(await storage.ownIds.find(bob)).toEqual({ userId: 8, isProven: false, isOverruled: true })
      await storage.ownIds.forget(alice)
      expect(await storage.ownIds.find(bob)).toEqual({ userId: 8, isProven: false })
    })

    it('is chosen in place of what they have proven only where they correct it', async () => {
      const { storage } = await open()
      await storage.ownIds.prove(alice, 7)
      expect(await storage.ownIds.choose(alice, 8, 'chosen')).toBe('linked')
      expect(await storage.ownIds.choose(alice, 7, 'proven')).toBe('linked')
      expect(await storage.ownIds.find(alice)).toEqual({ userId: 7, isProven: true })
      expect(await storage.ownIds.choose(alice, 8, 'proven')).toBe('linked')
      expect(await storage.ownIds.find(alice)).toEqual({ userId: 8, isProven: false })
    })

    it('goes from whoever proved it with a token that they have replaced to who proves it with theirs', async () => {
      const { storage, clock } = await open()
      for (const person of [alice, bob]) await storage.accounts.keep(person, 'k.token')
      expect(await storage.ownIds.prove(alice, 7)).toBe('linked')
      expect(await storage.ownIds.prove(bob, 7)).toBe('taken')
      expect(await storage.ownIds.prove({ ...bob, workspaceId: 'T2' }, 7)).toBe('linked')
      expect(await storage.ownIds.find(alice)).toEqual({ userId: 7, isProven: true })
      clock.now += 1
      // A database with a clock of its own may do both in one millisecond.
      const replaced = async () => {
        await storage.accounts.keep(alice, 'k.other')
        return storage.ownIds.prove(bob, 7)
      }
      await expect.poll(replaced).toBe('linked')
      expect(await storage.ownIds.find(alice)).toBeUndefined()
    })

    it('is forgotten where they only chose it', async () => {
      const { storage } = await open()
      await storage.ownIds.choose(alice, 7, 'chosen')
      await storage.ownIds.prove(bob, 8)
      expect(await storage.ownIds.forgetChosen(alice)).toBe(true)
      expect(await storage.ownIds.forgetChosen(alice)).toBe(false)
      expect(await storage.ownIds.forgetChosen(bob)).toBe(false)
      expect(await storage.ownIds.find(alice)).toBeUndefined()
      expect(await storage.ownIds.find(bob)).toEqual({ userId: 8, isProven: true })
    })

    it('is forgotten with their account, and with the workspace', async () => {
      const { storage } = await open()
      await storage.ownIds.prove(alice, 7)
      await storage.ownIds.prove(bob, 8)
      await storage.ownIds.prove(elsewhere, 7)
      await storage.ownIds.forget(alice)
      expect(await storage.ownIds.find(alice)).toBeUndefined()
      await storage.forgetWorkspace('T1')
      expect(await storage.ownIds.find(bob)).toBeUndefined()
      expect(await storage.ownIds.find(elsewhere)).toEqual({ userId: 7, isProven: true })
    })
  })
}
