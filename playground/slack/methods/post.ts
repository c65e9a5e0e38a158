// chat.postMessage and chat.postEphemeral.

import { isEmpty, isRefusal, readMessage } from '../check/message.ts'
import { type Json, text, truth } from '../model/json.ts'
import type { Channel } from '../model/model.ts'
import { messagePayload } from '../payloads/message-payload.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { type Method, refuse, refuseWith, visibleChannel } from './method.ts'
import { isStranger } from './people.ts'

const looks = ['blocks', 'text', 'thread_ts', 'link_names', 'parse'] as const
const disguise = ['username', 'icon_emoji', 'icon_url'] as const

export const postMessage: Method = {
  name: 'chat.postMessage',
  token: 'bot',
  scopes: ['chat:write'],
  required: ['channel'],
  optional: [...looks, ...disguise, 'mrkdwn', 'reply_broadcast', 'unfurl_links', 'unfurl_media'],
  answer: (args, workspace) => {
    const channel = channelToPostIn(args.channel, workspace)
    if (typeof channel === 'string') return refuse(channel)
    const content = readMessage(args)
    if (isRefusal(content)) return refuseWith(content.error, content.errors)
    if (isEmpty(content)) return refuse('no_text')
    const threadTs = threadOf(args.thread_ts, channel, workspace)
    if (threadTs instanceof Error) return refuse(threadTs.message)
    if (
      disguise.some((name) => args[name] !== undefined) &&
      !workspace.options.botScopes.includes(CUSTOMIZE)
    ) {
      return refuse('missing_scope', { needed: CUSTOMIZE, provided: workspace.options.botScopes.join(',') })
    }
    const message = workspace.post({
      channelId: channel.id,
      authorId: workspace.bot.userId,
      text: content.text ?? '',
      blocks: content.blocks ?? [],
      threadTs,
      broadcast: truth(args.reply_broadcast),
      unfurlLinks: args.unfurl_links === undefined ? undefined : truth(args.unfurl_links),
      unfurlMedia: args.unfurl_media === undefined ? undefined : truth(args.unfurl_media),
      parsesText: parsesText(args),
      via: 'chat.postMessage',
    })
    return { ok: true, channel: channel.id, ts: message.ts, message: messagePayload(message, workspace) }
  },
}

const CUSTOMIZE = 'chat:write.customize'

export const postEphemeral: Method = {
  name: 'chat.postEphemeral',
  token: 'bot',
  scopes: ['chat:write'],
  required: ['channel', 'user'],
  optional: [...looks, ...disguise],
  answer: (args, workspace) => {
    const channel = visibleChannel(workspace, args.channel)
    if (!channel) return refuse('channel_not_found')
    if (!channel.members.has(workspace.bot.userId)) return refuse('not_in_channel')
    if (channel.isArchived) return refuse('is_archived')
    const content = readMessage(args)
    if (isRefusal(content)) return refuseWith(content.error, content.errors)
    if (isEmpty(content)) return refuse('no_text')
    const user = text(args.user) ?? ''
    if (!channel.members.has(user)) return refuse('user_not_in_channel')
    const threadTs = threadOf(args.thread_ts, channel, workspace)
    if (threadTs instanceof Error) return refuse(threadTs.message)
    const message = workspace.post({
      channelId: channel.id,
      authorId: workspace.bot.userId,
      text: content.text ?? '',
      blocks: content.blocks ?? [],
      threadTs,
      ephemeralFor: user,
      parsesText: parsesText(args),
      via: 'chat.postEphemeral',
    })
    return { ok: true, message_ts: message.ts }
  },
}

function parsesText(args: Json): boolean {
  return truth(args.link_names) || args.parse === 'full'
}

/** Where a message goes, or Slack's word for why it cannot. */
function channelToPostIn(given: unknown, workspace: Workspace): Channel | string {
  const id = text(given) ?? ''
  const { bot, members, options } = workspace
  const member = members.get(id)
  if (member) {
    if (member.isDeleted || member.isBot || isStranger(member, workspace)) return 'channel_not_found'
    return options.messagesTab ? workspace.directMessage(bot.userId, id) : 'messages_tab_disabled'
  }
  const byName = [...workspace.channels.values()].find(
    ({ kind, name }) => kind === 'public' && name === id.replace(/^#/, ''),
  )
  const channel = visibleChannel(workspace, id) ?? byName
  if (!channel) return 'channel_not_found'
  if (channel.isArchived) return 'is_archived'
  if (channel.kind === 'im' && !options.messagesTab) return 'messages_tab_disabled'
  const isIn = channel.members.has(bot.userId)
  return isIn || options.botScopes.includes('chat:write.public') ? channel : 'not_in_channel'
}

/** The parent to reply to; undefined without one. */
function threadOf(given: unknown, channel: Channel, workspace: Workspace): string | undefined | Error {
  const ts = text(given)
  if (ts === undefined || ts === '') return undefined
  const parent = workspace.find(channel.id, ts)
  if (!parent) return new Error('thread_not_found')
  // A reply is no parent: Slack would show the message nowhere that people look.
  return parent.threadTs === undefined ? ts : new Error('cannot_reply_to_message')
}
