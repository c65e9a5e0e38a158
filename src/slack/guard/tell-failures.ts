// Runs a listener, and tells the asker what went wrong when something does.
import { MonitorError, type MonitorErrorCode, UserError } from '../../errors.ts'
import type { Log } from '../../log/log.ts'
import { asRequest, type HandledRequest, type RequestOutcome, requestNow } from '../../log/request.ts'
import type { Work } from '../../work/under-way.ts'
import { isFormUnopened, refusalSentence } from '../client/refusal-sentences.ts'
import { classify } from '../client/refusals.ts'
import type { Topic } from '../observer.ts'
import type { Delivery, Place } from '../outbound/delivery.ts'
import { say } from '../outbound/message.ts'
import { Replayed } from './once.ts'

/**
 * Counts as work under way. Never rejects.
 * @param place - A function where it may be known better by the time that something fails.
 */
export type Run = (asked: Topic, place: Where, listen: () => Promise<void>) => Promise<void>

type Where = Place | (() => Place)

/** @param room.monitorSentence - For whoever asked for something that the service did not let them read. Raw. */
export function createRun(room: {
  readonly monitorSentence: (code: MonitorErrorCode) => string
  readonly delivery: Delivery
  readonly work: Work
  readonly log: Log
}): Run {
  const { monitorSentence, delivery, work, log } = room

  function sentenceFor(error: unknown, asked: Topic, reference: string): string {
    if (error instanceof UserError) return error.message
    if (error instanceof MonitorError) {
      if (error.code === 'malformed') log.error({ err: error }, 'the service answered outside its contract')
      return `${monitorSentence(error.code)}${error.code === 'malformed' ? ` (Reference ${reference})` : ''}`
    }
    log.error({ err: error }, 'a request failed')
    return failureSentence(asked, reasonOf(error), reference)
  }

  async function tell(request: HandledRequest, error: unknown, asked: Topic, where: Where): Promise<void> {
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
  const { kind, word } = classify(error)
  return kind === 'defect' ? 'defect' : { refusal: word }
}

function outcomeOf(error: unknown): RequestOutcome {
  if (error instanceof UserError) return 'user-error'
  if (error instanceof Replayed) return 'replayed'
  return error instanceof MonitorError ? `service-${error.code}` : 'failed'
}

/** A defect of ours, or Slack: its word for why it refused, when it said one. */
export type FailureReason = 'defect' | { readonly refusal: string | undefined }

const afterGrant =
  'If a grant was sent, a direct message tells you what became of it; wait for that before you ask again.'

/** For what goes wrong in Bellhop or at Slack. @param reference - Stands in the log too. */
export function failureSentence(asked: Topic, reason: FailureReason, reference: string): string {
  const refusal = reason === 'defect' ? undefined : reason.refusal
  const known = refusal === undefined ? undefined : refusalSentence(refusal, reference)
  if (refusal !== undefined && known !== undefined) {
    return asked === 'grant' && !isFormUnopened(refusal) ? `${known} ${afterGrant}` : known
  }
  const what = reason === 'defect' ? 'Something went wrong in Bellhop.' : 'Slack did not take the answer.'
  if (asked === 'grant') return `${what} ${afterGrant} (Reference ${reference})`
  if (reason === 'defect') return `${what} Tell whoever runs it, with the reference ${reference}.`
  return `${what} Try again in a minute. (Reference ${reference})`
}
