// Eyes that a message is for.
import type { Message } from '../model/model.ts'
import type { NewMessage } from './new-message.ts'

/** @param personId - Of somebody who sees the conversation. */
export function isSeenBy({ ephemeralFor, isLost, isDeleted }: Message, personId: string): boolean {
  return !isDeleted && !isLost && (ephemeralFor === undefined || ephemeralFor === personId)
}

/**
 * An ephemeral reply to a message that has no replies yet is shown to nobody.
 * Source: docs.slack.dev/reference/methods/chat.postEphemeral, `thread_ts`.
 */
export function isLost(
  { channelId, threadTs, ephemeralFor }: NewMessage,
  among: readonly Message[],
): boolean {
  if (threadTs === undefined || ephemeralFor === undefined) return false
  const isReply = (one: Message) => one.channelId === channelId && one.threadTs === threadTs
  return !among.some((one) => isReply(one) && one.ephemeralFor === undefined && !one.isDeleted)
}
