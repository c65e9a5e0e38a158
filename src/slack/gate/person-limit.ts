// Limit on how much one person may ask for in a minute, of all processes together.
import type { SlackUser } from '../ids.ts'
import type { Decision, Take } from './person-buckets.ts'

/** Somebody has to wait. */
export interface HeldBack {
  /** Until the same may be asked again and is taken; at least 1. */
  readonly seconds: number
  /** False when they were told a moment ago: an answer to each would be as much again. */
  readonly isToBeTold: boolean
}

/** Whoever decides does so within a third of a second, and never rejects. */
export interface PersonLimit {
  readonly perMinute: number
  /** Takes one request of theirs; undefined when there was room for it. */
  take(person: SlackUser): Promise<HeldBack | undefined>
  /**
   * Takes what one request asks for on top: a wish for 20 people is 20. A full minute's worth is enough for any; what
   * is above it has to be waited for afterwards.
   */
  takeMore(person: SlackUser, more: number): Promise<HeldBack | undefined>
}

/** Where the operator sets none. */
export const noLimit: PersonLimit = {
  perMinute: 0,
  take: async () => undefined,
  takeMore: async () => undefined,
}

/**
 * @param room.perMinute - Above 0.
 * @param room.decide - Never rejects.
 * @param room.onHeldBack - Each time somebody has to wait.
 */
export function createPersonLimit(room: {
  readonly perMinute: number
  readonly decide: (person: SlackUser, take: Take) => Promise<Decision>
  readonly onHeldBack?: () => void
}): PersonLimit {
  const { perMinute, decide, onHeldBack } = room

  /** @param anew - What is needed when it is asked again. */
  async function take(person: SlackUser, asked: Take, anew = asked.needed): Promise<HeldBack | undefined> {
    const decision = await decide(person, asked)
    if (decision.isTaken) return undefined
    onHeldBack?.()
    const { left, isToBeTold } = decision
    return { seconds: Math.max(1, Math.ceil(((anew - left) / perMinute) * 60)), isToBeTold }
  }

  return {
    perMinute,
    take: (person) => take(person, { cost: 1, needed: 1 }),
    async takeMore(person, more) {
      if (more <= 0) return undefined
      // The request itself is taken already; the one that asks again is not.
      const needed = Math.min(more, perMinute - 1)
      return take(person, { cost: more, needed }, needed + 1)
    },
  }
}
