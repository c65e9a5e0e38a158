// The contract of later looks: what is noted before a write is sent, what becomes of a write whose sender died, and what a
// later look finds, told to whoever was told a doubt.
import { describe, expect, it } from 'vitest'
import { lapsed, type Settled } from '../../src/send/outcome.ts'
import type { NotedBefore, PeopleLook } from '../../src/send/proof.ts'
import type { DueLook, KeptWish } from '../../src/send/wishes.ts'
import type { CloseAlert, Write } from '../../src/send/writes.ts'
import type { Storage } from '../../src/storage/storage.ts'
import type { OpenPair, Pair } from './pair.ts'

const alice = { workspaceId: 'T1', userId: 'U1' }
const leaseMs = 15_000
const lookInMs = 30_000
const key = { workspaceId: 'T1', wishId: 'w', n: 1 }
const before: NotedBefore = { ownerId: 7, isClosed: false, alike: 1, ofKind: 2 }
const notSeen: Settled = { kind: 'uncertain', doubt: 'not-seen' }
const seen: Settled = { kind: 'done', on: 'seen' }
const close: CloseAlert = {
  ...{ kind: 'close', ks: 'k1', message: 'Rotated the logs', isSolution: true },
  ...{ shown: { ownerId: null, isClosed: false }, senderId: 7, cardId: 'c1' },
}

/** Under way, with nothing noted. */
async function begin({ wishes, sends }: Storage, writes: readonly Write[] = [close]): Promise<void> {
  await wishes.keep({ id: 'w', sender: alice, writes, channelId: 'C1' })
  await wishes.begin(alice, 'w', { leaseMs, askedAfter: 0 })
  for (const index of writes.keys()) {
    const send = { ...key, n: index + 1 }
    expect(await sends.begin(alice, send, { leaseMs, joinableMs: 10_000 })).toEqual({ kind: 'begun' })
  }
}

/** Sent and not seen: its sender tells the doubt. */
async function doubt(storage: Storage): Promise<KeptWish> {
  const { wishes, sends } = storage
  await begin(storage)
  await sends.noteBefore(key, before)
  await sends.settle(key, notSeen, { tellingMs: leaseMs, lookInMs })
  expect(await wishes.settle('T1', 'w', { tellingMs: leaseMs, corrects: false })).toBe(true)
  return found(storage)
}

async function found({ wishes }: Storage): Promise<KeptWish> {
  const wish = await wishes.find('T1', 'w')
  if (wish === undefined) throw new Error('nothing is kept')
  return wish
}

async function claimed({ looks }: Storage): Promise<DueLook> {
  const [due, ...more] = await looks.claim(leaseMs)
  if (due === undefined || more.length > 0) throw new Error('one look is not what is due')
  return due
}

async function untold({ wishes }: Storage): Promise<KeptWish | undefined> {
  return (await wishes.claimUntold(leaseMs))[0]
}

/** Falls silent, and is ended by others. */
async function lapse({ other, clock }: Pair): Promise<void> {
  clock.now += leaseMs
  await other.wishes.endLapsed()
}

