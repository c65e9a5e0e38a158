// The contract of wishes and their sends: at most one request per write of an intent, a sender that died is found out,
// and an outcome that is told once.
import { describe, expect, it } from 'vitest'
import { lapsed, type Settled } from '../../src/send/outcome.ts'
import type { KeptWish, NewWish, SendKey } from '../../src/send/wishes.ts'
import { type AddUser, asAddUser } from '../../src/send/writes.ts'
import type { Storage } from '../../src/storage/storage.ts'
import type { OpenPair } from './pair.ts'

const alice = { workspaceId: 'T1', userId: 'U1' }
const bob = { workspaceId: 'T1', userId: 'U2' }
const about = {
  ...{ name: 'alert “Disk full” (5HkX)', isForAll: true, isDirect: false },
  ...{ channelId: 'C1', threadTs: '1700000000.000100' },
}
const leaseMs = 15_000
const begins = { leaseMs, askedAfter: 0 }
const granted: Settled = { kind: 'done' }
const busy: Settled = { kind: 'not-done', code: 'busy' }

const [dave, erin, frank] = ['dave@example.com', 'erin@example.com', 'frank@example.com'] as const

function add(changes: Partial<Omit<AddUser, 'kind'>> = {}): AddUser {
  return {
    kind: 'add-user',
    ...{ containerId: 12, email: dave, authProvider: undefined, member: false, permissions: ['READ', 'API'] },
    ...changes,
  }
}

function wish(id: string, changes: Partial<NewWish> = {}): NewWish {
  return { id, sender: alice, channelId: 'C1', writes: [add()], ...changes }
}

/** Somebody apart: equal to no other wish. */
function apart(id: string, changes: Partial<NewWish> = {}): NewWish {
  return wish(id, { writes: [add({ email: `${id}@example.com` })], ...changes })
}

function list(id: string, emails: readonly string[], changes: Partial<NewWish> = {}): NewWish {
  return wish(id, { writes: emails.map((email) => add({ email })), ...changes })
}

function key(wishId: string, n = 1): SendKey {
  return { workspaceId: 'T1', wishId, n }
}

/** Keeps a wish, and begins it; its sends wait for their turn. */
async function begin({ wishes }: Storage, asked: NewWish): Promise<void> {
  await wishes.keep(asked)
  expect(await wishes.begin(asked.sender, asked.id, begins)).toMatchObject({ kind: 'begun' })
}

/** What a sender does, until its requests are under way. */
async function send(storage: Storage, asked: NewWish): Promise<void> {
  await begin(storage, asked)
  for (const index of asked.writes.keys()) {
    const { workspaceId } = asked.sender
    const begun = await storage.sends.begin({ workspaceId, wishId: asked.id, n: index + 1 }, leaseMs)
    expect(begun).toBe(true)
  }
}

/** For one person: their outcome is known, and whoever sent it tells it. */
async function settle({ wishes, sends }: Storage, id: string, outcome: Settled = granted): Promise<void> {
  await sends.settle(key(id), outcome)
  expect(await wishes.settle('T1', id, leaseMs)).toBe(true)
}

/** A wish whose sender has died, and that others have ended. */
async function lapse({ storage, clock }: { storage: Storage; clock: { now: number } }, asked: NewWish) {
  await send(storage, asked)
  clock.now += leaseMs
  await storage.wishes.endLapsed()
}

async function found({ wishes }: Storage, id: string): Promise<KeptWish> {
  const kept = await wishes.find('T1', id)
  if (kept === undefined) throw new Error(`nothing is kept as ${id}`)
  return kept
}

/** The outcome of each of its sends, in their order. */
async function outcomes(storage: Storage, id: string) {
  return (await found(storage, id)).sends.map(({ outcome }) => outcome?.kind)
}

