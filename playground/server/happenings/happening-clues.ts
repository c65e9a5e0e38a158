// Clues in a request to whose doing it was.
import type { RecordedRequest } from '../../monitor/requests.ts'
import { record, records, text } from '../../slack/model/json.ts'
import type {
  Call,
  Delivery,
  Member,
  StartedCall,
  StartedDelivery,
} from '../../slack/model/model.ts'

/** Each names one thing, such as `view V01`: whoever mentioned the same thing last is meant. */
export interface Clues {
  /** Good for as long as the thing is known. */
  readonly exact: readonly string[]
  /** Good for a while: the same person, the same channel. */
  readonly vague: readonly string[]
}

export function cluesOfDelivery({ payload }: StartedDelivery | Delivery): Clues {
  const { channel, user } = payload
  const [event, container, message] = [payload.event, payload.container, payload.message].map(
    record,
  )
  const channelId = text(payload.channel_id) ?? text(record(channel).id) ?? text(event?.channel)
  const urls = [
    text(payload.response_url),
    ...records(payload.response_urls).map((issued) => text(issued.response_url)),
  ]
  const messageTs = [container?.message_ts, payload.message_ts, event?.message_ts, event?.ts].find(
    isText,
  )
  // What the bot says to it stands in its thread, or beside it in the one where it was written.
  const threadTs = [container?.thread_ts, message?.thread_ts, event?.thread_ts].find(isText)
  return {
    exact: [
      ...clue('trigger', payload.trigger_id),
      ...urls.flatMap((url) => (url === undefined ? [] : clue('url', new URL(url).pathname))),
      ...clue('view', record(payload.view).id),
      ...[messageTs, threadTs].flatMap((ts) => messageClue(channelId, ts)),
      ...clue('unfurl', event?.unfurl_id),
    ],
    vague: [
      ...clue('user', text(payload.user_id) ?? text(record(user).id) ?? event?.user),
      ...clue('channel', channelId),
    ],
  }
}

export function cluesOfCall({ method, path, args }: StartedCall): Clues {
  const toldOf = method === 'chat.postEphemeral' ? args.user : args.user_id
  return {
    exact: [
      ...clue('trigger', args.trigger_id),
      ...clue('url', method === 'response_url' ? path : undefined),
      ...clue('view', args.view_id),
      ...clue('unfurl', args.unfurl_id),
      ...[args.ts, args.thread_ts].flatMap((ts) => messageClue(args.channel, ts)),
    ],
    // A message can be addressed to a person, by their id in place of a channel's.
    vague: [
      ...clue('user', toldOf),
      ...clue('user', args.channel),
      ...clue('channel', args.channel),
    ],
  }
}

/** What came into being by a call: later requests mention it. */
export function cluesOfAnswer({ answer, status }: Call): readonly string[] {
  if (answer.ok !== true || status === 0) return []
  return [...clue('view', record(answer.view).id), ...messageClue(answer.channel, answer.ts)]
}

/** The bot sends the id under which its log has what it does. The service knows people by tokens named after them. */
export function cluesOfRequest(
  { token, headers }: RecordedRequest,
  members: Iterable<Member>,
): Clues {
  const owner = [...members].find(({ name, isBot }) => name === token && !isBot)
  return { exact: clue('request', headers['x-request-id']), vague: clue('user', owner?.id) }
}

function clue(kind: string, value: unknown): string[] {
  return typeof value === 'string' && value !== '' ? [`${kind} ${value}`] : []
}

function messageClue(channel: unknown, ts: unknown): string[] {
  return typeof channel === 'string' && typeof ts === 'string' ? [`message ${channel} ${ts}`] : []
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
