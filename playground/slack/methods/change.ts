// chat.update: messages that exist already.

import { readMessage } from '../check/message.ts'
import { Refused } from '../check/refused.ts'
import { text } from '../model/json.ts'
import { messagePayload } from '../payloads/message-payload.ts'
import { type Answer, visibleChannel } from './method.ts'

/** Shorter than for a new message. Source: chat.update, error `msg_too_long`. */
const UPDATE_TEXT = 4_000

export const update: Answer = (args, workspace) => {
  const channel = visibleChannel(workspace, args.channel)
  const message = workspace.find(channel.id, text(args.ts) ?? '')
  if (!message) throw new Refused('message_not_found')
  if (!message.byBot) throw new Refused('cant_update_message')
  if (channel.isArchived) throw new Refused('is_inactive')
  const content = readMessage(args, UPDATE_TEXT)
  const hasWords = (content.text ?? '').trim() !== ''
  const isGiven = content.text !== undefined || content.blocks !== undefined
  if (!isGiven || !(hasWords || (content.blocks ?? message.blocks).length > 0))
    throw new Refused('no_text')
  workspace.edit(message, content)
  return {
    ok: true,
    channel: message.channelId,
    ts: message.ts,
    text: message.text,
    message: messagePayload(message, workspace),
  }
}
