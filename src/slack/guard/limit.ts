// Limit of what one person may ask for in a minute: each request is charged, and whoever has nothing left has to wait. Each
// process counts for itself.
import { LRUCache } from 'lru-cache'
import type { Clock, SlackUser } from '../ids.ts'

/** Somebody has to wait. */
export interface HeldBack {
  /** Until they may ask again; at least 1. */
  readonly seconds: number
  /** So many requests a minute are theirs. */
  readonly perMinute: number
  /** False when they were told a moment ago: an answer to each would be as much again. */
  readonly isToBeTold: boolean
}

export interface Limit {
  /** Charges them one request; undefined when they had that left. */
  charge(person: Pick<SlackUser, 'userId'>): HeldBack | undefined
  /** For what is dropped without a word: false when they had nothing left. */
  chargeSilently(person: Pick<SlackUser, 'userId'>): boolean
}

/** Whoever is pushed out by so many others starts with a full minute again. */
const mostPeople = 10_000
const toldEveryMs = 20_000
const minuteMs = 60_000

/** @param perMinute - 0 sets no limit. */
export function createLimit(perMinute: number, now: Clock): Limit {
  // `max` would take room for all of them at the start.
  const people = new LRUCache<string, { left: number; at: number; toldAt: number }>({
    maxSize: mostPeople,
    sizeCalculation: () => 1,
  })

  function charge({ userId }: Pick<SlackUser, 'userId'>): HeldBack | undefined {
    if (perMinute === 0) return undefined
    const at = now()
    const before = people.get(userId) ?? { left: perMinute, at, toldAt: Number.NEGATIVE_INFINITY }
    // A clock that is set back gives nothing.
    const since = Math.max(0, at - before.at)
    const left = Math.min(perMinute, before.left + (since / minuteMs) * perMinute)
    const isCharged = left >= 1
    const isToBeTold = !isCharged && Math.abs(at - before.toldAt) >= toldEveryMs
    people.set(userId, { left: isCharged ? left - 1 : left, at, toldAt: isToBeTold ? at : before.toldAt })
    if (isCharged) return undefined
    return { seconds: Math.max(1, Math.ceil(((1 - left) / perMinute) * 60)), perMinute, isToBeTold }
  }

  return { charge, chargeSilently: (person) => charge(person) === undefined }
}

/** Plain text. @param nothing - What was not done: “Nothing was sent.” */
export function tooFastSentence(nothing: string, { seconds, perMinute }: HeldBack): string {
  const again = `in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
  const rate = `Bellhop takes ${perMinute} ${perMinute === 1 ? 'request' : 'requests'} a minute from each person`
  return `${nothing} Try again ${again}: ${rate}.`
}
