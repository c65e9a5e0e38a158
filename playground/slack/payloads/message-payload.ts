// A message as Slack shows it to a bot: from the Web API, in interactions, in events.
import type { Json } from '../model/json.ts'
import type { Message } from '../model/model.ts'
import { richTextOf } from '../text/rich-text-of.ts'
import type { Workspace } from '../workspace/workspace.ts'

export function messagePayload(message: Message, workspace: Workspace): Json {
  const replies = workspace
    .replies(message)
    .filter(({ ephemeralFor }) => ephemeralFor === undefined)
  const blocks = blocksOf(message)
  const attachments = attachmentsOf(message, workspace)
  const parent = message.threadTs && workspace.find(message.channelId, message.threadTs)
  return {
    type: 'message',
    ...authorOf(message, workspace),
    ts: message.ts,
    text: message.text,
    ...(message.clientMsgId ? { client_msg_id: message.clientMsgId } : {}),
    ...(blocks.length > 0 ? { blocks } : {}),
    ...(attachments.length > 0 ? { attachments } : {}),
    ...(message.editedTs ? { edited: { user: message.authorId, ts: message.editedTs } } : {}),
    ...(message.threadTs ? { thread_ts: message.threadTs } : {}),
    ...(parent && parent.app === undefined ? { parent_user_id: parent.authorId } : {}),
    ...(replies.length > 0
      ? { thread_ts: message.ts, reply_count: replies.length, latest_reply: replies.at(-1)?.ts }
      : {}),
  }
}

/** Webhooks have no user. People of other organisations come with theirs. */
function authorOf({ app, authorId, byBot, postedAs }: Message, workspace: Workspace): Json {
  const { teamId, bot, appId } = workspace
  const username = postedAs === undefined ? {} : { username: postedAs }
  if (app) return { subtype: 'bot_message', bot_id: app.botId, app_id: app.appId, ...username }
  const author = workspace.members.get(authorId)
  const team = author?.teamId ?? teamId
  return {
    user: authorId,
    team,
    ...(byBot ? { bot_id: bot.botId, app_id: appId } : {}),
    ...(author?.isBot && !byBot ? { bot_id: authorId.replace('U', 'B') } : {}),
    ...(team === teamId
      ? {}
      : { user_team: team, source_team: team, user_profile: profileOf(author) }),
  }
}

function profileOf(author: { readonly name: string; readonly realName: string } | undefined): Json {
  return { name: author?.name, real_name: author?.realName, display_name: author?.name }
}

/** What people write comes as rich text, too. */
function blocksOf({ blocks, clientMsgId, text }: Message): readonly Json[] {
  if (blocks.length > 0 || clientMsgId === undefined || text === '') return blocks
  return [richTextOf(text, clientMsgId.slice(0, 5))]
}

/** Unfurls of the bot's own are attachments as well. Ids count through. */
function attachmentsOf({ attachments, unfurls }: Message, { bot, appId }: Workspace): Json[] {
  return [
    ...attachments.map((attachment, index) => ({ id: index + 1, ...attachment })),
    ...unfurls.map(({ id, url, attachment }) => ({
      ...attachment,
      id: attachments.length + id,
      bot_id: bot.botId,
      app_id: appId,
      app_unfurl_url: url,
      is_app_unfurl: true,
    })),
  ]
}
