// Requests for approval as somebody's Home tab lists them: their own, and those that wait for them.
import { briefRoleWords, type Roles } from '../grant/roles.ts'
import type { Wish } from '../grant/wish.ts'
import type { SlackUser } from '../slack/ids.ts'
import type { PerWorkspace } from '../slack/per-workspace.ts'
import type { ChannelMembers } from '../slack/workspace/members.ts'
import type { LinkOf } from '../slack/workspace/workspaces.ts'
import type { Approval, Approvals } from './approvals.ts'

interface ListingRoom {
  readonly approvals: Pick<Approvals, 'openOf' | 'openIn'>
  readonly members: PerWorkspace<ChannelMembers>
  /** Ids of people whom every request of a workspace mentions. */
  readonly mentioned: (workspaceId: string) => Promise<readonly string[]>
  readonly linkOf: LinkOf
  readonly settings: { readonly roles: Roles }
}

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

/** Open requests of a workspace that are looked at, and channels whose members Slack is asked for. */
const mostLookedAt = 100
const mostChannels = 10

/** Somebody's own requests that are open, the oldest first. */
export async function ownRequests(room: ListingRoom, owner: SlackUser): Promise<readonly ListedRequest[]> {
  return listed(room, await room.approvals.openOf(owner))
}

/**
 * Open requests of others that somebody can read already, those that expire first before the others: their card is in a
 * channel that this person is in, or mentions them. None that gives this person something. Whether they could approve
 * it, only a press tells.
 */
export async function requestsWaitingFor(
  room: ListingRoom,
  reader: SlackUser,
): Promise<readonly ListedRequest[]> {
  const { workspaceId, userId } = reader
  const open = (await room.approvals.openIn(workspaceId, mostLookedAt)).filter(
    ({ asker, barred }) => asker.userId !== userId && !barred.recipientIds.includes(userId),
  )
  const placed = open.flatMap((approval) =>
    approval.card.kind === 'posted' ? [{ approval, channelId: approval.card.channelId }] : [],
  )
  if (placed.length === 0) return []
  if ((await room.mentioned(workspaceId)).includes(userId)) {
    return listed(
      room,
      placed.map(({ approval }) => approval),
    )
  }
  const channels = [...new Set(placed.map(({ channelId }) => channelId))].slice(0, mostChannels)
  const { isMember } = room.members.in(workspaceId)
  const areIn = await Promise.all(channels.map((channelId) => isMember(channelId, userId)))
  const own = new Set(channels.filter((_, index) => areIn[index] === true))
  const readable = placed.filter(({ channelId }) => own.has(channelId))
  return listed(
    room,
    readable.map(({ approval }) => approval),
  )
}

function listed(
  { linkOf, settings }: Pick<ListingRoom, 'linkOf' | 'settings'>,
  approvals: readonly Approval[],
): Promise<readonly ListedRequest[]> {
  return Promise.all(
    approvals.map(async ({ asker, askerName, wish, card, until }) => ({
      askerName,
      words: askedWords(wish, settings.roles),
      link: card.kind === 'posted' ? await linkOf(asker.workspaceId, card) : undefined,
      until,
    })),
  )
}

/** “Responder on container 12 for grace@example.com”. Raw. */
function askedWords({ permissions, containerId, emails }: Wish, roles: Roles): string {
  const [email = '', ...others] = emails
  const whom = others.length === 0 ? email : `${email} and ${others.length} more`
  return `${briefRoleWords(permissions, roles)} on container ${containerId} for ${whom}`
}
