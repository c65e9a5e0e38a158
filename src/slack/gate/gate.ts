// Bounds of how much comes in at a time, from one person and from all together. Whoever is turned down is told so at once,
// cheaply.
import type { Log } from '../../log/log.ts'
import { endsAs, isAbout } from '../../log/request.ts'
import type { Work } from '../../work/under-way.ts'
import type { Clock, SlackUser } from '../ids.ts'
import type { SlackObserver } from '../observer.ts'
import type { Delivery, Place } from '../outbound/delivery.ts'
import { say } from '../outbound/message.ts'
import { type About, aboutOf, type Topic, type UndoneWords } from '../request-topics.ts'
import { createBuckets, type Decision, mostBuckets, type Price } from './buckets.ts'
import { tooBusySentence, tooFastSentence } from './not-begun.ts'

/** Somebody who asks too fast, and why that is so in a sentence. */
export interface TurnedDown {
  readonly sentence: string
  /** False when they were told a moment ago. */
  readonly isToBeTold: boolean
}

export interface Gate {
  /**
   * Turns a request down when as much is under way as this process takes, and notes that.
   * @param isPreferred - It takes something back or away, or changes nothing, and comes in while twice as much is.
   * @param own - How much of that is this request itself: an event is work from the beginning.
   * @returns The sentence for whoever asked; undefined when there is room.
   */
  turnDownIfBusy(topic: Topic, isPreferred: boolean, own?: 0 | 1): string | undefined
  /** Charges this person one request; undefined when they had that left. */
  charge(topic: Topic, person: SlackUser): Promise<TurnedDown | undefined>
  /**
   * Charges this person an event that may be dropped without a word, as nobody waits for it. False when it has to be:
   * too much is under way, or they ask too fast.
   */
  chargeSilently(person: SlackUser): Promise<boolean>
  /**
   * Charges this person a key that they typed where Bellhop suggests, which is no request of theirs: for those there is a
   * limit of their own, above what anybody types. False when they are over it.
   */
  chargeKey(topic: Topic, person: SlackUser): boolean
  /** Tells somebody, unless very many are being told. Never rejects. */
  tell(place: Place, sentence: string): Promise<void>
}

/** Work under way in one process. */
export const mostWork = 500
/**
 * To each piece of work that does something, so many that only wait until Slack takes messages again: such a one holds no
 * connection, and of memory its request and the message that waits, some ten kilobytes.
 */
const mostWaitingEach = 4
/** Slack waits for a pause in the typing before it asks; each process counts for itself. */
const keysPerMinute = 120
/** People who are being told, at once, that they were turned down. */
const mostTelling = 100

export function createGate(room: {
  readonly work: Pick<Work, 'size' | 'waiting'>
  readonly limit: PersonLimit
  readonly delivery: Pick<Delivery, 'privately'>
  readonly observer: SlackObserver
  readonly undone: Readonly<Record<About, UndoneWords>>
  readonly log: Log
  readonly now: Clock
  /** Work under way at which requests are turned down. */
  readonly most: number
}): Gate {
  const { work, limit, delivery, observer, undone, log, now, most } = room
  const keys = createBuckets({ perMinute: keysPerMinute, now, most: mostBuckets })
  let telling = 0

  function isFull(places: number, own: 0 | 1): boolean {
    return work.size() - own >= places || work.waiting() >= mostWaitingEach * places
  }

  function note(topic: Topic, outcome: 'busy' | 'limited'): void {
    isAbout(aboutOf[topic])
    endsAs(outcome)
  }

  return {
    turnDownIfBusy(topic, isPreferred, own = 0) {
      if (!isFull(isPreferred ? 2 * most : most, own)) return undefined
      observer.heldBack('busy')
      note(topic, 'busy')
      return tooBusySentence(undone[aboutOf[topic]])
    },
    async charge(topic, person) {
      const held = await limit.charge(person)
      if (held === undefined) return undefined
      note(topic, 'limited')
      const sentence = tooFastSentence(undone[aboutOf[topic]], limit.perMinute, held)
      return { sentence, isToBeTold: held.isToBeTold }
    },
    chargeKey(topic, person) {
      const { isCharged } = keys.charge(person, { cost: 1, needed: 1 })
      if (!isCharged) note(topic, 'limited')
      return isCharged
    },
    chargeSilently: async (person) => !isFull(most, 1) && (await limit.charge(person)) === undefined,
    async tell(place, sentence) {
      if (telling >= mostTelling) return
      telling += 1
      try {
        await delivery.privately(place, say(sentence))
      } catch (error) {
        log.warn({ err: error }, 'could not tell somebody to try again later')
      } finally {
        telling -= 1
      }
    },
  }
}

/** Somebody has to wait. */
export interface HeldBack {
  /** Until the same may be asked again and is taken; at least 1. */
  readonly seconds: number
  /** False when they were told a moment ago: an answer to each would be as much again. */
  readonly isToBeTold: boolean
}

/**
 * Limit on how much one person may ask for in a minute: each request is charged, and whoever has nothing left has to wait.
 * Whoever decides does so within a third of a second, and never rejects.
 */
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
 * @param room.decide - Counts, in the buckets of people. Never rejects.
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
