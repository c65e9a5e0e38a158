// The limit on how much one person may ask for in a minute: each request is charged, and whoever has nothing left has to
// wait. Each process counts for itself.
import { LRUCache } from 'lru-cache'
import { type Clock, personKey, type SlackUser } from '../ids.ts'

/** Somebody has to wait. */
export interface HeldBack {
  /** Until they may ask again; at least 1. */
  readonly seconds: number
  /** False when they were told a moment ago: an answer to each would be as much again. */
  readonly isToBeTold: boolean
}

export interface PersonLimit {
  readonly perMinute: number
  /** Charges them one request; undefined when they had that left. */
  charge(person: SlackUser): HeldBack | undefined
}

/** Whoever is pushed out by so many others starts with a full minute again. */
const mostPeople = 10_000
const toldEveryMs = 20_000
const minuteMs = 60_000

/** @param room.perMinute - 0 sets no limit. */
export function createPersonLimit(room: {
  readonly perMinute: number
  readonly now: Clock
  readonly most?: number
}): PersonLimit {
  const { perMinute, now, most = mostPeople } = room
  // `max` would take room for all of them at the start.
  const people = new LRUCache<string, { left: number; at: number; toldAt: number }>({
    maxSize: most,
    sizeCalculation: () => 1,
  })

  return {
    perMinute,
    charge(person) {
      if (perMinute === 0) return undefined
      const at = now()
      const key = personKey(person)
      const before = people.get(key) ?? { left: perMinute, at, toldAt: Number.NEGATIVE_INFINITY }
      // A clock that is set back gives nothing.
      const since = Math.max(0, at - before.at)
      const left = Math.min(perMinute, before.left + (since / minuteMs) * perMinute)
      const isCharged = left >= 1
      const isToBeTold = !isCharged && Math.abs(at - before.toldAt) >= toldEveryMs
      people.set(key, { left: isCharged ? left - 1 : left, at, toldAt: isToBeTold ? at : before.toldAt })
      if (isCharged) return undefined
      return { seconds: Math.max(1, Math.ceil(((1 - left) / perMinute) * 60)), isToBeTold }
    },
  }
}
