import { describe, expect, it } from 'vitest'
import { createTiming } from '../../src/watch/poller.ts'
import type { LiveCard } from '../../src/watch/watches.ts'
import { card, shown } from '../storage/watch-samples.ts'

const intervalMs = 30_000
const earliest = createTiming(intervalMs, () => 0)
const middle = createTiming(intervalMs, () => 0.5)
const latest = createTiming(intervalMs, () => 1)

const live: LiveCard = {
  workspaceId: 'T1',
  cardId: 'c1',
  since: 1,
  posted: { channelId: 'C1', ts: '1.2' },
  card: card('c1'),
  watchers: [],
  shown,
  seen: undefined,
  readMsAgo: intervalMs,
  drawnMsAgo: intervalMs,
  lateMs: 0,
  askInMs: 0,
  failures: 0,
  pokes: 0,
}

describe('the next look at a live card', () => {
  it('comes an interval later, a twentieth sooner or later by chance, so that cards do not stay together', () => {
    expect(earliest.next(live, 0)).toBe(28_500)
    expect(middle.next(live, 0)).toBe(30_000)
    expect(latest.next(live, 0)).toBe(31_500)
  })

  it('makes up for small delays, and does not hurry after great ones', () => {
    expect(middle.next({ ...live, lateMs: 400 }, 600)).toBe(29_000)
    expect(middle.next({ ...live, lateMs: 100_000 }, 0)).toBe(30_000)
  })

  it('comes later with each failure, within ten minutes', () => {
    const marked = { ...live, shown: { ...shown, isOverdue: true } }
    const waits = [0, 1, 2, 3, 4, 9].map((failures) => middle.afterFailure({ ...marked, failures }))
    expect(waits).toEqual([60_000, 120_000, 240_000, 480_000, 600_000, 600_000])
  })

  it('comes when the card becomes overdue, if that is sooner, to mark it', () => {
    expect(middle.afterFailure({ ...live, failures: 5, readMsAgo: 90_000 })).toBe(30_000)
    expect(middle.isOverdue({ ...live, readMsAgo: 119_999 })).toBe(false)
    expect(middle.isOverdue({ ...live, readMsAgo: 120_000 })).toBe(true)
    expect(middle.isOverdue({ ...live, readMsAgo: undefined })).toBe(false)
  })
})
