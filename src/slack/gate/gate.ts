// Bounds of how much comes in at a time, of one person and of all together. Whoever cannot come in is told so at once,
// cheaply.
import type { Log } from '../../log/log.ts'
import { requestNow } from '../../log/request.ts'
import type { Work } from '../../work/under-way.ts'
import type { SlackUser } from '../ids.ts'
import type { SlackObserver } from '../observer.ts'
import type { Delivery, Place } from '../outbound/delivery.ts'
import { say } from '../outbound/message.ts'
import { type About, aboutOf, type Topic, type UndoneWords } from '../topics.ts'
import { tooBusy, tooFast } from './not-begun.ts'
import type { PersonLimit } from './person-limit.ts'

/** Why somebody cannot come in, in a sentence. */
export interface Closed {
  readonly sentence: string
  readonly isToBeTold: boolean
}

export interface Gate {
  /**
   * The sentence, when as much is under way as this process takes.
   * @param isLenient - It takes something back or away, or changes nothing, and comes in for longer.
   * @param own - How much of that is this request itself: an event is work from the beginning.
   */
  busy(asked: Topic, isLenient: boolean, own?: 0 | 1): string | undefined
  /** Why this person has to wait; undefined when they need not. Counts the request. */
  tooFast(asked: Topic, person: SlackUser): Promise<Closed | undefined>
  /** For events that are dropped without a word, as nobody waits for them: false when one is. Counts the request. */
  admits(person: SlackUser): Promise<boolean>
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
/** People who are being told that they cannot come in. */
const mostTold = 100

export function createGate(room: {
  readonly work: Pick<Work, 'size' | 'waiting'>
  readonly limit: PersonLimit
  readonly delivery: Pick<Delivery, 'privately'>
  readonly observer: SlackObserver
  readonly undone: Readonly<Record<About, UndoneWords>>
  readonly log: Log
  /** Work under way at which others are sent away. */
  readonly most: number
}): Gate {
  const { work, limit, delivery, observer, undone, log, most } = room
  let told = 0

  function isFull(places: number, own: 0 | 1): boolean {
    return work.size() - own >= places || work.waiting() >= mostWaitingEach * places
  }

  function note(asked: Topic, outcome: 'busy' | 'limited'): void {
    const request = requestNow()
    if (request === undefined) return
    request.asked = aboutOf[asked]
    request.outcome = outcome
  }

  return {
    busy(asked, isLenient, own = 0) {
      if (!isFull(isLenient ? 2 * most : most, own)) return undefined
      observer.heldBack('busy')
      note(asked, 'busy')
      return tooBusy(undone[aboutOf[asked]])
    },
    async tooFast(asked, person) {
      const held = await limit.take(person)
      if (held === undefined) return undefined
      note(asked, 'limited')
      const sentence = tooFast(undone[aboutOf[asked]], limit.perMinute, held)
      return { sentence, isToBeTold: held.isToBeTold }
    },
    admits: async (person) => !isFull(most, 1) && (await limit.take(person)) === undefined,
    async tell(place, sentence) {
      if (told >= mostTold) return
      told += 1
      try {
        await delivery.privately(place, say(sentence))
      } catch (error) {
        log.warn({ err: error }, 'somebody could not be told to try again later')
      } finally {
        told -= 1
      }
    },
  }
}
