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

/** The sentence for a refusal of Slack's that somebody can do something about. */
interface Mendable {
  /** What happened, why, and what to do. Plain text. */
  readonly sentence: string
  /** The operator finds more in the log. */
  readonly needsReference?: true
}

const elsewhere = 'Ask in another channel, or in your direct messages with Bellhop.'

const unreadable: Mendable = {
  sentence: 'Slack can’t show Bellhop’s answer here, and trying again won’t help. Tell whoever runs Bellhop.',
  needsReference: true,
}

/**
 * By Slack's own word.
 * Source: docs.slack.dev/reference/methods, errors of views.open, chat.postMessage, chat.postEphemeral, chat.update.
 */
const mendable: Readonly<Record<string, Mendable>> = {
  expired_trigger_id: {
    sentence: 'The form couldn’t open within the three seconds that Slack allows. Try again.',
  },
  exchanged_trigger_id: {
    sentence: 'Slack says this press or command already opened a form. If you don’t see one, try again.',
  },
  invalid_trigger_id: {
    sentence: 'The form couldn’t open: Slack no longer accepts that press or command. Try again.',
    needsReference: true,
  },
  push_limit_reached: {
    sentence: 'The form couldn’t open: three are already open on top of each other. Close one and try again.',
  },
  restricted_action: {
    sentence:
      'Bellhop can’t post: a setting of your workspace limits who can post there. Ask a workspace admin to allow it, or ask Bellhop in another channel.',
  },
  restricted_action_read_only_channel: {
    sentence: `Bellhop can’t post there: the channel is read-only. ${elsewhere}`,
  },
  restricted_action_thread_only_channel: {
    sentence: `Bellhop can’t post there: the channel only allows replies in threads. Mention @Bellhop in a thread.`,
  },
  restricted_action_non_threadable_channel: {
    sentence: `Bellhop can’t reply there: threads are off in the channel. ${elsewhere}`,
  },
  restricted_action_thread_locked: {
    sentence: 'Bellhop can’t reply there: an admin has locked the thread. Ask in the channel instead.',
  },
  cannot_reply_to_message: {
    sentence:
      'Bellhop can’t reply there: Slack doesn’t allow replies to that message. Ask in the channel instead.',
  },
  is_archived: { sentence: `Bellhop can’t post there: the channel is archived. ${elsewhere}` },
  ekm_access_denied: {
    sentence: `Bellhop can’t post there: your admins have turned off messages in the channel. ${elsewhere}`,
  },
  messages_tab_disabled: {
    sentence:
      'Bellhop can’t write to you directly: its Messages tab is off in Slack. Ask whoever runs Bellhop to turn it on.',
  },
  message_limit_exceeded: {
    sentence:
      'Bellhop can’t post: your workspace has reached Slack’s limit for messages. Ask a workspace admin about it.',
  },
  app_access_restricted: {
    sentence: 'Slack doesn’t let you use Bellhop in this workspace. Ask a workspace admin to allow it.',
  },
  missing_scope: {
    sentence:
      'Bellhop is missing a permission in Slack for this. Ask an admin to type /alert doctor, which names it.',
    needsReference: true,
  },
  invalid_arguments: unreadable,
  invalid_blocks: unreadable,
  invalid_blocks_format: unreadable,
  msg_blocks_too_long: unreadable,
  view_too_large: unreadable,
}

/** Slack's words that have a sentence of their own. */
export const toldRefusals: readonly string[] = Object.keys(mendable)

/**
 * Undefined for a word that nobody can do anything about but to try again.
 * @param reference - Stands in the log too.
 */
export function refusalSentence(refusal: string, reference: string): string | undefined {
  const told = Object.hasOwn(mendable, refusal) ? mendable[refusal] : undefined
  if (told === undefined) return undefined
  return told.needsReference ? `${told.sentence} (Reference ${reference})` : told.sentence
}

/** True when a form did not open, so that nothing was begun. */
function isFormUnopened(refusal: string): boolean {
  return refusal.endsWith('_trigger_id') || refusal === 'push_limit_reached'
}
