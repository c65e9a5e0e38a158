// chat.postMessage and chat.postEphemeral.

import { readNewMessage } from '../check/message.ts'
import { Refused } from '../check/refused.ts'
import { type Json, text, truth } from '../model/json.ts'
import type { Channel } from '../model/model.ts'
import { messagePayload } from '../payloads/message-payload.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { type Answer, visibleChannel } from './method.ts'
import { isStranger } from './people.ts'

export const postMessage: Answer = (args, workspace) => {
  const channel = channelToPostIn(args.channel, workspace)
  const said = saidIn(args, channel, workspace)
  const broadcast = truth(args.reply_broadcast)
  const message = workspace.post({ ...said, broadcast, via: 'chat.postMessage' })
  return {
    ok: true,
    channel: channel.id,
    ts: message.ts,
    message: messagePayload(message, workspace),
  }
}

export const postEphemeral: Answer = (args, workspace) => {
  const channel = visibleChannel(workspace, args.channel)
  if (!channel.members.has(workspace.bot.userId)) throw new Refused('not_in_channel')
  if (channel.isArchived) throw new Refused('is_archived')
  const said = saidIn(args, channel, workspace)
  const ephemeralFor = text(args.user) ?? ''
  if (!channel.members.has(ephemeralFor)) throw new Refused('user_not_in_channel')
  return {
    ok: true,
    message_ts: workspace.post({ ...said, ephemeralFor, via: 'chat.postEphemeral' }).ts,
  }
}

/** A message of the bot, as it is given to a method or a response_url. @throws Refused */
export function saidIn(args: Json, { id: channelId }: Pick<Channel, 'id'>, workspace: Workspace) {
  return {
    ...readNewMessage(args),
    channelId,
    authorId: workspace.bot.userId,
    threadTs: threadOf(args.thread_ts, channelId, workspace),
    parsesText: truth(args.link_names) || args.parse === 'full',
  }
}

/** Where a message goes. @throws Refused */
function channelToPostIn(given: unknown, workspace: Workspace): Channel {
  const id = text(given) ?? ''
  const { bot, members, options } = workspace
  const member = members.get(id)
  if (member) {
    if (member.isDeleted || member.isBot || isStranger(member, workspace))
      throw new Refused('channel_not_found')
    if (!options.messagesTab) throw new Refused('messages_tab_disabled')
    return workspace.directMessage(bot.userId, id)
  }
  const byName = [...workspace.channels.values()].find(
    ({ kind, name }) => kind === 'public' && name === id.replace(/^#/, ''),
  )
  const channel = visibleChannel(workspace, byName?.id ?? id)
  if (channel.isArchived) throw new Refused('is_archived')
  if (channel.kind === 'im' && !options.messagesTab) throw new Refused('messages_tab_disabled')
  const isIn = channel.members.has(bot.userId)
  if (!isIn && !options.botScopes.includes('chat:write.public')) throw new Refused('not_in_channel')
  return channel
}

/** The parent to reply to; undefined without one. */
function threadOf(given: unknown, channelId: string, workspace: Workspace): string | undefined {
  const ts = text(given)
  if (ts === undefined || ts === '') return undefined
  const parent = workspace.find(channelId, ts)
  if (!parent) throw new Refused('thread_not_found')
  // A reply is no parent: Slack would show the message nowhere that people look.
  if (parent.threadTs !== undefined) throw new Refused('cannot_reply_to_message')
  return ts
}
