// Failures, as the asker reads them: one sentence, with a reference when the log says more.
import { MonitorError, UserError } from '../../errors.ts'
import type { House } from '../../house.ts'
import {
  type About,
  asRequest,
  type HandledRequest,
  type RequestOutcome,
  requestNow,
} from '../../log/log.ts'
import { monitorSentences } from '../../monitor/failures.ts'
import { SlackError, wordOf } from '../client.ts'
import { type Message, say } from '../outbound/message.ts'
import { Replayed } from './requests.ts'

/** Words about one topic of requests, raw. */
interface TopicWords {
  /** For a request that was not begun: “Nothing was sent.” */
  readonly nothing: string
  /** For a request that failed half way, which must not be retried at once. */
  readonly halfWay?: string
}

const sending: TopicWords = {
  nothing: 'Nothing was sent.',
  halfWay:
    'If it was already sent, you’ll get the result by direct message. Wait for that before you try again.',
}

export const topics: Readonly<Record<About, TopicWords>> = {
  alert: { nothing: 'Nothing was done.' },
  act: sending,
  grant: sending,
}

/** For the log, when the message about a failure failed, too. */
export const unheardWords = 'the person could not be told what failed'

/**
 * Runs work, for which a stop waits, and tells the asker if it fails. Never rejects.
 * @param tell - Sends the asker the message, which gives their text back, or just the sentence, raw.
 */
export function tellFailures(
  house: House,
  about: About,
  tell: (message: Message, sentence: string) => Promise<unknown>,
  work: () => Promise<void>,
): Promise<void> {
  async function run(request: HandledRequest) {
    request.about ??= about
    try {
      await work()
    } catch (error) {
      request.outcome = outcomeOfError(error)
      if (error instanceof Replayed) return
      const sentence = sentenceFor(house, error, request)
      await tell(say(sentence, { toCopy: request.toReturn }), sentence).catch((unheard: unknown) =>
        house.log.error({ err: unheard }, unheardWords),
      )
    }
  }
  const request = requestNow()
  return house.slack.work.run(() => (request === undefined ? asRequest(run) : run(request)))
}

function outcomeOfError(error: unknown): RequestOutcome {
  if (error instanceof UserError) return 'user-error'
  if (error instanceof Replayed) return 'replayed'
  return error instanceof MonitorError ? `service-${error.code}` : 'failed'
}

/** The failure in plain text. If only the operator can fix it, it is logged, and the sentence has its reference. */
function sentenceFor(
  { log }: House,
  error: unknown,
  { id, about = 'alert' }: HandledRequest,
): string {
  if (error instanceof UserError) return error.message
  if (error instanceof MonitorError && error.code !== 'malformed')
    return monitorSentences[error.code]
  log.error({ err: error }, 'a request failed')
  const reference = `(Reference ${id})`
  if (error instanceof MonitorError) return `${monitorSentences[error.code]} ${reference}`
  const word = wordOf(error) ?? ''
  // Nothing was begun when no form was opened.
  const halfWay = word === 'expired_trigger_id' ? undefined : topics[about].halfWay
  const known = sentences[word]
  if (known !== undefined) return halfWay === undefined ? known : `${known} ${halfWay}`
  const [what, toDo] =
    error instanceof SlackError
      ? ['Slack didn’t accept Bellhop’s reply.', 'Try again in a minute.']
      : ['Something went wrong in Bellhop.', 'Tell whoever runs it.']
  return `${what} ${halfWay ?? toDo} ${reference}`
}

const noPosting =
  'Bellhop can’t post there: the channel is archived, or a setting of your workspace limits who can post. Ask in another channel, or in your direct messages with Bellhop.'

/**
 * Sentences by Slack's own word, for failures that somebody can do something about: what happened, why, what to do.
 * Source: docs.slack.dev/reference/methods, errors of views.open, chat.postMessage, chat.postEphemeral, chat.update.
 */
const sentences: Readonly<Record<string, string | undefined>> = {
  expired_trigger_id:
    'The form couldn’t open within the three seconds that Slack allows. Try again.',
  restricted_action: noPosting,
  is_archived: noPosting,
  missing_scope:
    'Bellhop is missing a permission in Slack for this. Ask an admin to type /alert doctor, which names it.',
}
