// The contract of wishes and their sends: at most one request per intent and per equal write, whichever lists it is in,
// a sender that died is found out, and an outcome that is told once.
import { describe, expect, it } from 'vitest'
import { lapsed, type Settled } from '../../src/send/outcome.ts'
import type { KeptWish, NewWish, SendKey } from '../../src/send/wishes.ts'
import { type AddUser, asAddUser, type Write } from '../../src/send/writes.ts'
import type { Storage } from '../../src/storage/storage.ts'
import type { OpenPair } from './pair.ts'

const alice = { workspaceId: 'T1', userId: 'U1' }
const bob = { workspaceId: 'T1', userId: 'U2' }
const about = {
  ...{ name: 'alert “Disk full” (5HkX)', isForAll: true, isDirect: false },
  ...{ channelId: 'C1', threadTs: '1700000000.000100' },
}
const leaseMs = 15_000
const joinableMs = 10_000
const begins = { leaseMs, askedAfter: 0 }
const sends = { leaseMs, joinableMs }
const tells = { tellingMs: leaseMs, corrects: false }
const corrects = { tellingMs: leaseMs, corrects: true }
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
    const begun = await storage.sends.begin(
      asked.sender,
      { workspaceId, wishId: asked.id, n: index + 1 },
      sends,
    )
    expect(begun).toEqual({ kind: 'begun' })
  }
}

