// Limit on how much one person may ask for in a minute: each request is charged, and whoever has nothing left has to
// wait. `decide` counts: `count-together.ts` does where several processes share the database.

import type { SlackUser } from '../ids.ts'

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
  /** Charges them one request; undefined when they had that left. */
  charge(person: SlackUser): Promise<HeldBack | undefined>
  /**
   * Charges what one request asks for on top: a wish for 20 people is 20. A full minute's worth is enough for any; what
   * is above it has to be waited for afterwards.
   */
  chargeMore(person: SlackUser, more: number): Promise<HeldBack | undefined>
}

/** Where the operator sets none. */
export const noLimit: PersonLimit = {
  perMinute: 0,
  charge: async () => undefined,
  chargeMore: async () => undefined,
}

/**
 * @param room.perMinute - Above 0.
 * @param room.decide - Never rejects.
 * @param room.onHeldBack - Each time somebody has to wait.
 */
export function createPersonLimit(room: {
  readonly perMinute: number
  readonly decide: (person: SlackUser, price: Price) => Promise<Decision>
  readonly onHeldBack?: () => void
}): PersonLimit {
  const { perMinute, decide, onHeldBack } = room

  /** @param anew - What is needed when it is asked again. */
  async function pay(person: SlackUser, price: Price, anew = price.needed): Promise<HeldBack | undefined> {
    const decision = await decide(person, price)
    if (decision.isCharged) return undefined
    onHeldBack?.()
    const { left, isToBeTold } = decision
    return { seconds: Math.max(1, Math.ceil(((anew - left) / perMinute) * 60)), isToBeTold }
  }

  return {
    perMinute,
    charge: (person) => pay(person, { cost: 1, needed: 1 }),
    async chargeMore(person, more) {
      if (more <= 0) return undefined
      // The request itself is charged already; the one that asks again is not.
      const needed = Math.min(more, perMinute - 1)
      return pay(person, { cost: more, needed }, needed + 1)
    },
  }
}

/** What something takes from a bucket. */
export interface Price {
  readonly cost: number
  /** What has to be left: less than `cost` where some of it is waited for afterwards. */
  readonly needed: number
}

/** `left`: too little for it, so that nothing was charged. */
export type Decision =
  | { readonly isCharged: true }
  | { readonly isCharged: false; readonly left: number; readonly isToBeTold: boolean }
