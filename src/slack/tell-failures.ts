// Runs a listener, and tells the asker what went wrong when something does.
import { randomBytes } from 'node:crypto'
import { MonitorError, UserError } from '../errors.ts'
import type { Log } from '../log.ts'
import { type Asked, failureSentence, monitorSentence } from './error-message.ts'
import { say } from './message.ts'
import type { Delivery, Place } from './place.ts'
import { isSlackFailure, refusalOf } from './refusals.ts'
import type { Work } from './work.ts'

/**
 * Counts as work under way. Never rejects.
 * @param place - A function where it may be known better by the time that something fails.
 */
export type Run = (asked: Asked, place: Place | (() => Place), listen: () => Promise<void>) => Promise<void>

export function createRun(room: {
  readonly delivery: Delivery
  readonly work: Work
  readonly log: Log
}): Run {
  const { delivery, work, log } = room

  function sentenceFor(error: unknown, asked: Asked, reference: string): string {
    if (error instanceof UserError) return error.message
    if (error instanceof MonitorError) {
      if (error.code === 'malformed')
        log.error({ err: error, reference }, 'the service answered outside its contract')
      return `${monitorSentence(error.code)}${error.code === 'malformed' ? ` (Reference ${reference})` : ''}`
    }
    log.error({ err: error, reference }, 'a request failed')
    if (refusalOf(error) === 'expired_trigger_id') return 'That took Slack too long. Try it again.'
    return failureSentence(asked, isSlackFailure(error), reference)
  }

  return (asked, place, listen) =>
    work.track(
      listen().catch(async (error: unknown) => {
        const reference = randomBytes(4).toString('hex')
        try {
          await delivery.privately(
            typeof place === 'function' ? place() : place,
            say(sentenceFor(error, asked, reference)),
          )
        } catch (unheard) {
          log.error({ err: unheard, reference }, 'nobody could be told')
        }
      }),
    )
}
