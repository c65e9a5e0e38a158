// Everything one person sees in a channel, as plain text: for error messages and for terminal sessions.

import type { Channel, Member } from '../model/model.ts'
import { isSeenBy } from '../workspace/eyes.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { SeenMessage, SeenModal } from './seen.ts'

/** Top-level messages that this person sees here, oldest first. */
export function visibleMessages(
  channel: Channel,
  viewer: Member,
  workspace: Workspace,
): SeenMessage[] {
  if (channel.kind !== 'public' && !channel.members.has(viewer.id)) return []
  return workspace.messages
    .filter((message) => message.channelId === channel.id && isSeenBy(message, viewer.id))
    .filter(({ threadTs, broadcast }) => threadTs === undefined || broadcast)
    .map((message) => new SeenMessage(message, viewer, workspace))
}

/** The channel as this person sees it, with threads unfolded, and the open modal below it. */
export function screenOf(
  channel: Channel | undefined,
  viewer: Member,
  workspace: Workspace,
): string {
  const messages = channel ? visibleMessages(channel, viewer, workspace) : []
  const top = workspace.views.modal(viewer.id)
  const title = channel ? [`${channel.kind === 'im' ? '@' : '#'}${channel.name}`] : []
  const modal = top ? [`=== ${new SeenModal(top, viewer, workspace).plain}\n===`] : []
  return [...title, ...messages.map((message) => drawn(message, '')), ...modal].join('\n\n')
}

function drawn(message: SeenMessage, indent: string): string {
  const marks = [
    message.isEphemeral ? ' (only visible to you)' : '',
    message.isEdited ? ' (edited)' : '',
  ]
  const lines = [`${message.author}${marks.join('')}`, ...message.plain.split('\n')]
  const replies = message.thread.map((reply) => drawn(reply, `${indent}  | `))
  return [...lines.map((line) => `${indent}${line}`), ...replies].join('\n')
}
