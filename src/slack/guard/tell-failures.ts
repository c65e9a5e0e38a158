// Runs a listener, and tells the asker what went wrong when something does.
import { MonitorError, UserError } from '../../errors.ts'
import type { Log } from '../../log/log.ts'
import { asRequest, type HandledRequest, type Outcome, requestNow } from '../../log/request.ts'
import type { Work } from '../../work/under-way.ts'
import { isSlackFailure, refusalOf } from '../client/refusals.ts'
import { type Asked, type FailureReason, failureSentence, monitorSentence } from '../error-message.ts'
import type { Delivery, Place } from '../outbound/delivery.ts'
import { say } from '../outbound/message.ts'
import { Replayed } from './once.ts'

/**
 * Counts as work under way. Never rejects.
 * @param place - A function where it may be known better by the time that something fails.
 */
export type Run = (asked: Asked, place: Where, listen: () => Promise<void>) => Promise<void>

type Where = Place | (() => Place)

export function createRun(room: {
  readonly delivery: Delivery
  readonly work: Work
  readonly log: Log
}): Run {
  const { delivery, work, log } = room

  function sentenceFor(error: unknown, asked: Asked, reference: string): string {
    if (error instanceof UserError) return error.message
    if (error instanceof MonitorError) {
      if (error.code === 'malformed') log.error({ err: error }, 'the service answered outside its contract')
      return `${monitorSentence(error.code)}${error.code === 'malformed' ? ` (Reference ${reference})` : ''}`
    }
    log.error({ err: error }, 'a request failed')
    return failureSentence(asked, reasonOf(error), reference)
  }

  async function tell(request: HandledRequest, error: unknown, asked: Asked, where: Where): Promise<void> {
    request.outcome = outcomeOf(error)
    if (error instanceof Replayed) return
    try {
      const place = typeof where === 'function' ? where() : where
      await delivery.privately(place, say(sentenceFor(error, asked, request.id)))
    } catch (unheard) {
      log.error({ err: unheard }, 'nobody could be told')
    }
  }

  return (asked, place, listen) =>
    work.run(() =>
      within((request) => {
        request.asked ??= asked
        return listen().catch((error: unknown) => tell(request, error, asked, place))
      }),
    )
}

/** In the request that this is part of, or as one of its own. */
function within(work: (request: HandledRequest) => Promise<void>): Promise<void> {
  const request = requestNow()
  return request === undefined ? asRequest(work) : work(request)
}

function reasonOf(error: unknown): FailureReason {
  return isSlackFailure(error) ? { refusal: refusalOf(error) } : 'defect'
}

function outcomeOf(error: unknown): Outcome {
  if (error instanceof UserError) return 'user-error'
  if (error instanceof Replayed) return 'replayed'
  return error instanceof MonitorError ? `service-${error.code}` : 'failed'
}
