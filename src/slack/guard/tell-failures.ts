// Runs a listener, and tells the asker in one sentence what went wrong when something does.
import { MonitorError, UserError } from '../../errors.ts'
import {
  type About,
  asRequest,
  type HandledRequest,
  type RequestOutcome,
  requestNow,
} from '../../log/request.ts'
import { classify } from '../client/refusals.ts'
import type { Place } from '../outbound/delivery.ts'
import { say } from '../outbound/message.ts'
import { aboutOf, type Topic, type UndoneWords } from '../request-topics.ts'
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
  const known = refusal === undefined ? undefined : refusalSentence(refusal)
  if (known !== undefined) {
    // No form was opened: nothing was begun.
    return halfWay !== undefined && refusal !== 'expired_trigger_id' ? `${known} ${halfWay}` : known
  }
  const what =
    reason === 'defect' ? 'Something went wrong in Bellhop.' : 'Slack didn’t accept Bellhop’s reply.'
  if (halfWay !== undefined) return `${what} ${halfWay} (Reference ${reference})`
  if (reason === 'defect') return `${what} Tell whoever runs it, with the reference ${reference}.`
  return `${what} Try again in a minute. (Reference ${reference})`
}

/**
 * What happened, why, and what to do, where somebody can do something about it; by Slack's own word. Plain text.
 * Source: docs.slack.dev/reference/methods, errors of views.open, chat.postMessage, chat.postEphemeral, chat.update.
 */
const sentences: Readonly<Record<string, string>> = {
  expired_trigger_id: 'The form couldn’t open within the three seconds that Slack allows. Try again.',
  restricted_action:
    'Bellhop can’t post: a setting of your workspace limits who can post there. Ask in another channel, or in your direct messages with Bellhop.',
  is_archived:
    'Bellhop can’t post there: the channel is archived. Ask in another channel, or in your direct messages with Bellhop.',
  messages_tab_disabled:
    'Bellhop can’t write to you directly: its Messages tab is off in Slack. Ask whoever runs Bellhop to turn it on.',
  missing_scope:
    'Bellhop is missing a permission in Slack for this. Ask an admin to type /alert doctor, which names it.',
}

/** Undefined for a word that nobody can do anything about but to try again. */
function refusalSentence(refusal: string): string | undefined {
  // For a channel that is read-only, takes replies alone, or has no threads, Slack says more behind it.
  const word = refusal.startsWith('restricted_action') ? 'restricted_action' : refusal
  return Object.hasOwn(sentences, word) ? sentences[word] : undefined
}