export function wishesContract(open: OpenPair): void {
  describe('wishes that are asked', () => {
    it('wait as they were asked; the first of an id stands', async () => {
      const { storage, other, clock } = await open()
      const writes = [
        add({ email: erin, authProvider: 'Google', member: true, permissions: [] }),
        add({ email: dave, permissions: ['READ', 'ALERT_ASSIGN'] }),
      ]
      const first = await storage.wishes.keep({ ...wish('w', { writes }), askerId: 'U9', about })
      clock.now += 1
      const second = await other.wishes.keep({ ...wish('w'), channelId: undefined })

      expect(first).toEqual({
        ...{ id: 'w', sender: alice, askerId: 'U9', channelId: 'C1', about, state: 'asked' },
        sends: writes.map((write, index) => ({
          ...{ n: index + 1, write, outcome: undefined },
        })),
        askedAt: clock.now - 1,
      })
      expect(second).toEqual(first)
      expect(await other.wishes.find('T1', 'w')).toEqual(first)
      expect(await other.wishes.find('T2', 'w')).toBeUndefined()
      const plain = await other.wishes.keep(wish('plain', { channelId: undefined }))
      expect(plain).toMatchObject({ channelId: undefined, about: undefined, askerId: 'U1' })
    })

    it('are kept once, with all of their sends, by those who keep them at the same time', async () => {
      const { storage, other } = await open()
      const versions = [[dave, erin], [frank]].map((emails) => list('w', emails))
      const kept = await Promise.all(
        [storage, other, storage, other].map(({ wishes }, index) =>
          wishes.keep(versions[index % 2] ?? wish('w')),
        ),
      )

      const stands = await found(storage, 'w')
      for (const one of kept) expect(one).toEqual(stands)
      const emails = stands.sends.map(({ write }) => asAddUser(write).email)
      expect([[dave, erin], [frank]]).toContainEqual(emails)
    })

    it('are given up once, by their sender, and are gone then', async () => {
      const { storage, other } = await open()
      await storage.wishes.keep(list('w', [dave, erin]))

      expect(await storage.wishes.cancel(bob, 'w')).toBe(false)
      expect(await storage.wishes.cancel({ ...alice, workspaceId: 'T2' }, 'w')).toBe(false)
      const answers = [storage.wishes.cancel(alice, 'w'), other.wishes.cancel(alice, 'w')]
      expect((await Promise.all(answers)).toSorted()).toEqual([false, true])

      expect(await storage.wishes.begin(alice, 'w', begins)).toEqual({
        ...{ kind: 'gone', wish: await found(other, 'w') },
      })
      expect(await found(other, 'w')).toMatchObject({ state: 'cancelled' })
      expect(await outcomes(other, 'w')).toEqual(['not-sent', 'not-sent'])
      expect(await storage.sends.begin(key('w'), leaseMs)).toBe(false)
    })

    it('know whether they were given up for approval, by whoever was first', async () => {
      const { storage, other } = await open()
      for (const id of ['w1', 'w2']) await storage.wishes.keep(wish(id))

      expect(await storage.wishes.cancel(alice, 'w1', 'handed-over')).toBe(true)
      expect(await storage.wishes.cancel(alice, 'w1')).toBe(false)
      expect(await storage.wishes.cancel(alice, 'w2')).toBe(true)
      expect(await storage.wishes.cancel(alice, 'w2', 'handed-over')).toBe(false)

      expect(await found(other, 'w1')).toMatchObject({ state: 'handed-over' })
      expect(await found(other, 'w2')).toMatchObject({ state: 'cancelled' })
      expect(await outcomes(other, 'w1')).toEqual(['not-sent'])
    })

    it('either begin or are given up, whoever comes first', async () => {
      const { storage, other } = await open()
      const ids = ['w1', 'w2', 'w3']
      for (const id of ids) await storage.wishes.keep(wish(id))

      const begun = ids.map((id) => storage.wishes.begin(alice, id, begins))
      const cancelled = ids.map((id) => other.wishes.cancel(alice, id))

      for (const [index, id] of ids.entries()) {
        const hasBegun = (await begun[index])?.kind === 'begun'
        expect(await cancelled[index]).toBe(!hasBegun)
        expect(await found(storage, id)).toMatchObject({ state: hasBegun ? 'sending' : 'cancelled' })
      }
    })

    it('are gone when unknown, somebody else’s, or asked too long ago', async () => {
      const { storage, clock } = await open()
      const kept = await storage.wishes.keep(wish('w'))
      const gone = { kind: 'gone', wish: undefined }

      expect(await storage.wishes.begin(alice, 'unknown', begins)).toEqual(gone)
      expect(await storage.wishes.begin(bob, 'w', begins)).toEqual(gone)
      expect(await storage.wishes.begin({ ...alice, workspaceId: 'T2' }, 'w', begins)).toEqual(gone)
      const late = { ...begins, askedAfter: clock.now + 1 }
      expect(await storage.wishes.begin(alice, 'w', late)).toEqual({ kind: 'gone', wish: kept })
      const inTime = { ...begins, askedAfter: clock.now }
      expect(await storage.wishes.begin(alice, 'w', inTime)).toMatchObject({ kind: 'begun' })
    })

    it('have a life of their own in each workspace', async () => {
      const { storage } = await open()
      const there = { ...alice, workspaceId: 'T2' }
      await send(storage, wish('w'))
      await send(storage, wish('w', { sender: there }))

      await settle(storage, 'w')

      expect(await outcomes(storage, 'w')).toEqual(['done'])
      expect(await storage.wishes.find('T2', 'w')).toMatchObject({
        ...{ state: 'sending', sends: [{ outcome: undefined }] },
      })
    })
  })

  describe('wishes that begin as they are kept', () => {
    it('are under way in the hands of one, whoever keeps them, and whatever follows the same one', async () => {
      const { storage, other } = await open()
      const asked = wish('w', { follows: { id: 'former', as: 'rest' } })
      const kept = await Promise.all(
        [storage, other, storage].map(({ wishes }) => wishes.keepBegun(asked, leaseMs)),
      )
      expect(kept.filter((one) => one !== undefined)).toMatchObject([
        { kind: 'begun', isToldElsewhere: false, wish: { id: 'w', state: 'sending' } },
      ])
      const rival = wish('rival', { follows: { id: 'former', as: 'rest' } })
      expect(await storage.wishes.keepBegun(rival, leaseMs)).toBeUndefined()
      expect(await other.wishes.keep(rival)).toMatchObject({ id: 'w', state: 'sending' })
      expect(await other.wishes.begin(alice, 'w', begins)).toMatchObject({ kind: 'repeated' })
    })

    it('are never sent and untold at once when their sender died before it sent anything', async () => {
      const { storage, other, clock } = await open()
      await storage.wishes.keepBegun(wish('w'), leaseMs)
      await storage.wishes.keep(apart('waits'))
      clock.now += leaseMs
      await other.wishes.endLapsed()
      const untold = await other.wishes.claimUntold(leaseMs)
      expect(untold).toMatchObject([{ id: 'w', sends: [{ outcome: { kind: 'not-sent' } }] }])
      expect(await storage.sends.begin(key('w'), leaseMs)).toBe(false)
      expect(await found(storage, 'waits')).toMatchObject({ state: 'asked' })
    })
  })

  describe('wishes that follow another', () => {
    it.each(['rest', 'again'] as const)('as its %s: one does, whoever asks how often', async (as) => {
      const { storage, other } = await open()
      await storage.wishes.keep(wish('w'))
      const follows = { id: 'w', as }

      const kept = await Promise.all(
        [storage, other, storage, other].map(({ wishes }, index) =>
          wishes.keep(wish(`f${index}`, { follows })),
        ),
      )

      const [first] = kept
      if (first === undefined) throw new Error('nothing was kept')
      for (const one of kept) expect(one).toEqual(first)
      const ids = ['f0', 'f1', 'f2', 'f3']
      const found = await Promise.all(ids.map((id) => storage.wishes.find('T1', id)))
      expect(found.flatMap((one) => one?.id ?? [])).toEqual([first.id])
    })

    it('as one and as the other, in each workspace, and those that follow themselves, are different ones', async () => {
      const { storage } = await open()
      const there = { ...alice, workspaceId: 'T2' }
      const followers = [
        wish('rest', { follows: { id: 'w', as: 'rest' } }),
        wish('again', { follows: { id: 'w', as: 'again' } }),
        wish('rest', { sender: there, follows: { id: 'w', as: 'rest' } }),
        wish('rest of rest', { follows: { id: 'rest', as: 'rest' } }),
      ]
      for (const one of followers)
        expect(await storage.wishes.keep(one)).toMatchObject({ id: one.id, sender: one.sender })
    })
  })

  describe('wishes that begin', () => {
    it('have one sender, whoever presses how often', async () => {
      const { storage, other } = await open()
      await storage.wishes.keep(list('w', [dave, erin]))

      const all = [storage, other, storage, other, storage, other]
      const begun = await Promise.all(all.map(({ wishes }) => wishes.begin(alice, 'w', begins)))

      const sending = { ...(await found(other, 'w')), state: 'sending' }
      expect(begun.filter(({ kind }) => kind === 'begun')).toEqual([
        { kind: 'begun', wish: sending, isToldElsewhere: false },
      ])
      expect(begun.filter(({ kind }) => kind === 'repeated')).toHaveLength(5)
      for (const one of begun) expect(one.wish).toEqual(sending)
      expect(await storage.wishes.cancel(alice, 'w')).toBe(false)
    })
  })

  describe('sends that begin', () => {
    it('have one sender, whoever comes how often', async () => {
      const { storage, other } = await open()
      await begin(storage, wish('w'))

      const all = [storage, other, storage, other, storage, other]
      const begun = await Promise.all(all.map((one) => one.sends.begin(key('w'), leaseMs)))

      expect(begun.filter((isBegun) => isBegun)).toHaveLength(1)
      expect(await other.sends.find(key('w'))).toMatchObject({ outcome: undefined })
      expect(await other.sends.find(key('w', 2))).toBeUndefined()
    })

    it('either begin or are given up, whoever comes first', async () => {
      const { storage, other } = await open()
      await begin(storage, list('w', [dave, erin, frank]))

      const [begun] = await Promise.all([
        Promise.all([1, 2, 3].map((n) => storage.sends.begin(key('w', n), leaseMs))),
        other.sends.giveUp('T1', 'w'),
      ])

      const expected = begun.map((isBegun) => (isBegun ? undefined : 'not-sent'))
      expect(await outcomes(storage, 'w')).toEqual(expected)
      expect(await storage.sends.begin(key('w', 3), leaseMs)).toBe(false)
    })

    it('are given up together, but for those that were sent and those of another wish', async () => {
      const { storage, other } = await open()
      for (const id of ['w', 'theirs']) {
        await begin(storage, list(id, [dave, erin, frank], id === 'w' ? {} : { sender: bob }))
      }
      await storage.sends.begin(key('w', 2), leaseMs)

      await other.sends.giveUp('T1', 'w')
      await other.sends.giveUp('T2', 'theirs')

      expect(await outcomes(storage, 'w')).toEqual(['not-sent', undefined, 'not-sent'])
      expect(await outcomes(storage, 'theirs')).toEqual([undefined, undefined, undefined])
      expect(await storage.sends.begin(key('w', 1), leaseMs)).toBe(false)
    })
  })

  describe('sends that end', () => {
    it('keep their first outcome, and have none before they were begun', async () => {
      const { storage } = await open()
      const all: readonly Settled[] = [
        granted,
        { kind: 'not-done', code: 'forbidden' },
        { kind: 'uncertain', doubt: 'timed-out' },
      ]
      for (const [index, outcome] of all.entries()) {
        const id = `w${index}`
        const asked = apart(id)
        await begin(storage, asked)
        expect(await storage.sends.settle(key(id), granted)).toBe('not')
        expect(await outcomes(storage, id)).toEqual([undefined])

        await storage.sends.begin(key(id), leaseMs)
        expect(await storage.sends.settle(key(id), outcome)).toBe('first')
        await storage.sends.settle(key(id), { kind: 'uncertain', doubt: 'odd-answer' })
        expect(await found(storage, id)).toMatchObject({ sends: [{ outcome }] })
      }
    })

    it('are not certain when their sender’s lease has run out, and not before', async () => {
      const { storage, other, clock } = await open()
      await send(storage, wish('w1'))
      await begin(storage, list('w2', [dave, erin]))
      await storage.sends.begin(key('w2'), leaseMs)

      clock.now += leaseMs - 1
      await other.wishes.endLapsed()
      expect(await other.sends.find(key('w1'))).toMatchObject({ outcome: undefined })

      clock.now += 1
      await other.wishes.endLapsed()
      expect(await other.sends.find(key('w1'))).toMatchObject({ outcome: lapsed })
      expect(await other.sends.find(key('w2'))).toMatchObject({ outcome: lapsed })
      expect(await outcomes(other, 'w2')).toEqual(['uncertain', 'not-sent'])
    })

    it('that have lapsed take the outcome of their sender, when it comes back', async () => {
      const { storage, other, clock } = await open()
      await lapse({ storage, clock }, wish('w'))

      expect(await storage.sends.settle(key('w'), granted)).toBe('in-place')
      // A second word of a sender changes nothing.
      await storage.sends.settle(key('w'), busy)

      expect(await found(other, 'w')).toMatchObject({ sends: [{ outcome: granted }] })
    })
  })

  describe('a doubt that is looked at again', () => {
    const doubt = { kind: 'uncertain', doubt: 'timed-out' } as const
    const look = { saw: 'absent', at: 1 } as const

    it('keeps what was seen, and gives way to what is seen, once', async () => {
      const { storage, other } = await open()
      await send(storage, wish('w'))
      await settle(storage, 'w', doubt)

      expect(await other.sends.looked(key('w'), doubt, { outcome: undefined, look })).toBe(true)
      expect(await found(storage, 'w')).toMatchObject({ sends: [{ outcome: doubt, look }] })
      const seen = [storage, other].map(({ sends }) => sends.looked(key('w'), doubt, { outcome: granted }))
      expect((await Promise.all(seen)).toSorted()).toEqual([false, true])
      expect(await found(storage, 'w')).toMatchObject({ sends: [{ outcome: granted }] })
    })
  })

  describe('wishes that end', () => {
    it('are settled once, and only when they were begun', async () => {
      const { storage, other } = await open()
      await storage.wishes.keep(wish('w'))
      expect(await storage.wishes.settle('T1', 'w', leaseMs)).toBe(false)
      await storage.wishes.begin(alice, 'w', begins)
      await storage.sends.begin(key('w'), leaseMs)
      await storage.sends.settle(key('w'), granted)

      const settled = [storage, other].map(({ wishes }) => wishes.settle('T1', 'w', leaseMs))
      expect((await Promise.all(settled)).toSorted()).toEqual([false, true])
      expect(await storage.wishes.begin(alice, 'w', begins)).toEqual({
        ...{ kind: 'repeated', wish: await found(other, 'w') },
      })
    })

    it('are ended for a sender whose lease has run out: what was under way is not certain, what waited is never sent', async () => {
      const { storage, other, clock } = await open()
      await begin(storage, list('w', [dave, erin, frank]))
      for (const n of [1, 2]) await storage.sends.begin(key('w', n), leaseMs)
      await storage.sends.settle(key('w', 1), granted)

      clock.now += leaseMs - 1
      await other.wishes.endLapsed()
      expect(await found(other, 'w')).toMatchObject({ state: 'sending' })
      expect(await outcomes(other, 'w')).toEqual(['done', undefined, undefined])

      clock.now += 1
      await Promise.all([storage, other].map(({ wishes }) => wishes.endLapsed()))
      expect(await found(other, 'w')).toMatchObject({
        state: 'settled',
        sends: [{ outcome: granted }, { outcome: lapsed }, { outcome: { kind: 'not-sent' } }],
      })
      expect(await storage.sends.begin(key('w', 3), leaseMs)).toBe(false)
      expect(await storage.wishes.settle('T1', 'w', leaseMs)).toBe(false)
    })

    it('are not ended while their sender renews its lease', async () => {
      const { storage, other, clock } = await open()
      await begin(storage, list('w', [dave, erin]))
      await storage.wishes.keep(wish('waits'))
      for (let renewals = 0; renewals < 3; renewals += 1) {
        clock.now += leaseMs - 1
        await storage.wishes.renew('T1', 'w', leaseMs)
        await storage.wishes.renew('T1', 'waits', leaseMs)
        await other.wishes.endLapsed()
        expect(await found(other, 'w')).toMatchObject({ state: 'sending' })
      }
      expect(await storage.sends.begin(key('w', 2), leaseMs)).toBe(true)
      clock.now += leaseMs
      await other.wishes.endLapsed()
      expect(await found(other, 'w')).toMatchObject({ state: 'settled' })
      await storage.wishes.renew('T1', 'w', leaseMs)
      await other.wishes.endLapsed()
      expect(await found(other, 'w')).toMatchObject({ state: 'settled' })
      expect(await found(other, 'waits')).toMatchObject({ state: 'asked' })
    })

    it('are ended only when all that they wait for has: a request may be younger than its list', async () => {
      const { storage, other, clock } = await open()
      await begin(storage, wish('w1'))
      await begin(storage, list('w2', [dave, erin]))
      clock.now += leaseMs - 1
      await storage.sends.begin(key('w1'), leaseMs)
      await storage.sends.begin(key('w2'), leaseMs)

      clock.now += 1
      await other.wishes.endLapsed()
      for (const id of ['w1', 'w2']) expect(await found(other, id)).toMatchObject({ state: 'sending' })
      // Whoever sent the list is gone, so nothing more of it is sent.
      expect(await outcomes(other, 'w2')).toEqual([undefined, 'not-sent'])
      expect(await other.wishes.claimUntold(30_000)).toEqual([])

      clock.now += leaseMs - 1
      await other.wishes.endLapsed()
      expect(await outcomes(other, 'w1')).toEqual(['uncertain'])
      expect(await outcomes(other, 'w2')).toEqual(['uncertain', 'not-sent'])
      const untold = (await other.wishes.claimUntold(30_000)).map(({ id }) => id)
      expect(untold.toSorted()).toEqual(['w1', 'w2'])
    })

    it('are handed out at once when their sender is gone', async () => {
      const { storage, other, clock } = await open()
      await lapse({ storage, clock }, wish('w'))

      const claims = [storage, other].map(({ wishes }) => wishes.claimUntold(30_000))

      expect((await Promise.all(claims)).flat()).toEqual([await found(other, 'w')])
      expect(await found(other, 'w')).toMatchObject({ state: 'settled', sends: [{ outcome: lapsed }] })
    })

    it('are told as their sender knew them, when it came back before the doubt was told', async () => {
      const { storage, other, clock } = await open()
      await lapse({ storage, clock }, wish('w'))

      expect(await storage.sends.settle(key('w'), granted)).toBe('in-place')
      expect(await storage.wishes.settle('T1', 'w', leaseMs)).toBe(false)

      const claimed = await other.wishes.claimUntold(30_000)
      expect(claimed).toMatchObject([{ id: 'w', sends: [{ outcome: granted }] }])
      expect(await other.wishes.told('T1', 'w')).toBe(true)
      clock.now += 30_000
      expect(await storage.wishes.claimUntold(30_000)).toEqual([])
    })

    it('are owed once more where their sender came back after the doubt was told', async () => {
      const { storage, other, clock } = await open()
      await lapse({ storage, clock }, wish('w'))
      expect(await other.wishes.claimUntold(30_000)).toMatchObject([{ sends: [{ outcome: lapsed }] }])
      expect(await other.wishes.told('T1', 'w')).toBe(true)

      expect(await storage.sends.settle(key('w'), granted)).toBe('in-place')
      await storage.wishes.owe('T1', 'w', leaseMs)

      expect(await other.wishes.claimUntold(30_000)).toEqual([])
      clock.now += leaseMs
      expect(await other.wishes.claimUntold(30_000)).toMatchObject([{ sends: [{ outcome: granted }] }])
    })

    it('are shared by one of those who press at the same time, until it could not be done', async () => {
      const { storage, other } = await open()
      await send(storage, wish('w'))
      expect(await storage.wishes.share('T1', 'w', true)).toBe(false)
      await settle(storage, 'w')

      const shares = [storage, other].map(({ wishes }) => wishes.share('T1', 'w', true))
      expect((await Promise.all(shares)).toSorted()).toEqual([false, true])
      await other.wishes.share('T1', 'w', false)
      expect(await storage.wishes.share('T1', 'w', true)).toBe(true)
      expect(await storage.wishes.share('T2', 'w', true)).toBe(false)
    })

    it('that nobody told are handed to one who tells, oldest first, and again when that one falls silent', async () => {
      const { storage, other, clock } = await open()
      for (const id of ['w1', 'w2', 'w3']) {
        await send(storage, apart(id))
        await settle(storage, id)
        clock.now += 1
      }
      expect(await storage.wishes.told('T1', 'w2')).toBe(true)
      expect(await other.wishes.told('T1', 'w2')).toBe(false)
      clock.now += leaseMs - 4
      expect(await storage.wishes.claimUntold(30_000)).toEqual([])
      clock.now += 3

      const claims = [storage, other].map(({ wishes }) => wishes.claimUntold(30_000))
      const claimed = (await Promise.all(claims)).flat()
      expect(claimed.map(({ id }) => id)).toEqual(['w1', 'w3'])

      await storage.wishes.told('T1', 'w1')
      clock.now += 29_999
      expect(await storage.wishes.claimUntold(30_000)).toEqual([])
      clock.now += 1
      expect(await other.wishes.claimUntold(30_000)).toEqual([await found(storage, 'w3')])
    })

    it('are left to whoever tells them, for as long as that one says so', async () => {
      const { storage, other, clock } = await open()
      await send(storage, wish('w'))
      await settle(storage, 'w')

      for (let renewals = 0; renewals < 3; renewals += 1) {
        clock.now += leaseMs - 1
        await storage.wishes.renew('T1', 'w', leaseMs)
        expect(await other.wishes.claimUntold(30_000)).toEqual([])
      }

      clock.now += leaseMs
      expect(await other.wishes.claimUntold(30_000)).toMatchObject([{ id: 'w' }])
    })

    it('whose sender cannot tell them are handed out at once, unless they were told', async () => {
      const { storage, other } = await open()
      for (const id of ['w1', 'w2', 'w3']) await send(storage, apart(id))
      for (const id of ['w1', 'w2']) await settle(storage, id)
      await storage.wishes.told('T1', 'w2')

      for (const id of ['w1', 'w2', 'w3', 'unknown']) await other.wishes.leaveUntold('T1', id)

      // What is under way keeps its lease.
      await storage.wishes.endLapsed()
      expect(await storage.wishes.claimUntold(30_000)).toMatchObject([
        { id: 'w1', sends: [{ outcome: granted }] },
      ])
      expect(await found(storage, 'w3')).toMatchObject({ state: 'sending' })
      await settle(storage, 'w3')
      expect(await storage.wishes.claimUntold(30_000)).toEqual([])
    })

    it('that are told elsewhere are never handed out', async () => {
      const { storage, other, clock } = await open()
      for (const id of ['w1', 'w2', 'w3']) await storage.wishes.keep(apart(id, { isToldElsewhere: true }))
      expect(await storage.wishes.begin(alice, 'w3', begins)).toMatchObject({ isToldElsewhere: true })
      for (const id of ['w1', 'w2']) await send(storage, apart(id))
      await settle(storage, 'w1')
      clock.now += leaseMs
      await other.wishes.endLapsed()
      await other.wishes.leaveUntold('T1', 'w2')

      expect(await storage.sends.settle(key('w2'), granted)).toBe('in-place')
      expect(await storage.wishes.settle('T1', 'w2', leaseMs)).toBe(false)

      clock.now += 1_000_000
      expect(await other.wishes.claimUntold(30_000)).toEqual([])
      expect(await found(other, 'w2')).toMatchObject({ sends: [{ outcome: granted }] })
    })

    it('are forgotten by age, but not while under way, and by workspace', async () => {
      const { storage, clock } = await open()
      await storage.wishes.keep(list('waits', [dave, erin]))
      await send(storage, apart('flies'))
      await send(storage, apart('there', { sender: { ...alice, workspaceId: 'T2' } }))

      await storage.wishes.prune(clock.now)
      expect(await storage.wishes.find('T1', 'waits')).toBeDefined()
      await storage.wishes.prune(clock.now + 1)
      expect(await storage.wishes.find('T1', 'waits')).toBeUndefined()
      expect(await storage.sends.find(key('waits', 2))).toBeUndefined()
      expect(await outcomes(storage, 'flies')).toEqual([undefined])

      await storage.wishes.forgetWorkspace('T2')
      expect(await storage.wishes.find('T2', 'there')).toBeUndefined()
      expect(await outcomes(storage, 'flies')).toEqual([undefined])
      await storage.wishes.forgetWorkspace('T1')
      expect(await storage.wishes.find('T1', 'flies')).toBeUndefined()
      expect(await storage.sends.find(key('flies'))).toBeUndefined()
    })
  })
}
