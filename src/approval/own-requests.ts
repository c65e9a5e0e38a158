// Somebody's open requests, for where they see all that is theirs.
import { wishWords } from '../grant/render/wish.ts'
import type { LinkOf } from '../slack/workspace/workspaces.ts'
import type { Approval } from './approvals.ts'

export interface OwnRequest {
  /** What is asked for, raw. */
  readonly words: string
  /** Of its card, where it stands in a channel and Slack has said where. */
  readonly link: string | undefined
  /** Milliseconds since 1970. */
  readonly until: number
}

export async function ownRequest(
  { asker, wish, card, until }: Approval,
  linkOf: LinkOf,
): Promise<OwnRequest> {
  const link = card.kind === 'posted' ? await linkOf(asker.workspaceId, card) : undefined
  return { words: wishWords(wish), link, until }
}
