// Messages as Slack lays them out: divided by days, and closer together when one person goes on.
import type { MessageState } from '../../state/state.ts'
import { dateOf, isSameDay } from './when.ts'

export interface Entry {
  readonly message: MessageState
  /** A divider stands before it. */
  readonly startsDay: boolean
  /** Without avatar and name: it goes on from the one before. */
  readonly isCompact: boolean
}

const TOGETHER_S = 5 * 60

/** @param hasReplies - Whether a line with its replies stands below this message. */
export function timeline(
  messages: readonly MessageState[],
  hasReplies: (message: MessageState) => boolean,
): readonly Entry[] {
  return messages.map((message, index) => {
    const before = messages[index - 1]
    const startsDay = !before || !isSameDay(dateOf(before.ts), dateOf(message.ts))
    const isCompact = !startsDay && goesOn(before, message) && !hasReplies(before)
    return { message, startsDay, isCompact }
  })
}

function goesOn(before: MessageState, message: MessageState): boolean {
  return (
    before.authorId === message.authorId &&
    !before.isEphemeral &&
    !message.isEphemeral &&
    !message.isBroadcast &&
    Number(message.ts) - Number(before.ts) < TOGETHER_S
  )
}

/** What stands in the channel itself. */
export function inChannel(
  messages: readonly MessageState[],
  channelId: string,
): readonly MessageState[] {
  return messages.filter(
    (message) =>
      message.channelId === channelId && (message.threadTs === undefined || message.isBroadcast),
  )
}

/** Replies of a thread, without its parent. */
export function inThread(
  messages: readonly MessageState[],
  { channelId, ts }: { readonly channelId: string; readonly ts: string },
): readonly MessageState[] {
  return messages.filter((message) => message.channelId === channelId && message.threadTs === ts)
}

/** `1 reply`; those that only one person sees do not count. */
export function replyCount(replies: readonly MessageState[]): string {
  const count = replies.filter(({ isEphemeral }) => !isEphemeral).length
  return count === 1 ? '1 reply' : `${count} replies`
}
