// Runs a listener, and tells the asker what went wrong when something does.
import { MonitorError, UserError } from '../../errors.ts'
import { asRequest, type HandledRequest, type RequestOutcome, requestNow } from '../../log/request.ts'
import { isFormUnopened, refusalSentence } from '../client/refusal-sentences.ts'
import { classify } from '../client/refusals.ts'
import type { Place } from '../outbound/delivery.ts'
import { say } from '../outbound/message.ts'
import { type About, aboutOf, type Topic, type UndoneWords } from '../request-topics.ts'
import { Replayed } from './once.ts'
import type { GuardRoom } from './room.ts'

/** The room as far as a failure is told. */
type TellRoom = Pick<GuardRoom, 'undone' | 'monitorSentence' | 'delivery' | 'work' | 'log'>

type Where = Place | (() => Place)

/**
 * Counts as work under way. Never rejects.
 * @param place - A function where it may be known better by the time that something fails.
 */
export function tellFailures(
  room: TellRoom,
  topic: Topic,
  place: Where,
  listen: () => Promise<void>,
): Promise<void> {
  return room.work.run(() =>
    within(async (request) => {
      request.about ??= aboutOf[topic]
      try {
        await listen()
      } catch (error) {
        await tell(room, request, error, topic, place)
      }
    }),
  )
}

async function tell(
  room: TellRoom,
  request: HandledRequest,
  error: unknown,
  topic: Topic,
  where: Where,
): Promise<void> {
  request.outcome = outcomeOf(error)
  if (error instanceof Replayed) return
  try {
    const place = typeof where === 'function' ? where() : where
    await room.delivery.privately(place, say(sentenceFor(room, error, aboutIn(request, topic), request.id)))
  } catch (unheard) {
    room.log.error({ err: unheard }, 'the person could not be told what failed')
  }
}

function sentenceFor(
  { undone, monitorSentence, log }: TellRoom,
  error: unknown,
  about: About,
  reference: string,
): string {
  if (error instanceof UserError) return error.message
  if (error instanceof MonitorError) {
    if (error.code === 'malformed') log.error({ err: error }, 'the service answered outside its contract')
    return `${monitorSentence(error.code)}${error.code === 'malformed' ? ` (Reference ${reference})` : ''}`
  }
  log.error({ err: error }, 'a request failed')
  return failureSentence(undone[about], reasonOf(error), reference)
}

/** A line of `/alert` may turn out to change an alert. */
function aboutIn({ about }: HandledRequest, topic: Topic): About {
  return about === 'act' ? about : aboutOf[topic]
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

/** For what goes wrong in Bellhop or at Slack. @param reference - Stands in the log too. */
export function failureSentence({ halfWay }: UndoneWords, reason: FailureReason, reference: string): string {
  const refusal = reason === 'defect' ? undefined : reason.refusal
  const known = refusal === undefined ? undefined : refusalSentence(refusal, reference)
  if (refusal !== undefined && known !== undefined) {
    return halfWay !== undefined && !isFormUnopened(refusal) ? `${known} ${halfWay}` : known
  }
  const what =
    reason === 'defect' ? 'Something went wrong in Bellhop.' : 'Slack didn’t accept Bellhop’s reply.'
  if (halfWay !== undefined) return `${what} ${halfWay} (Reference ${reference})`
  if (reason === 'defect') return `${what} Tell whoever runs it, with the reference ${reference}.`
  return `${what} Try again in a minute. (Reference ${reference})`
}
