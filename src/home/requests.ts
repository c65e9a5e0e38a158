// Requests for access on somebody's Home tab, one line each: those of others that wait for them, and what they asked for or
// approved of late, with its end.
import { accessOf, isForAccess, roleThere, wantedWords } from '../grant/access.ts'
import type { House } from '../house.ts'
import { containerInWords } from '../names/containers.ts'
import { asAddUser, type SendOutcome } from '../send/outcome.ts'
import {
  type Approval,
  approvalIn,
  approvedBy,
  isOpen,
  type Request,
  type Send,
  toBeApproved,
} from '../send/request.ts'
import type { SlackUser } from '../slack/person.ts'

/** A request that can still be decided on: until when, and where its card is, where Slack has said so. */
export interface OpenRequest {
  /** Milliseconds since 1970. */
  readonly until: number
  readonly link: string | undefined
}

/** Somebody else's, with what is asked for. Both raw. */
export interface WaitingRequest extends OpenRequest {
  readonly askerName: string
  readonly words: string
}

/**
 * Open requests of others that somebody can read already, those that expire first before the others: requests mention this
 * person, or their card is in the approval channel and they are in it. None that gives them something.
 */
export async function requestsWaitingFor(
  house: House,
  { workspaceId, userId }: SlackUser,
): Promise<readonly WaitingRequest[]> {
  const requests = await house.storage.requests.list({ workspaceId, ref: toBeApproved })
  const others = requests
    .filter((one) => isOpen(one, house.now()))
    .flatMap((one) => approvalIn(one) ?? [])
    .filter(({ askerId, approval }) => askerId !== userId && !approval.barred.recipientIds.includes(userId))
    .toSorted((one, other) => one.approval.until - other.approval.until)
  const { channelId, mention } = house.config.approval
  const isMember =
    others.length > 0 && channelId !== undefined && (await house.slack.channels.isMember(channelId, userId))
  const isReadable = ({ approval: { card } }: Approval) =>
    card !== undefined && (mention.includes(userId) || (isMember && card.channelId === channelId))
  return Promise.all(
    others.filter(isReadable).map(async (request) => {
      const { askerName, container } = request.approval
      const words = wantedWords(accessOf(request), house.config.roles, container)
      return { askerName, words, ...(await openOf(house, request)) }
    }),
  )
}

async function openOf({ slack }: House, { approval: { until, card } }: Approval): Promise<OpenRequest> {
  return { until, link: card && (await slack.linkOf(card)) }
}

/** What became of one person. */
export type RequestEnd = SendOutcome['kind'] | 'under-way' | 'waiting' | 'declined' | 'withdrawn' | 'expired'

export interface OwnRequest {
  /** When it was asked, in milliseconds since 1970. */
  readonly at: number
  /** “Responder on Customer 1 (12)”, raw. */
  readonly words: string
  /** At least one, in the order in which they were typed. */
  readonly people: readonly { readonly email: string; readonly end: RequestEnd }[]
  /** The colleague who approved or declined it, raw. */
  readonly by: string | undefined
  /** Missing once it has ended. */
  readonly open?: OpenRequest | undefined
}

/** Among so many of each kind they are looked for. */
const mostRequests = 60

/** All that are open, then the last that have ended; newest first. */
export async function requestsOf(
  house: House,
  owner: SlackUser,
  mostEnded: number,
): Promise<readonly OwnRequest[]> {
  const { workspaceId, userId } = owner
  const { requests } = house.storage
  const [own, approved] = await Promise.all([
    requests.list({ workspaceId, ownerId: userId, newest: mostRequests }),
    requests.list({ workspaceId, ref: approvedBy(userId), newest: mostRequests }),
  ])
  const all = [...own, ...approved].filter(isForAccess)
  const byId = new Map(all.map((one) => [one.id, one]))
  const lines = await Promise.all(
    all
      .filter(({ id }) => !(id.endsWith(askSuffix) && byId.has(id.slice(0, -askSuffix.length))))
      .toSorted((one, other) => other.askedAt - one.askedAt)
      .map((one) => lineOf(house, owner, one, byId.get(one.id + askSuffix))),
  )
  const { open = [], ended = [] } = Object.groupBy(
    lines.filter(({ people }) => people.length > 0),
    (one) => (one.open === undefined ? 'ended' : 'open'),
  )
  return [...open, ...ended.slice(0, mostEnded)]
}

const askSuffix = ':ask'

/** @param asked - What a colleague was asked for of it. @returns Without people where it was never sent. */
async function lineOf(
  house: House,
  owner: SlackUser,
  request: Request,
  asked: Request | undefined,
): Promise<OwnRequest> {
  const people = request.sends.flatMap((send) => {
    const { email } = asAddUser(send.write)
    const later = asked?.sends.find(({ write }) => asAddUser(write).email === email)
    const end = asked && later ? endOf(asked, later, house.now()) : endOf(request, send, house.now())
    return end === undefined ? [] : [{ email, end }]
  })
  const access = accessOf(request)
  const approval = approvalIn(asked ?? request)
  const by = approval?.approval.declined?.by ?? approval?.approval.approver
  const isWaiting = people.some(({ end }) => end === 'waiting')
  return {
    at: request.askedAt,
    words: roleThere(access, house.config.roles, containerInWords(house, owner, access.containerId)),
    people,
    by: by?.userId === owner.userId ? undefined : by?.name,
    open: approval && isWaiting ? await openOf(house, approval) : undefined,
  }
}

/** Undefined for what was never sent. */
function endOf(request: Request, { outcome }: Send, now: number): RequestEnd | undefined {
  const { state, end, attempt } = request
  if (end === 'declined' || end === 'withdrawn' || end === 'expired') return end
  if (state === 'requested') return isOpen(request, now) ? 'waiting' : 'expired'
  if (attempt === 0) return undefined
  return outcome?.kind ?? 'under-way'
}
