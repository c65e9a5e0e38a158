// Former ids of wishes, as versions before migration 0017 made them. Goes with 0.2, like `pruneFormer` in storage.
import type { Wishes } from '../send/wishes.ts'
import type { SlackUser } from '../slack/ids.ts'
import { isSameWish } from './line/line.ts'
import { type Wish, wishOf } from './wish.ts'

/**
 * A form that was submitted to the version before, and is submitted again, as Slack did not hear the answer: several
 * people were kept under another id then.
 * @returns The id under which this very wish is kept; undefined where it is not.
 */
export async function formerIdOf(
  wishes: Pick<Wishes, 'find'>,
  asker: SlackUser,
  id: string,
  wish: Wish,
): Promise<string | undefined> {
  if (wish.emails.length === 1) return undefined
  const kept = await wishes.find(asker.workspaceId, `several:${id}`)
  if (kept?.sender.userId !== asker.userId) return undefined
  return isSameWish(wishOf(kept), wish) ? kept.id : undefined
}
