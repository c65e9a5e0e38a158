// Requests for approval as somebody's Home tab lists them: their own, and those that wait for them.
import { briefRoleWords, type Roles } from '../grant/roles.ts'
import { classify } from '../slack/client/refusals.ts'
import type { PerWorkspace, SlackUser } from '../slack/ids.ts'
import type { LinkOf } from '../slack/slack.ts'
import type { ChannelMembers } from '../slack/workspace/channels.ts'
import type { People } from '../slack/workspace/people.ts'
import { inTime } from '../work/under-way.ts'
import type { Approval, Approvals, CardPlace } from './approvals.ts'
import { mailboxIn, partOf, userOf } from './four-eyes.ts'
import { whereOf } from './render/card.ts'
import type { ProvenUsers } from './room.ts'

interface ListingRoom {
  readonly approvals: Pick<Approvals, 'openOf' | 'openIn'>
  readonly members: PerWorkspace<ChannelMembers>
  readonly people: PerWorkspace<Pick<People, 'profileOf'>>
  readonly provenUsers: ProvenUsers
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

/** Open requests of a workspace that are looked at, and channels and askers that Slack is asked about. */
const mostLookedAt = 100
const mostChannels = 10
const mostAskers = 10
/** A list waits no longer than this for Slack. */
const mostForSlackMs = 2_000

/** Somebody's own requests that are open, the oldest first. */
export async function ownRequests(room: ListingRoom, owner: SlackUser): Promise<readonly ListedRequest[]> {
  return listed(room, await room.approvals.openOf(owner))
}

/**
 * Open requests of others that somebody can read already, those that expire first before the others: their card is in a
 * channel that this person is in, or mentions them. None of their own, nor any that gives them something, under another
 * address of the same mailbox or as the same user of the service either. None as well where Slack does not say all that in time.
 */
export async function requestsWaitingFor(
  room: ListingRoom,
  reader: SlackUser,
): Promise<readonly ListedRequest[]> {
  const { workspaceId, userId } = reader
  const open = await room.approvals.openIn(workspaceId, mostLookedAt)
  const placed = open.flatMap((approval) => {
    const { asker, barred, card } = approval
    const isInvolved = asker.userId === userId || barred.recipientIds.includes(userId)
    return isInvolved || card.kind !== 'posted' ? [] : [{ approval, card }]
  })
  const waiting = inTime(
    readableFor(room, reader, placed).then((readable) => ofOthers(room, reader, readable)),
    mostForSlackMs,
  )
  return listed(room, (await waiting) ?? [])
}

interface Placed {
  readonly approval: Approval
  readonly card: Extract<CardPlace, { kind: 'posted' }>
}

/** Those whose card this person can read, as far as Slack says. */
async function readableFor(
  { members }: Pick<ListingRoom, 'members'>,
  { workspaceId, userId }: SlackUser,
  placed: readonly Placed[],
): Promise<readonly Approval[]> {
  const mentions = ({ card }: Placed) => card.mentioned?.includes(userId) === true
  const asked = placed.filter((one) => !mentions(one)).map(({ card }) => card.channelId)
  const channels = [...new Set(asked)].slice(0, mostChannels)
  const { isMember } = members.in(workspaceId)
  const areIn = await Promise.all(channels.map((channelId) => isMember(channelId, userId)))
  const own = new Set(channels.filter((_, index) => areIn[index] === true))
  return placed.filter((one) => mentions(one) || own.has(one.card.channelId)).map(({ approval }) => approval)
}

/** One person may have two accounts in Slack, and only one of them has asked, or gets the access. */
async function ofOthers(
  room: Pick<ListingRoom, 'people' | 'provenUsers'>,
  reader: SlackUser,
  approvals: readonly Approval[],
): Promise<readonly Approval[]> {
  if (approvals.length === 0) return []
  const { workspaceId, userId } = reader
  const askers = [...new Set(approvals.map(({ asker }) => asker.userId))].slice(0, mostAskers)
  try {
    const [own, ...theirs] = await Promise.all(
      [userId, ...askers].map((id) => mailboxIn(room, { workspaceId, userId: id })),
    )
    const mailboxes = new Map(askers.map((id, index) => [id, theirs[index]]))
    const actsAs = await userOf(room, reader)
    return approvals.filter((approval) => {
      const { asker, wish } = approval
      if (!mailboxes.has(asker.userId)) return false
      const mailbox = mailboxes.get(asker.userId)
      return (
        (own === undefined || partOf(own, mailbox, wish) === undefined) &&
        actsAs(approval, mailbox) === undefined
      )
    })
  } catch (error) {
    if (classify(error).kind === 'defect') throw error
    return []
  }
}

function listed(
  { linkOf, settings }: Pick<ListingRoom, 'linkOf' | 'settings'>,
  approvals: readonly Approval[],
): Promise<readonly ListedRequest[]> {
  return Promise.all(
    approvals.map(async ({ asker, askerName, wish, container, card, until }) => ({
      askerName,
      words: askedWords({ wish, container }, settings.roles),
      link: card.kind === 'posted' ? await linkOf(asker.workspaceId, card) : undefined,
      until,
    })),
  )
}

/** “Responder on Customer 1 (12) for grace@example.com”. Raw. */
function askedWords(wanted: Pick<Approval, 'wish' | 'container'>, roles: Roles): string {
  const { permissions, emails } = wanted.wish
  const [email = '', ...others] = emails
  const whom = others.length === 0 ? email : `${email} and ${others.length} more`
  return `${briefRoleWords(permissions, roles)} on ${whereOf(wanted)} for ${whom}`
}
