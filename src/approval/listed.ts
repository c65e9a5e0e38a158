// Requests for approval that wait for somebody, as their Home tab lists them.
import { accessOf } from '../grant/access.ts'
import { wantedWords } from '../grant/render/access.ts'
import type { House } from '../house.ts'
import { approvalIn, isOpen, toBeApproved } from '../send/request.ts'
import type { SlackUser } from '../slack/ids.ts'

export interface ListedRequest {
  /** The asker's, raw. */
  readonly askerName: string
  /** The access that is asked for, raw. */
  readonly words: string
  /** Leads to its card, where that stands in a channel and Slack has said where. */
  readonly link: string | undefined
  /** Milliseconds since 1970. */
  readonly until: number
}

/**
 * Open requests of others that somebody can read already, those that expire first before the others: requests mention this
 * person, or their card is in the approval channel and they are in it. None that gives them something.
 */
export async function requestsWaitingFor(
  house: House,
  { workspaceId, userId }: SlackUser,
): Promise<readonly ListedRequest[]> {
  const requests = await house.storage.requests.list({ workspaceId, ref: toBeApproved })
  const others = requests
    .filter((one) => isOpen(one, house.now()))
    .flatMap((one) => approvalIn(one) ?? [])
    .filter(({ askerId, approval }) => askerId !== userId && !approval.barred.recipientIds.includes(userId))
    .toSorted((one, other) => one.approval.until - other.approval.until)
  if (others.length === 0) return []
  const { channelId, mention } = house.config.approval
  const isMember =
    channelId !== undefined && (await house.slack.channels.isMember(channelId, userId)) === true
  const waiting = others.filter(
    ({ approval: { card } }) =>
      card !== undefined && (mention.includes(userId) || (isMember && card.channelId === channelId)),
  )
  return Promise.all(
    waiting.map(async (request) => {
      const { askerName, container, card, until } = request.approval
      const words = wantedWords(accessOf(request), house.config.roles, container)
      return { askerName, words, link: card && (await house.slack.linkOf(card)), until }
    }),
  )
}
