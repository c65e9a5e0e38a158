// Answers over a response_url, and what becomes of them.
import { readNewMessage } from '../check/message.ts'
import { Refused } from '../check/refused.ts'
import { saidIn } from '../methods/post.ts'
import { isRecord, type Json, truth } from '../model/json.ts'
import type { ResponseUrl } from '../model/model.ts'
import type { Workspace } from '../workspace/workspace.ts'

export interface Reply {
  readonly status: number
  readonly answer: Json
}

const known = new Set([
  ...['response_type', 'replace_original', 'delete_original', 'text', 'blocks', 'thread_ts'],
  ...['unfurl_links', 'unfurl_media', 'mrkdwn', 'link_names', 'parse', 'reply_broadcast'],
])

const gone = new Set(['message_not_found', 'used_url', 'expired_url', 'invalid_url'])

/** Answers one POST to a response_url. */
export function answerResponseUrl(path: string, body: unknown, workspace: Workspace): Reply {
  try {
    const found = workspace.responseUrls.find(path)
    if (typeof found === 'string') throw new Refused(found)
    respond(found, body, workspace)
    found.uses += 1
    return { status: 200, answer: { ok: true } }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return { status: gone.has(error.message) ? 404 : 400, answer: error.answer }
  }
}

/** Does what the body asks for. @throws Refused */
function respond(from: ResponseUrl, body: unknown, workspace: Workspace): void {
  if (!isRecord(body)) throw new Refused('invalid_payload')
  const unknown = Object.keys(body).filter((name) => !known.has(name))
  const errors = unknown.map((name) => `invalid additional property: ${name}`)
  if (errors.length > 0) throw new Refused('invalid_arguments', errors)
  // What others wrote is not the bot's to change.
  const original = workspace.messages.find(
    ({ channelId, ts, isDeleted, byBot }) =>
      channelId === from.channelId && ts === from.messageTs && !isDeleted && byBot,
  )
  const deletes = truth(body.delete_original)
  // A command has no original: Slack posts anew instead.
  if (!deletes && !(truth(body.replace_original) && from.kind === 'message')) {
    postResponse(from, body, 'response_url', workspace)
    return
  }
  const content = deletes ? undefined : readNewMessage(body)
  if (!original) throw new Refused('message_not_found')
  if (content === undefined) workspace.remove(original)
  // The whole message is replaced, where it stands: blocks that are not sent again are gone, and a thread is not looked at.
  else workspace.edit(original, content)
}

/** Posts the answer to an interaction; Slack shows it to the person alone unless told otherwise. @throws Refused */
export function postResponse(
  { channelId: id, userId }: Pick<ResponseUrl, 'channelId' | 'userId'>,
  body: Json,
  via: string,
  workspace: Workspace,
): void {
  const isPublic = body.response_type === 'in_channel'
  // A thread is for everybody's messages alone: what one person sees lands at the bottom of the channel.
  // Source: docs.slack.dev/interactivity/handling-user-interaction, “Publishing responses in thread”.
  const said = saidIn(isPublic ? body : { ...body, thread_ts: undefined }, { id }, workspace)
  workspace.post({ ...said, ephemeralFor: isPublic ? undefined : userId, via })
}
