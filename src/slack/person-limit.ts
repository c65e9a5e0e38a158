// How much one person may ask for in a minute: a bucket of tokens each, in memory, in this process alone.
import { LRUCache } from 'lru-cache'
import { type Clock, personKey, type SlackUser } from './ids.ts'

/** Somebody has to wait. */
export interface HeldBack {
  /** Until the next request is taken; at least 1. */
  readonly seconds: number
  /** False when they were told a moment ago: an answer to each would be as much again. */
  readonly isToBeTold: boolean
}

export interface PersonLimit {
  readonly perMinute: number
  /** Takes one request of theirs; undefined when there was room for it. */
  take(person: SlackUser): HeldBack | undefined
  /**
   * Takes what one request asks for on top: a wish for 20 people is 20. A full minute's worth is enough for any; what
   * is above it has to be waited for afterwards.
   */
  takeMore(person: SlackUser, more: number): HeldBack | undefined
}

/** Whoever is pushed out by so many others starts with a full bucket again. */
const mostPeople = 10_000
const toldEveryMs = 20_000
const minuteMs = 60_000

interface Bucket {
  /** Below 0 when more was taken than there was. */
  readonly left: number
  readonly at: number
  readonly toldAt: number
}

/**
 * @param room.perMinute - 0 sets no limit.
 * @param room.most - People who are remembered.
 * @param room.onHeldBack - Each time somebody has to wait.
 */
export function createPersonLimit(room: {
  readonly perMinute: number
  readonly now: Clock
  readonly most?: number
  readonly onHeldBack?: () => void
}): PersonLimit {
  const { perMinute, now, most = mostPeople, onHeldBack } = room
  if (perMinute === 0) return { perMinute, take: () => undefined, takeMore: () => undefined }
  const buckets = new LRUCache<string, Bucket>({ max: most })

  function take(person: SlackUser, cost: number, needed: number): HeldBack | undefined {
    const key = personKey(person)
    const at = now()
    const before = buckets.get(key) ?? { left: perMinute, at, toldAt: Number.NEGATIVE_INFINITY }
    // A clock that was set back gives nothing, and takes nothing.
    const earned = (Math.max(0, at - before.at) / minuteMs) * perMinute
    const left = Math.min(perMinute, before.left + earned)
    if (left >= needed) {
      buckets.set(key, { ...before, left: left - cost, at })
      return undefined
    }
    onHeldBack?.()
    const isToBeTold = at - before.toldAt >= toldEveryMs || at < before.toldAt
    buckets.set(key, { left, at, toldAt: isToBeTold ? at : before.toldAt })
    return { seconds: Math.max(1, Math.ceil(((needed - left) / perMinute) * 60)), isToBeTold }
  }

  return {
    perMinute,
    take: (person) => take(person, 1, 1),
    // The request itself is taken already.
    takeMore: (person, more) => (more <= 0 ? undefined : take(person, more, Math.min(more, perMinute - 1))),
  }
}
