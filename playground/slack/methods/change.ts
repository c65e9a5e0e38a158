// chat.update: messages that exist already.

import { isEmpty, isRefusal, readMessage } from '../check/message.ts'
import { text } from '../model/json.ts'
import type { Message } from '../model/model.ts'
import { messagePayload } from '../payloads/message-payload.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { type Method, refuse, refuseWith, visibleChannel } from './method.ts'

/** Shorter than for a new message. Source: chat.update, error `msg_too_long`. */
const UPDATE_TEXT = 4_000

export const update: Method = {
  name: 'chat.update',
  token: 'bot',
  scopes: ['chat:write'],
  required: ['channel', 'ts'],
  optional: ['blocks', 'text', 'link_names', 'parse', 'reply_broadcast'],
  answer: (args, workspace) => {
    const message = messageAt(args.channel, args.ts, workspace)
    if (typeof message === 'string') return refuse(message)
    if (!message.byBot) return refuse('cant_update_message')
    if (workspace.channels.get(message.channelId)?.isArchived) return refuse('is_inactive')
    const content = readMessage(args, UPDATE_TEXT)
    if (isRefusal(content)) return refuseWith(content.error, content.errors)
    const after = { ...content, blocks: content.blocks ?? message.blocks }
    if ((content.text === undefined && content.blocks === undefined) || isEmpty(after))
      return refuse('no_text')
    workspace.edit(message, content)
    return {
      ok: true,
      channel: message.channelId,
      ts: message.ts,
      text: message.text,
      message: messagePayload(message, workspace),
    }
  },
}

function messageAt(channelId: unknown, ts: unknown, workspace: Workspace): Message | string {
  const channel = visibleChannel(workspace, channelId)
  if (!channel) return 'channel_not_found'
  return workspace.find(channel.id, text(ts) ?? '') ?? 'message_not_found'
}
