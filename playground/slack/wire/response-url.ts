// Answers over a response_url, and what becomes of them.
import { isEmpty, isRefusal, type MessageContent, readMessage } from '../check/message.ts'
import { refuse, refuseWith } from '../methods/method.ts'
import { isRecord, type Json, text, truth } from '../model/json.ts'
import type { Message, ResponseUrl } from '../model/model.ts'
import type { Workspace } from '../workspace/workspace.ts'

export interface Reply {
  readonly status: number
  readonly answer: Json
}

const known = new Set([
  ...['response_type', 'replace_original', 'delete_original', 'text', 'blocks', 'thread_ts'],
  ...['unfurl_links', 'unfurl_media', 'mrkdwn', 'link_names', 'parse', 'reply_broadcast'],
])

/** Answers one POST to a response_url. */
export function answerResponseUrl(path: string, body: unknown, workspace: Workspace): Reply {
  const found = workspace.responseUrls.find(path)
  if (typeof found === 'string') return { status: 404, answer: refuse(found) }
  const problem = respond(found, body, workspace)
  if (!problem) {
    found.uses += 1
    return { status: 200, answer: { ok: true } }
  }
  return problem
}

/** Does what the body asks for; undefined when it was done. */
function respond(from: ResponseUrl, body: unknown, workspace: Workspace): Reply | undefined {
  if (!isRecord(body)) return { status: 400, answer: refuse('invalid_payload') }
  const unknown = Object.keys(body).filter((name) => !known.has(name))
  if (unknown.length > 0) {
    const errors = unknown.map((name) => `invalid additional property: ${name}`)
    return { status: 400, answer: refuseWith('invalid_arguments', errors) }
  }
  const original = originalOf(from, workspace)
  if (truth(body.delete_original)) {
    if (!original) return { status: 404, answer: refuse('message_not_found') }
    workspace.remove(original)
    return undefined
  }
  const content = readMessage(body)
  if (isRefusal(content)) return { status: 400, answer: refuseWith(content.error, content.errors) }
  if (isEmpty(content)) return { status: 400, answer: refuse('no_text') }
  // A command has no original: Slack posts anew instead.
  if (!truth(body.replace_original) || from.kind !== 'message') {
    return postResponse(from, body, content, 'response_url', workspace)
  }
  if (!original) return { status: 404, answer: refuse('message_not_found') }
  // The whole message is replaced, where it stands: blocks that are not sent again are gone, and a thread is not looked at.
  workspace.edit(original, { text: content.text ?? '', blocks: content.blocks ?? [] })
  return undefined
}

/** Posts the answer to an interaction; Slack shows it to the person alone unless told otherwise. */
export function postResponse(
  to: Pick<ResponseUrl, 'channelId' | 'userId'>,
  body: Json,
  content: MessageContent,
  via: string,
  workspace: Workspace,
): Reply | undefined {
  const isPublic = body.response_type === 'in_channel'
  // A thread is for everybody's messages alone: what one person sees lands at the bottom of the channel.
  // Source: docs.slack.dev/interactivity/handling-user-interaction, “Publishing responses in thread”.
  const threadTs = isPublic ? text(body.thread_ts) : undefined
  if (threadTs !== undefined) {
    const parent = workspace.find(to.channelId, threadTs)
    if (!parent) return { status: 400, answer: refuse('thread_not_found') }
    if (parent.threadTs !== undefined) return { status: 400, answer: refuse('cannot_reply_to_message') }
  }
  workspace.post({
    channelId: to.channelId,
    authorId: workspace.bot.userId,
    text: content.text ?? '',
    blocks: content.blocks ?? [],
    threadTs,
    ephemeralFor: isPublic ? undefined : to.userId,
    unfurlLinks: body.unfurl_links === undefined ? undefined : truth(body.unfurl_links),
    unfurlMedia: body.unfurl_media === undefined ? undefined : truth(body.unfurl_media),
    parsesText: truth(body.link_names) || body.parse === 'full',
    via,
  })
  return undefined
}

function originalOf({ channelId, messageTs }: ResponseUrl, { messages }: Workspace): Message | undefined {
  // What others wrote is not the bot's to change.
  return messages.find(
    (message) =>
      message.channelId === channelId && message.ts === messageTs && !message.isDeleted && message.byBot,
  )
}