export function looksContract(open: OpenPair): void {
  describe('a write about an alert', () => {
    it.each<Write>([
      close,
      { ...close, kind: 'comment' },
      { ...close, kind: 'assign', ownerId: 7 },
      {
        kind: 'close',
        ks: 'k',
        message: '',
        isSolution: false,
        shown: undefined,
        senderId: undefined,
        cardId: undefined,
      },
    ])('is kept as it was asked (%#)', async (write) => {
      const { storage, other } = await open()
      await begin(storage, [write])
      expect((await found(other)).sends[0]?.write).toMatchObject(
        write.kind === 'close' ? write : { ks: 'k1' },
      )
      expect((await found(other)).sends[0]?.write.kind).toBe(write.kind)
    })

    it('whose sender fell silent before it noted anything was certainly never sent, nor will be', async () => {
      const pair = await open()
      const { storage, other } = pair
      await begin(storage)

      await lapse(pair)

      expect(await storage.sends.noteBefore(key, before)).toBe(false)
      expect(await untold(other)).toMatchObject({
        state: 'settled',
        sends: [{ outcome: { kind: 'not-sent' } }],
      })
      expect(await other.looks.claim(leaseMs)).toEqual([])
    })

    it.each<NotedBefore>([before, 'unreadable'])(
      'whose sender fell silent afterwards is looked at, at once (%#)',
      async (noted) => {
        const pair = await open()
        const { storage, other } = pair
        await begin(storage)
        expect(await storage.sends.noteBefore(key, noted)).toBe(true)

        await lapse(pair)

        const due = { ...key, sender: alice, write: close, before: noted, outcome: lapsed, looks: 0 }
        expect(await other.looks.of('T1', 'w')).toEqual([due])
        expect(await other.looks.claim(leaseMs)).toEqual([due])
      },
    )

    it('lives as long as its sender renews the wish', async () => {
      const pair = await open()
      const { storage, clock } = pair
      await begin(storage)
      clock.now += leaseMs - 1
      await storage.wishes.renew('T1', 'w', leaseMs)

      await lapse({ ...pair, clock: { now: clock.now } })

      clock.now += 1
      await pair.other.wishes.endLapsed()
      expect(await storage.sends.noteBefore(key, before)).toBe(true)
    })

    it('that is settled by its sender after all needs no look any more', async () => {
      const pair = await open()
      const { storage, other } = pair
      await begin(storage)
      await storage.sends.noteBefore(key, before)
      await lapse(pair)

      await storage.sends.settle(key, seen, { tellingMs: leaseMs })

      expect(await other.looks.claim(leaseMs)).toEqual([])
      expect(await other.looks.of('T1', 'w')).toEqual([])
    })

    it('that failed, or was never to be looked at, is not', async () => {
      const { storage, clock } = await open()
      await begin(storage, [close, { ...close, ks: 'k2' }])
      await storage.sends.noteBefore(key, before)
      await storage.sends.settle(key, { kind: 'not-done', code: 'forbidden' }, { tellingMs: leaseMs })
      await storage.sends.settle({ ...key, n: 2 }, notSeen)
      clock.now += 1_000_000
      expect(await storage.looks.claim(leaseMs)).toEqual([])
    })
  })

  describe('adding somebody', () => {
    it('is sent with nothing noted: it is a doubt when its sender fell silent, and looked at before that is told', async () => {
      const pair = await open()
      const { storage, other } = pair
      const dave = { containerId: 12, email: 'dave@example.com', authProvider: undefined, member: false }
      await begin(storage, [{ kind: 'add-user', ...dave, permissions: ['READ'] }])

      await lapse(pair)

      expect((await found(other)).sends).toMatchObject([{ outcome: lapsed, isLookedAtLater: true }])
      expect(await other.looks.claim(leaseMs)).toMatchObject([
        { before: undefined, outcome: lapsed, looks: 0 },
      ])
    })
  })

  describe('somebody who may have been added', () => {
    const dave: Write = {
      ...{ kind: 'add-user', containerId: 12, email: 'dave@example.com', authProvider: undefined },
      ...{ member: true, permissions: ['READ'] },
    }
    const timedOut: Settled = { kind: 'uncertain', doubt: 'timed-out' }
    const look: PeopleLook = { saw: 'absent', at: 1_700_000_000_000 }

    async function doubted(storage: Storage, isToldElsewhere: boolean): Promise<void> {
      const { wishes, sends } = storage
      await wishes.keep({ id: 'w', sender: alice, writes: [dave], channelId: undefined, isToldElsewhere })
      await wishes.begin(alice, 'w', { leaseMs, askedAfter: 0 })
      await sends.begin(alice, key, { leaseMs, joinableMs: 10_000 })
      await sends.settle(key, timedOut, { tellingMs: leaseMs, lookInMs, look })
      await wishes.settle('T1', 'w', { tellingMs: leaseMs, corrects: false })
    }

    it('is kept with what was seen of them, until it is proved', async () => {
      const { storage, other, clock } = await open()
      await doubted(storage, false)
      expect((await found(other)).sends).toMatchObject([{ outcome: timedOut, look, isLookedAtLater: true }])
      clock.now += lookInMs
      const due = await claimed(other)
      expect(due).toMatchObject({ look, before: undefined })

      const later: PeopleLook = { saw: 'hidden', at: look.at + lookInMs }
      await other.looks.looked(due, { outcome: undefined, look: later, nextInMs: 90_000 })
      expect((await found(storage)).sends).toMatchObject([{ outcome: timedOut, look: later }])

      clock.now += 90_000
      await other.looks.looked(await claimed(other), { outcome: seen })
      const [send] = (await found(storage)).sends
      expect(send).toMatchObject({ outcome: seen })
      expect(send?.look).toBeUndefined()
      expect(send?.isLookedAtLater).toBeUndefined()
    })

    it('is no more owed where the service has no list any more', async () => {
      const { storage, other, clock } = await open()
      await doubted(storage, false)
      await storage.wishes.told(await found(storage))
      clock.now += lookInMs

      const off: PeopleLook = { saw: 'off', at: clock.now }
      await other.looks.looked(await claimed(other), { outcome: undefined, look: off })

      clock.now += 1_000_000
      expect(await untold(storage)).toBeUndefined()
      expect(await other.looks.claim(leaseMs)).toEqual([])
    })

    it('that is told elsewhere is owed to nobody here, and due until it is passed on', async () => {
      const { storage, other, clock } = await open()
      await doubted(storage, true)
      expect(await found(other)).toMatchObject({ isToldElsewhere: true })
      clock.now += lookInMs
      const due = await claimed(other)
      expect(await other.looks.toldElsewhere(due)).toEqual(['w'])

      expect(await other.looks.looked(due, { outcome: seen })).toBe(true)

      expect(await untold(storage)).toBeUndefined()
      expect(await storage.looks.claim(leaseMs)).toEqual([])
      clock.now += leaseMs
      expect(await claimed(storage)).toMatchObject({ outcome: seen })
      await storage.looks.passedOn(due)
      clock.now += 1_000_000
      expect(await storage.looks.claim(leaseMs)).toEqual([])
      expect(await untold(storage)).toBeUndefined()
    })

    it('in a wish that was joined by one that is told elsewhere is owed here, and due until that knows too', async () => {
      const { storage, other, clock } = await open()
      await doubted(storage, false)
      const approved = { id: 'a', sender: alice, writes: [dave], channelId: undefined, isToldElsewhere: true }
      await storage.wishes.keep(approved)
      await storage.wishes.begin(alice, 'a', { leaseMs, askedAfter: 0 })
      const joined = { ...key, wishId: 'a' }
      const of = { kind: 'joined', of: key }
      expect(await storage.sends.begin(alice, joined, { leaseMs, joinableMs: 10_000 })).toEqual(of)
      await storage.wishes.settle('T1', 'a', { tellingMs: leaseMs, corrects: false })
      await storage.wishes.told(await found(storage))
      clock.now += lookInMs
      const due = await claimed(other)
      expect(await storage.looks.toldElsewhere(due)).toEqual(['a'])

      expect(await other.looks.looked(due, { outcome: seen })).toBe(true)

      expect(await untold(storage)).toMatchObject({ id: 'w', sends: [{ outcome: seen, wasDoubted: true }] })
      clock.now += leaseMs
      expect(await claimed(storage)).toMatchObject({ ...key, outcome: seen })
      await storage.looks.passedOn(due)
      clock.now += 1_000_000
      expect(await storage.looks.claim(leaseMs)).toEqual([])
    })
  })

  describe('a doubt', () => {
    it('is looked at when its time has come, by one, and by another where that one falls silent', async () => {
      const { storage, other, clock } = await open()
      await doubt(storage)
      clock.now += lookInMs - 1
      expect(await storage.looks.claim(leaseMs)).toEqual([])
      expect(await storage.looks.of('T1', 'w')).toHaveLength(1)

      clock.now += 1
      const all = await Promise.all([storage, other, storage, other].map(({ looks }) => looks.claim(leaseMs)))
      expect(all.flat()).toEqual([
        { ...key, sender: alice, write: close, before, outcome: notSeen, looks: 0 },
      ])

      clock.now += leaseMs - 1
      expect(await other.looks.claim(leaseMs)).toEqual([])
      clock.now += 1
      expect(await other.looks.claim(leaseMs)).toHaveLength(1)
    })

    it('that was told gives way to what is seen, which is owed once', async () => {
      const { storage, other, clock } = await open()
      expect(await storage.wishes.told(await doubt(storage))).toBe(true)
      clock.now += lookInMs
      const due = await claimed(other)

      const looked = [storage, other].map(({ looks }) => looks.looked(due, { outcome: seen }))
      expect((await Promise.all(looked)).toSorted()).toEqual([false, true])

      const owed = await untold(storage)
      expect(owed?.sends).toMatchObject([{ outcome: seen, wasDoubted: true }])
      if (owed === undefined) return
      expect(await other.wishes.told(owed)).toBe(true)
      clock.now += 1_000_000
      expect(await untold(storage)).toBeUndefined()
      expect(await storage.looks.claim(leaseMs)).toEqual([])
    })

    it('that gives way before it was told is not told any more: what was seen is', async () => {
      const { storage, other, clock } = await open()
      const doubted = await doubt(storage)
      clock.now += lookInMs
      await other.looks.looked(await claimed(other), { outcome: seen })

      expect(await storage.wishes.told(doubted)).toBe(false)

      expect((await untold(other))?.sends).toMatchObject([{ outcome: seen, wasDoubted: false }])
    })

    it('that is told after what took its place owes that once more: the truth is told last', async () => {
      const { storage, other, clock } = await open()
      // Whoever tells it falls silent.
      const doubted = await doubt(storage)
      clock.now += lookInMs
      await other.looks.looked(await claimed(other), { outcome: seen })
      const owed = await untold(other)
      if (owed === undefined) throw new Error('nothing is owed')
      expect(await other.wishes.told(owed)).toBe(true)

      expect(await storage.wishes.told(doubted)).toBe(false)

      const again = await untold(other)
      expect(again?.sends).toMatchObject([{ outcome: seen }])
      if (again === undefined) return
      expect(await other.wishes.told(again)).toBe(true)
      clock.now += 1_000_000
      expect(await untold(storage)).toBeUndefined()
    })

    it('is either told and owed anew, or not told, whoever comes first', async () => {
      const { storage, other, clock } = await open()
      const doubted = await doubt(storage)
      clock.now += lookInMs
      const due = await claimed(other)

      await Promise.all([storage.wishes.told(doubted), other.looks.looked(due, { outcome: seen })])

      clock.now += leaseMs
      expect((await untold(storage))?.sends).toMatchObject([{ outcome: seen }])
    })

    it('stands after a look that sees nothing, is not owed, and is looked at again', async () => {
      const { storage, other, clock } = await open()
      await storage.wishes.told(await doubt(storage))
      clock.now += lookInMs

      expect(await other.looks.looked(await claimed(other), { outcome: undefined, nextInMs: 90_000 })).toBe(
        true,
      )

      clock.now += 89_999
      expect(await untold(storage)).toBeUndefined()
      expect(await other.looks.claim(leaseMs)).toEqual([])
      clock.now += 1
      expect(await other.looks.claim(leaseMs)).toMatchObject([{ outcome: notSeen, looks: 1 }])
    })

    it('is owed once more after the last look, and never looked at again', async () => {
      const { storage, other, clock } = await open()
      await storage.wishes.told(await doubt(storage))
      clock.now += lookInMs

      await other.looks.looked(await claimed(other), { outcome: undefined })

      const owed = await untold(storage)
      expect(owed?.sends).toMatchObject([{ outcome: notSeen }])
      if (owed === undefined) return
      expect(await storage.wishes.told(owed)).toBe(true)
      clock.now += 1_000_000
      expect(await other.looks.claim(leaseMs)).toEqual([])
      expect(await untold(storage)).toBeUndefined()
    })

    it('is looked at between times without losing its time, and without being owed', async () => {
      const { storage, other, clock } = await open()
      await storage.wishes.told(await doubt(storage))
      const [waiting] = await other.looks.of('T1', 'w')
      if (waiting === undefined) throw new Error('nobody looks at it')

      expect(await other.looks.looked(waiting, { outcome: undefined, keepsTime: true })).toBe(true)

      expect(await untold(storage)).toBeUndefined()
      clock.now += lookInMs
      expect(await other.looks.claim(leaseMs)).toMatchObject([{ outcome: notSeen, looks: 0 }])
    })

    it.each([seen, { kind: 'uncertain', doubt: 'not-readable' } as const])(
      'that a look between times ends as $kind was looked for, so that what is recorded is a correction',
      async (outcome) => {
        const { storage, other } = await open()
        await doubt(storage)
        const [waiting] = await other.looks.of('T1', 'w')
        if (waiting === undefined) throw new Error('nobody looks at it')

        await other.looks.looked(waiting, { outcome, keepsTime: true })

        const { sends = [] } = (await storage.wishes.find('T1', 'w')) ?? {}
        expect(sends).toMatchObject([{ outcome, wasLookedFor: true }])
      },
    )

    it('can be looked at after the last look, and what is seen is owed once its teller had its time', async () => {
      const { storage, other, clock } = await open()
      await storage.wishes.told(await doubt(storage))
      clock.now += lookInMs
      await other.looks.looked(await claimed(other), { outcome: undefined })
      await storage.wishes.told(await found(storage))
      expect(await storage.looks.of('T1', 'w')).toEqual([])
      const [known] = await storage.looks.of('T1', 'w', 'all')
      if (known === undefined) throw new Error('it is no doubt any more')

      const proved = { outcome: seen, keepsTime: true, tellingMs: leaseMs }
      const looked = [storage, other].map(({ looks }) => looks.looked(known, proved))
      expect((await Promise.all(looked)).toSorted()).toEqual([false, true])

      expect(await untold(storage)).toBeUndefined()
      expect(await storage.looks.of('T1', 'w', 'all')).toEqual([])
      clock.now += leaseMs
      expect((await untold(storage))?.sends).toMatchObject([{ outcome: seen, wasDoubted: true }])
    })

    it('of a sender that came back is not overwritten by a look that began before', async () => {
      const pair = await open()
      const { storage, other } = pair
      await begin(storage)
      await storage.sends.noteBefore(key, before)
      await lapse(pair)
      const due = await claimed(other)
      await storage.sends.settle(key, { kind: 'done', on: 'by-another' }, { tellingMs: leaseMs })

      expect(await other.looks.looked(due, { outcome: seen })).toBe(false)

      expect((await found(other)).sends).toMatchObject([{ outcome: { kind: 'done', on: 'by-another' } }])
    })
  })
}