/** For one person: their outcome is known, and whoever sent it tells it. */
async function settle({ wishes, sends }: Storage, id: string, outcome: Settled = granted): Promise<void> {
  await sends.settle(key(id), outcome)
  expect(await wishes.settle('T1', id, tells)).toBe(true)
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
        ...{ id: 'w', sender: alice, askerId: 'U9', channelId: 'C1', about, state: 'asked', isRest: false },
        sends: writes.map((write, index) => ({
          ...{ n: index + 1, write, outcome: undefined, isJoined: false, wasDoubted: false },
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
      expect(await storage.sends.begin(alice, key('w'), sends)).toEqual({ kind: 'gone' })
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
      expect(await storage.sends.begin(alice, key('w'), sends)).toEqual({ kind: 'gone' })
      expect(await found(storage, 'waits')).toMatchObject({ state: 'asked' })
    })
  })

  describe('wishes whose sender died before it sent anything', () => {
    it('are told with the equal ones that were sent since they were asked', async () => {
      const { storage, other, clock } = await open()
      await storage.wishes.keepBegun(wish('w1'), leaseMs)
      await other.wishes.keepBegun(wish('w2'), leaseMs)
      expect(await storage.sends.begin(alice, key('w1'), sends)).toEqual({ kind: 'begun' })
      await settle(storage, 'w1', granted)
      clock.now += leaseMs
      await storage.wishes.endLapsed()
      expect(await found(other, 'w2')).toMatchObject({
        state: 'settled',
        sends: [{ isJoined: true, outcome: granted }],
      })
      expect(await storage.wishes.claimUntold(leaseMs)).toMatchObject([{ id: 'w1' }])
    })

    it('are not sent, though an equal one was settled before they were asked', async () => {
      const { storage, clock } = await open()
      await send(storage, wish('w1'))
      await settle(storage, 'w1', busy)
      clock.now += 1
      await storage.wishes.keepBegun(wish('w2', { follows: { id: 'w1', as: 'rest' } }), leaseMs)
      clock.now += leaseMs
      await storage.wishes.endLapsed()
      expect(await outcomes(storage, 'w2')).toEqual(['not-sent'])
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
      expect(first.isRest).toBe(as === 'rest')
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

    it('lead to whichever stands for them', async () => {
      const { storage, other } = await open()
      await storage.wishes.keep(wish('w'))
      await send(storage, wish('equal'))
      await begin(storage, wish('f1', { follows: { id: 'w', as: 'again' } }))
      await storage.wishes.join('T1', 'f1', 'equal')

      const again = await other.wishes.keep(wish('f2', { follows: { id: 'w', as: 'again' } }))

      expect(again).toEqual(await found(storage, 'equal'))
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

    it('stay joined to one that stands for them: replayed much later, nothing is sent', async () => {
      const { storage, other, clock } = await open()
      await send(storage, wish('w1'))
      await settle(storage, 'w1')
      await begin(storage, wish('w2'))
      await storage.wishes.join('T1', 'w2', 'w1')

      clock.now += 3_600_000
      const stands = await found(other, 'w1')
      for (const id of ['w1', 'w2']) {
        expect(await found(other, id)).toEqual(stands)
        expect(await other.wishes.begin(alice, id, begins)).toEqual({ kind: 'repeated', wish: stands })
        expect(await other.wishes.cancel(alice, id)).toBe(false)
      }
      expect(await other.wishes.begin(bob, 'w2', begins)).toEqual({ kind: 'gone', wish: undefined })
      clock.now += leaseMs
      expect((await other.wishes.claimUntold(30_000)).map(({ id }) => id)).toEqual(['w1'])
    })

    it('that have ended can be joined to nothing any more', async () => {
      const { storage } = await open()
      await send(storage, wish('w1'))
      await send(storage, apart('w2'))
      await settle(storage, 'w2', busy)

      await storage.wishes.join('T1', 'w2', 'w1')

      expect(await found(storage, 'w2')).toMatchObject({ id: 'w2', sends: [{ outcome: busy }] })
    })
  })

  describe('sends that begin', () => {
    it('have one sender, whoever comes how often: nobody waits for what they send themselves', async () => {
      const { storage, other } = await open()
      await begin(storage, wish('w'))

      const all = [storage, other, storage, other, storage, other]
      const begun = await Promise.allSettled(all.map((one) => one.sends.begin(alice, key('w'), sends)))

      const [only, ...more] = begun.filter(({ status }) => status === 'fulfilled')
      expect(only).toMatchObject({ value: { kind: 'begun' } })
      expect(more).toEqual([])
      const others = begun.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []))
      expect(others).toEqual(Array(5).fill('Error: send 1 of w is under way already'))
      expect(await other.sends.find(key('w'))).toEqual({ outcome: undefined })
      expect(await other.sends.find(key('w', 2))).toBeUndefined()
    })

    it('have one sender among equal ones of the same person, in lists and alone', async () => {
      const { storage, other } = await open()
      const turned = add({ permissions: ['API', 'READ'] })
      const asked = [
        wish('w1'),
        list('w2', [erin, dave]),
        wish('w3', { writes: [turned] }),
        list('w4', [dave, frank]),
        wish('w5', { channelId: 'C2', about }),
        wish('w6'),
      ]
      for (const one of asked) await begin(storage, one)
      const equal = asked.map(({ id }) => key(id, id === 'w2' ? 2 : 1))

      const begun = await Promise.all(
        equal.map((one, index) => (index % 2 === 0 ? storage : other).sends.begin(alice, one, sends)),
      )

      const winners = equal.filter((_, index) => begun[index]?.kind === 'begun')
      expect(winners).toHaveLength(1)
      const joined = { kind: 'joined', of: winners[0] }
      for (const one of begun) if (one.kind !== 'begun') expect(one).toEqual(joined)
      await storage.sends.settle(winners[0] ?? key(''), granted)
      for (const { wishId, n } of equal) {
        const isJoined = wishId !== winners[0]?.wishId
        const { sends } = await found(other, wishId)
        expect(sends[n - 1]).toMatchObject({ outcome: granted, isJoined })
        expect(await other.sends.find(key(wishId, n))).toEqual({ outcome: granted })
      }
    })

    it('do not join what differs, or is somebody else’s', async () => {
      const { storage } = await open()
      const different = [
        wish('w1'),
        wish('w2', { writes: [add({ containerId: 13 })] }),
        wish('w3', { writes: [add({ email: erin })] }),
        wish('w4', { writes: [add({ authProvider: 'Google' })] }),
        wish('w5', { writes: [add({ member: true })] }),
        wish('w6', { writes: [add({ permissions: ['READ'] })] }),
        wish('w7', { sender: bob }),
        wish('w8', { sender: { ...alice, workspaceId: 'T2' } }),
      ]
      for (const one of different) await send(storage, one)
    })

    it('join one that was settled long ago as long as the rest of its list is under way, and ten seconds more', async () => {
      const { storage, other, clock } = await open()
      await begin(storage, list('list', [dave, erin]))
      await storage.sends.begin(alice, key('list'), sends)
      await storage.sends.settle(key('list'), granted, { tellingMs: leaseMs })
      clock.now += joinableMs + 1
      await begin(other, wish('again'))

      expect(await other.sends.begin(alice, key('again'), sends)).toMatchObject({
        of: { wishId: 'list', n: 1 },
      })

      await storage.wishes.settle('T1', 'list', tells)
      clock.now += joinableMs
      await begin(other, wish('soon'))
      expect(await other.sends.begin(alice, key('soon'), sends)).toMatchObject({ kind: 'joined' })
      clock.now += 1
      await begin(other, wish('later'))
      expect(await other.sends.begin(alice, key('later'), sends)).toMatchObject({ kind: 'begun' })
    })

    it('join an equal one until ten seconds after it was settled', async () => {
      const { storage, other, clock } = await open()
      await send(storage, wish('w1'))
      for (const asked of [list('w2', [erin, dave]), wish('w3')]) await begin(storage, asked)
      clock.now += 60_000
      await storage.sends.settle(key('w1'), granted)
      await storage.wishes.settle('T1', 'w1', tells)

      clock.now += joinableMs
      expect(await other.sends.begin(alice, key('w2', 2), sends)).toEqual({ kind: 'joined', of: key('w1') })

      clock.now += 1
      expect(await other.sends.begin(alice, key('w3'), sends)).toEqual({ kind: 'begun' })
    })

    it('stay joined, however much later they are begun again', async () => {
      const { storage, other, clock } = await open()
      await send(storage, wish('w1'))
      await begin(storage, list('w2', [dave, erin]))
      await storage.sends.begin(alice, key('w2'), sends)
      await storage.sends.settle(key('w1'), granted)

      clock.now += 3_600_000
      for (const id of ['w1', 'w2']) {
        const joined = { kind: 'joined', of: key('w1') }
        expect(await other.sends.begin(alice, key(id), sends)).toEqual(joined)
      }
      await other.sends.giveUp('T1', 'w2')
      expect(await outcomes(storage, 'w2')).toEqual(['done', 'not-sent'])
    })

    it('asked again on purpose join one that is under way, but none that is settled', async () => {
      const { storage, clock } = await open()
      const onPurpose = { ...sends, joinableMs: 0 }
      await send(storage, wish('w1'))
      for (const id of ['w2', 'w3']) await begin(storage, wish(id))

      expect(await storage.sends.begin(alice, key('w2'), onPurpose)).toEqual({
        ...{ kind: 'joined', of: key('w1') },
      })
      await storage.sends.settle(key('w1'), busy)
      clock.now += 1
      expect(await storage.sends.begin(alice, key('w3'), onPurpose)).toEqual({ kind: 'begun' })
    })

    it('asked again on purpose are sent though the rest of the list that settled an equal one is under way', async () => {
      const { storage, other, clock } = await open()
      await begin(storage, list('list', [dave, erin]))
      await storage.sends.letJoin('T1', 'list')
      await storage.sends.begin(alice, key('list'), sends)
      await storage.sends.settle(key('list'), busy, { tellingMs: leaseMs })
      clock.now += 1
      await begin(other, wish('again'))

      const begun = await other.sends.begin(alice, key('again'), { ...sends, joinableMs: 0 })

      expect(begun).toEqual({ kind: 'begun' })
    })

    it('do not join one that was refused for its token: with another token they are sent at once', async () => {
      const { storage } = await open()
      await send(storage, wish('w1'))
      await begin(storage, list('w2', [dave, erin]))
      await settle(storage, 'w1', { kind: 'not-done', code: 'refused' })

      expect(await storage.sends.begin(alice, key('w2'), sends)).toEqual({ kind: 'begun' })
    })

    it('about an alert do not join one that was not sent, or was forbidden, and join one that was sent', async () => {
      const { storage } = await open()
      const comment = (message: string): Write => ({
        ...{ kind: 'comment', ks: 'k1', message, shown: undefined, senderId: 7, cardId: undefined },
      })
      const rows = [
        ['held back', { kind: 'not-done', code: 'changed' }, false, 'begun'],
        ['so already', { kind: 'done', on: 'already' }, false, 'begun'],
        ['forbidden', { kind: 'not-done', code: 'forbidden' }, true, 'begun'],
        ['sent and busy', { kind: 'not-done', code: 'busy' }, true, 'joined'],
        ['done', { kind: 'done', on: 'seen' }, true, 'joined'],
        ['in doubt', { kind: 'uncertain', doubt: 'timed-out' }, true, 'joined'],
      ] as const
      for (const [name, outcome, isSent, kind] of rows) {
        const writes = [comment(name)]
        await send(storage, wish(name, { writes }))
        if (isSent) await storage.sends.noteBefore(key(name), 'unreadable')
        await settle(storage, name, outcome)
        await begin(storage, wish(`${name} again`, { writes }))
        expect(await storage.sends.begin(alice, key(`${name} again`), sends), name).toMatchObject({ kind })
      }
    })

    it('of the same list that are equal are one', async () => {
      const { storage } = await open()
      await begin(storage, list('w', [dave, dave]))
      await storage.sends.letJoin('T1', 'w')

      expect(await storage.sends.begin(alice, key('w', 1), sends)).toEqual({ kind: 'begun' })
      expect(await storage.sends.begin(alice, key('w', 2), sends)).toEqual({
        kind: 'joined',
        of: key('w', 1),
      })
    })

    it('either begin or are given up, whoever comes first', async () => {
      const { storage, other } = await open()
      await begin(storage, list('w', [dave, erin, frank]))

      const [begun] = await Promise.all([
        Promise.all([1, 2, 3].map((n) => storage.sends.begin(alice, key('w', n), sends))),
        other.sends.giveUp('T1', 'w'),
      ])

      const expected = begun.map(({ kind }) => (kind === 'begun' ? undefined : 'not-sent'))
      expect(await outcomes(storage, 'w')).toEqual(expected)
      const again = await Promise.allSettled([storage.sends.begin(alice, key('w', 3), sends)])
      expect(again).not.toMatchObject([{ value: { kind: 'begun' } }])
    })

    it('are given up together, but for those that were sent and those of another wish', async () => {
      const { storage, other } = await open()
      for (const id of ['w', 'theirs']) {
        await begin(storage, list(id, [dave, erin, frank], id === 'w' ? {} : { sender: bob }))
      }
      await storage.sends.begin(alice, key('w', 2), sends)

      await other.sends.giveUp('T1', 'w')
      await other.sends.giveUp('T2', 'theirs')

      expect(await outcomes(storage, 'w')).toEqual(['not-sent', undefined, 'not-sent'])
      expect(await outcomes(storage, 'theirs')).toEqual([undefined, undefined, undefined])
      expect(await storage.sends.begin(alice, key('w', 1), sends)).toEqual({ kind: 'gone' })
    })
  })

  describe('sends that stand before their turn has come', () => {
    it('are joined by equal ones, and begin all the same', async () => {
      const { storage, other } = await open()
      await begin(storage, list('w1', [dave, erin]))
      await storage.sends.letJoin('T1', 'w1')
      for (const asked of [list('w2', [erin, dave]), wish('w3')]) await begin(storage, asked)

      const joined = [key('w2', 1), key('w2', 2), key('w3')].map((one) =>
        other.sends.begin(alice, one, sends),
      )
      expect(await Promise.all(joined)).toEqual([
        { kind: 'joined', of: key('w1', 2) },
        { kind: 'joined', of: key('w1', 1) },
        { kind: 'joined', of: key('w1', 1) },
      ])
      for (const n of [1, 2])
        expect(await storage.sends.begin(alice, key('w1', n), sends)).toEqual({ kind: 'begun' })
    })

    it('are of one list, when two stand at the same time', async () => {
      const { storage, other } = await open()
      const ids = ['w1', 'w2', 'w3', 'w4']
      for (const [index, id] of ids.entries())
        await begin(storage, list(id, index < 2 ? [dave, erin] : [erin, dave]))

      const begun = await Promise.all(
        ids.map(async (id, index) => {
          const { sends: own } = index % 2 === 0 ? storage : other
          await own.letJoin('T1', id)
          const [first, second] = [key(id, 1), key(id, 2)]
          return [await own.begin(alice, first, sends), await own.begin(alice, second, sends)] as const
        }),
      )

      const winners = ids.filter((_, index) => begun[index]?.every(({ kind }) => kind === 'begun'))
      expect(winners).toHaveLength(1)
      for (const one of begun.flat())
        if (one.kind !== 'begun') expect(one).toMatchObject({ kind: 'joined', of: { wishId: winners[0] } })
    })

    it('are those whose place was free; the others join when their turn comes', async () => {
      const { storage, other } = await open()
      await send(storage, wish('w1'))
      await begin(storage, list('w2', [erin, dave, frank]))
      await storage.sends.letJoin('T1', 'w2')
      await begin(storage, list('w3', [dave, erin]))

      const of = await Promise.all(
        [key('w2', 2), key('w3', 1), key('w3', 2)].map((one) => other.sends.begin(alice, one, sends)),
      )
      expect(of).toEqual([key('w1'), key('w1'), key('w2', 1)].map((one) => ({ kind: 'joined', of: one })))
    })

    it('make room when they are given up, and so do those that joined them', async () => {
      const { storage, other } = await open()
      await begin(storage, list('w1', [dave, erin]))
      await storage.sends.letJoin('T1', 'w1')
      for (const id of ['w2', 'w3']) await begin(storage, wish(id))
      await other.sends.begin(alice, key('w2'), sends)

      await storage.sends.giveUp('T1', 'w1')

      expect(await outcomes(other, 'w2')).toEqual(['not-sent'])
      // Of the two, one is sent, and the other joins that.
      const both = [key('w2'), key('w3')].map((one) => other.sends.begin(alice, one, sends))
      const kinds = (await Promise.all(both)).map(({ kind }) => kind)
      expect(kinds.toSorted()).toEqual(['begun', 'joined'])
    })

    it('stand in nobody else’s way, nor in that of what differs', async () => {
      const { storage } = await open()
      await begin(storage, list('w1', [dave, erin]))
      await storage.sends.letJoin('T1', 'w1')

      await send(storage, list('w2', [dave, erin], { sender: bob }))
      await send(storage, list('w3', [dave, erin], { sender: { ...alice, workspaceId: 'T2' } }))
      await send(storage, wish('w4', { writes: [add({ member: true })] }))
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
        expect(await storage.sends.settle(key(id), granted)).toMatchObject({ wasDoubted: false })
        expect(await outcomes(storage, id)).toEqual([undefined])

        await storage.sends.begin(alice, key(id), sends)
        expect(await storage.sends.settle(key(id), outcome)).toMatchObject({ wasDoubted: false })
        await storage.sends.settle(key(id), { kind: 'uncertain', doubt: 'odd-answer' })
        expect(await found(storage, id)).toMatchObject({ sends: [{ outcome, wasDoubted: false }] })
      }
    })

    it('are not certain when their sender’s lease has run out, and not before', async () => {
      const { storage, other, clock } = await open()
      await send(storage, wish('w1'))
      await begin(storage, list('w2', [dave, erin]))
      await storage.sends.begin(alice, key('w2'), sends)

      clock.now += leaseMs - 1
      await other.wishes.endLapsed()
      expect(await other.sends.find(key('w1'))).toEqual({ outcome: undefined })

      clock.now += 1
      await other.wishes.endLapsed()
      expect(await other.sends.find(key('w1'))).toEqual({ outcome: lapsed })
      expect(await other.sends.find(key('w2'))).toEqual({ outcome: lapsed })
      expect(await outcomes(other, 'w2')).toEqual(['uncertain', 'not-sent'])
    })

    it('that have lapsed take the outcome of their sender, when it comes back', async () => {
      const { storage, other, clock } = await open()
      await lapse({ storage, clock }, wish('w'))

      expect(await storage.sends.settle(key('w'), granted)).toMatchObject({ wasDoubted: false })
      // A second word of a sender changes nothing.
      await storage.sends.settle(key('w'), busy)

      expect(await found(other, 'w')).toMatchObject({ sends: [{ outcome: granted, wasDoubted: false }] })
    })

    it('that have lapsed do not stand in the way of an equal one that was asked since, when their sender comes back', async () => {
      const { storage, other, clock } = await open()
      await lapse({ storage, clock }, wish('w1'))
      clock.now += joinableMs + 1
      await send(other, wish('w2'))

      await storage.sends.settle(key('w1'), granted)

      expect(await outcomes(storage, 'w1')).toEqual(['done'])
      expect(await outcomes(storage, 'w2')).toEqual([undefined])
      await begin(storage, wish('w3'))
      expect(await storage.sends.begin(alice, key('w3'), sends)).toEqual({ kind: 'joined', of: key('w2') })
    })

    it('say whether a doubt about them may have been told, to those that joined them as well', async () => {
      const { storage, other, clock } = await open()
      await send(storage, list('w1', [dave, erin]))
      await begin(storage, wish('w2'))
      await storage.sends.begin(alice, key('w2'), sends)
      await send(storage, apart('w3'))
      clock.now += leaseMs
      await other.wishes.endLapsed()

      // One that joined is told of, so that the one it joined is.
      await other.sends.markDoubtTold('T1', 'w2')
      expect(await found(storage, 'w1')).toMatchObject({ sends: [{ wasDoubted: false }, {}] })

      expect(await storage.sends.settle(key('w1', 1), granted)).toMatchObject({ wasDoubted: true })
      expect(await storage.sends.settle(key('w1', 2), granted)).toMatchObject({ wasDoubted: false })
      expect(await storage.sends.settle(key('w3'), granted)).toMatchObject({ wasDoubted: false })
      expect(await found(other, 'w1')).toMatchObject({ sends: [{ wasDoubted: true }, { wasDoubted: false }] })
      expect(await found(other, 'w2')).toMatchObject({ sends: [{ outcome: granted, wasDoubted: true }] })
    })

    it('are in no doubt for what is not of a silent sender, or not of this workspace', async () => {
      const { storage, clock } = await open()
      const timedOut: Settled = { kind: 'uncertain', doubt: 'timed-out' }
      await send(storage, wish('w1'))
      await storage.sends.settle(key('w1'), timedOut)
      await storage.sends.markDoubtTold('T1', 'w1')
      expect(await storage.sends.settle(key('w1'), granted)).toMatchObject({ wasDoubted: false })
      expect(await found(storage, 'w1')).toMatchObject({ sends: [{ outcome: timedOut, wasDoubted: false }] })

      await lapse({ storage, clock }, apart('w2'))
      await storage.sends.markDoubtTold('T2', 'w2')
      expect(await storage.sends.settle(key('w2'), granted)).toMatchObject({ wasDoubted: false })
    })

    it('are not certain to those that joined them, when they were forgotten', async () => {
      const { storage, clock } = await open()
      await send(storage, wish('w1'))
      await settle(storage, 'w1')
      clock.now += 1
      await begin(storage, wish('w2'))
      await storage.sends.begin(alice, key('w2'), sends)

      await storage.wishes.prune(clock.now)

      expect(await storage.sends.find(key('w1'))).toBeUndefined()
      expect(await found(storage, 'w2')).toMatchObject({ sends: [{ outcome: lapsed, isJoined: true }] })
    })
  })

  describe('wishes that end', () => {
    it('are settled once, and only when they were begun', async () => {
      const { storage, other } = await open()
      await storage.wishes.keep(wish('w'))
      expect(await storage.wishes.settle('T1', 'w', tells)).toBe(false)
      expect(await storage.wishes.settle('T1', 'w', corrects)).toBe(false)
      await storage.wishes.begin(alice, 'w', begins)
      await storage.sends.begin(alice, key('w'), sends)
      await storage.sends.settle(key('w'), granted)

      const settled = [storage, other].map(({ wishes }) => wishes.settle('T1', 'w', tells))
      expect((await Promise.all(settled)).toSorted()).toEqual([false, true])
      expect(await storage.wishes.settle('T1', 'w', corrects)).toBe(false)
      expect(await storage.wishes.begin(alice, 'w', begins)).toEqual({
        ...{ kind: 'repeated', wish: await found(other, 'w') },
      })
    })

    it('are ended for a sender whose lease has run out: what was under way is not certain, what waited is never sent', async () => {
      const { storage, other, clock } = await open()
      await begin(storage, list('w', [dave, erin, frank]))
      for (const n of [1, 2]) await storage.sends.begin(alice, key('w', n), sends)
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
      expect(await storage.sends.begin(alice, key('w', 3), sends)).toEqual({ kind: 'gone' })
      expect(await storage.wishes.settle('T1', 'w', tells)).toBe(false)
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
      expect(await storage.sends.begin(alice, key('w', 2), sends)).toEqual({ kind: 'begun' })
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
      await storage.sends.begin(alice, key('w1'), sends)
      await storage.sends.begin(alice, key('w2'), sends)

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

      expect(await storage.sends.settle(key('w'), granted)).toMatchObject({ wasDoubted: false })
      expect(await storage.wishes.settle('T1', 'w', tells)).toBe(false)

      const claimed = await other.wishes.claimUntold(30_000)
      expect(claimed).toMatchObject([{ id: 'w', sends: [{ outcome: granted, wasDoubted: false }] }])
      const [told] = claimed
      if (told !== undefined) expect(await other.wishes.told(told)).toBe(true)
      clock.now += 30_000
      expect(await storage.wishes.claimUntold(30_000)).toEqual([])
    })

    it.each(['being told', 'told'])(
      'are owed as their sender knew them where the doubt is %s, once',
      async (doubtIs) => {
        const { storage, other, clock } = await open()
        await lapse({ storage, clock }, list('w', [dave, erin]))
        const [doubt] = await other.wishes.claimUntold(30_000)
        if (doubt === undefined) throw new Error('nothing was claimed')
        expect(doubt).toMatchObject({ sends: [{ outcome: lapsed }, { outcome: lapsed }] })
        await other.sends.markDoubtTold('T1', 'w')
        if (doubtIs === 'told') expect(await other.wishes.told(doubt)).toBe(true)

        const settles = (n: number) => storage.sends.settle(key('w', n), granted, { tellingMs: leaseMs })
        const inPlace = { kept: 'in-place', wasDoubted: true }
        expect(await settles(1)).toEqual({ ...inPlace, wasTold: doubtIs === 'told' })
        expect(await settles(2)).toEqual({ ...inPlace, wasTold: false })
        expect(await settles(2)).toMatchObject({ kept: 'not' })
        // Whoever was telling the doubt has done so now, and that was not the outcome.
        expect(await other.wishes.told(doubt)).toBe(false)
        expect(await storage.wishes.settle('T1', 'w', tells)).toBe(false)
        expect(await storage.wishes.settle('T1', 'w', corrects)).toBe(true)
        expect(await storage.wishes.settle('T1', 'w', corrects)).toBe(false)
        expect(await other.wishes.told(doubt)).toBe(false)

        clock.now += leaseMs - 1
        expect(await other.wishes.claimUntold(30_000)).toEqual([])
        clock.now += 1
        const corrected = { outcome: granted, wasDoubted: true }
        const [claimed] = await other.wishes.claimUntold(30_000)
        if (claimed === undefined) throw new Error('nothing was claimed')
        expect(claimed).toMatchObject({ id: 'w', sends: [corrected, corrected] })
        expect(await other.wishes.told(claimed)).toBe(true)
        expect(await storage.wishes.told(claimed)).toBe(false)
        clock.now += 30_000
        expect(await storage.wishes.claimUntold(30_000)).toEqual([])
      },
    )

    it('are told by others where their sender came back, knew them, and died before it could tell', async () => {
      const { storage, other, clock } = await open()
      await lapse({ storage, clock }, wish('w'))
      const [doubt] = await other.wishes.claimUntold(30_000)
      if (doubt === undefined) throw new Error('nothing was claimed')
      await other.sends.markDoubtTold('T1', 'w')
      await other.wishes.told(doubt)

      expect(await storage.sends.settle(key('w'), granted, { tellingMs: leaseMs })).toMatchObject({
        wasDoubted: true,
      })

      clock.now += leaseMs - 1
      expect(await other.wishes.claimUntold(30_000)).toEqual([])
      clock.now += 1
      expect(await other.wishes.claimUntold(30_000)).toMatchObject([
        { id: 'w', sends: [{ outcome: granted, wasDoubted: true }] },
      ])
    })

    it('are told as a doubt once more where only some of it has given way', async () => {
      const { storage, other, clock } = await open()
      await lapse({ storage, clock }, list('w', [dave, erin]))
      const [doubt] = await other.wishes.claimUntold(30_000)
      if (doubt === undefined) throw new Error('nothing was claimed')
      await other.sends.markDoubtTold('T1', 'w')
      await other.wishes.told(doubt)

      await storage.sends.settle(key('w', 1), granted, { tellingMs: leaseMs })
      expect(await storage.wishes.settle('T1', 'w', corrects)).toBe(true)

      clock.now += leaseMs
      expect(await other.wishes.claimUntold(30_000)).toMatchObject([
        { sends: [{ outcome: granted, wasDoubted: true }, { outcome: lapsed }] },
      ])
    })

    it('are still owed where one of them gave way while the doubt about all of them was being told', async () => {
      const { storage, other, clock } = await open()
      await lapse({ storage, clock }, list('w', [dave, erin]))
      const [doubt] = await other.wishes.claimUntold(30_000)
      if (doubt === undefined) throw new Error('nothing was claimed')
      await other.sends.markDoubtTold('T1', 'w')
      await storage.sends.settle(key('w', 1), granted, { tellingMs: leaseMs })

      expect(await other.wishes.told(doubt)).toBe(false)

      // Its sender dies before it tells what it knows.
      clock.now += leaseMs
      expect(await other.wishes.claimUntold(30_000)).toMatchObject([
        { sends: [{ outcome: granted, wasDoubted: true }, { outcome: lapsed }] },
      ])
    })

    it('are told by whoever sent the equal ones, where the sender of all that joined is gone', async () => {
      const { storage, clock } = await open()
      await send(storage, wish('w1'))
      await begin(storage, wish('w2'))
      await storage.sends.begin(alice, key('w2'), sends)
      await settle(storage, 'w1')
      clock.now += leaseMs

      await storage.wishes.endLapsed()

      expect(await found(storage, 'w2')).toMatchObject({ state: 'settled', sends: [{ isJoined: true }] })
      expect((await storage.wishes.claimUntold(30_000)).map(({ id }) => id)).toEqual(['w1'])
    })

    it('are never sent any more, though the one that they had joined was given up just before', async () => {
      const { storage, other, clock } = await open()
      await begin(storage, list('w1', [dave, erin]))
      await storage.sends.letJoin('T1', 'w1')
      await begin(storage, wish('w2'))
      await storage.sends.begin(alice, key('w2'), sends)
      clock.now += leaseMs

      // Once for the one that was joined, whichever comes first.
      for (let look = 0; look < 2; look += 1) await other.wishes.endLapsed()

      expect(await outcomes(other, 'w1')).toEqual(['not-sent', 'not-sent'])
      expect(await found(other, 'w2')).toMatchObject({ state: 'settled', sends: [{ isJoined: false }] })
      expect(await outcomes(other, 'w2')).toEqual(['not-sent'])
      expect(await storage.sends.begin(alice, key('w2'), sends)).toEqual({ kind: 'gone' })
      const untold = (await other.wishes.claimUntold(30_000)).map(({ id }) => id)
      expect(untold.toSorted()).toEqual(['w1', 'w2'])
    })

    it('that joined what is not certain are told like any other', async () => {
      const { storage, clock } = await open()
      await send(storage, wish('w1'))
      await begin(storage, list('w2', [dave, erin]))
      await storage.sends.begin(alice, key('w2'), sends)
      clock.now += leaseMs
      await storage.wishes.endLapsed()

      const claimed = await storage.wishes.claimUntold(30_000)
      expect(claimed.map(({ id }) => id).toSorted()).toEqual(['w1', 'w2'])
      for (const one of claimed) expect(await storage.wishes.told(one)).toBe(true)
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
      expect(await storage.wishes.told(await found(storage, 'w2'))).toBe(true)
      expect(await other.wishes.told(await found(storage, 'w2'))).toBe(false)
      clock.now += leaseMs - 4
      expect(await storage.wishes.claimUntold(30_000)).toEqual([])
      clock.now += 3

      const claims = [storage, other].map(({ wishes }) => wishes.claimUntold(30_000))
      const claimed = (await Promise.all(claims)).flat()
      expect(claimed.map(({ id }) => id)).toEqual(['w1', 'w3'])

      await storage.wishes.told(await found(storage, 'w1'))
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
      await storage.wishes.told(await found(storage, 'w2'))

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

    it('that are told elsewhere are never handed out, and say that they were doubted', async () => {
      const { storage, other, clock } = await open()
      for (const id of ['w1', 'w2', 'w3']) await storage.wishes.keep(apart(id, { isToldElsewhere: true }))
      expect(await storage.wishes.begin(alice, 'w3', begins)).toMatchObject({ isToldElsewhere: true })
      for (const id of ['w1', 'w2']) await send(storage, apart(id))
      await settle(storage, 'w1')
      clock.now += leaseMs
      await other.wishes.endLapsed()
      await other.wishes.leaveUntold('T1', 'w2')
      await other.sends.markDoubtTold('T1', 'w2')

      expect(await storage.sends.settle(key('w2'), granted)).toMatchObject({ wasDoubted: true })
      expect(await storage.wishes.settle('T1', 'w2', tells)).toBe(false)

      clock.now += 1_000_000
      expect(await other.wishes.claimUntold(30_000)).toEqual([])
      expect(await found(other, 'w2')).toMatchObject({ sends: [{ outcome: granted, wasDoubted: true }] })
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
