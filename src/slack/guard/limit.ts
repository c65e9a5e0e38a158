// Limit of what one person may ask for in a minute: each request is charged, and whoever has nothing left has to wait. Each
// process counts for itself.
import { LRUCache } from 'lru-cache'
import type { Clock, SlackUser } from '../ids.ts'

/** Whoever is pushed out by so many others starts with a full minute again. */
const mostPeople = 1_000
const minuteMs = 60_000

/** @param perMinute - 0 sets no limit. */
export function createLimit(perMinute: number, now: Clock) {
  const people = new LRUCache<string, { readonly left: number; readonly at: number }>({ max: mostPeople })

  return {
    /** Charges them one request. @returns In how many seconds they may ask again; 0 when they had it left. */
    charge({ userId }: Pick<SlackUser, 'userId'>): number {
      if (perMinute === 0) return 0
      const at = now()
      const before = people.get(userId) ?? { left: perMinute, at }
      // A clock that is set back gives nothing.
      const since = Math.max(0, at - before.at)
      const left = Math.min(perMinute, before.left + (since / minuteMs) * perMinute)
      people.set(userId, { left: left >= 1 ? left - 1 : left, at })
      return left >= 1 ? 0 : Math.ceil(((1 - left) / perMinute) * 60)
    },
  }
}

/** Plain text. @param nothing - What was not done: “Nothing was sent.” */
export function tooFastSentence(nothing: string, seconds: number, perMinute: number): string {
  return `${nothing} Try again in ${seconds} s: Bellhop takes ${perMinute} requests a minute from each person.`
}
