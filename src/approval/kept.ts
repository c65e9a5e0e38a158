// Wishes that were kept when somebody typed them, as far as a colleague may be asked to agree with them.
import { leftToApprove, resultsOf, type Wish, wishOf } from '../grant/wish.ts'
import type { KeptWish, Wishes } from '../send/wishes.ts'
import type { SlackUser } from '../slack/ids.ts'

export interface ToApprove {
  readonly wish: Wish
  /** Where it was asked; undefined when there was no channel. */
  readonly channelId: string | undefined
}

/**
 * What of a wish a colleague could grant: what was refused for want of rights, or never sent.
 * @returns Undefined when there is nothing such, when it is unknown, and when it is somebody else's.
 */
export async function keptToApprove(
  wishes: Pick<Wishes, 'find'>,
  asker: SlackUser,
  id: string,
): Promise<ToApprove | undefined> {
  const kept = await wishes.find(asker.workspaceId, id)
  return kept?.sender.userId === asker.userId ? partOf(kept) : undefined
}

/** Takes it out of play: it is not sent by itself any more. False when it was sent meanwhile. */
export async function handOver(
  wishes: Pick<Wishes, 'find' | 'cancel'>,
  asker: SlackUser,
  id: string,
): Promise<boolean> {
  await wishes.cancel(asker, id, 'handed-over')
  const kept = await wishes.find(asker.workspaceId, id)
  return kept?.sender.userId === asker.userId && kept.state !== 'asked' && partOf(kept) !== undefined
}

function partOf(kept: KeptWish): ToApprove | undefined {
  const { channelId } = kept
  const wish = wishOf(kept)
  if (kept.state !== 'sending' && kept.state !== 'settled') return { wish, channelId }
  const emails = leftToApprove(kept.state === 'settled' ? (resultsOf(kept) ?? []) : [])
  return emails.length === 0 ? undefined : { wish: { ...wish, emails }, channelId }
}
