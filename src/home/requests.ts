// Lists requests for access on somebody's Home tab, one line each: other people's that wait for them, and those that they
// made or approved of late, with the outcome in the words of cards and receipts.
import { stateWordsOf } from '../approval/render.ts'
import { accessOf, isForAccess, isGranted, resultsOf } from '../grant/access.ts'
import { accessLine, endWords } from '../grant/render/words.ts'
import type { House } from '../house.ts'
import { containerInWords } from '../names/containers.ts'
import { approvalIn, approvedBy, isOpen, type Request, toBeApproved } from '../send/request.ts'
import type { SlackUser } from '../slack/person.ts'
import { cut } from '../slack/text/mrkdwn.ts'

/** A request in a line. Times are milliseconds since 1970. */
export interface ListedRequest {
  /** The request and its outcome, in words. Raw. */
  readonly words: string
  readonly askedAt: number
  /** Until when the request can be decided on; undefined once it is concluded. */
  readonly until?: number | undefined
  readonly link?: string | undefined
}

async function requestListed(
  house: House,
  request: Request,
  words: string,
): Promise<ListedRequest> {
  const { askedAt, approval } = request
  if (!isOpen(request, house.now())) return { words, askedAt }

  const link = approval?.card && (await house.slack.linkOf(approval.card))
  return { words, askedAt, until: approval?.until, link }
}

/**
 * Open requests of others for this person to decide on: cards mention them, or the card is in the channel for approvals, and
 * they are a member there. Requests that give them something are left out. The first to expire comes first.
 */
export async function requestsWaitingFor(house: House, { workspaceId, userId }: SlackUser) {
  const requests = await house.storage.requests.list({ workspaceId, ref: toBeApproved })
  const others = requests
    .filter((one) => isOpen(one, house.now()) && one.askerId !== userId)
    .flatMap((one) => approvalIn(one) ?? [])
    .filter(({ approval }) => approval.card && !approval.barred.recipientIds.includes(userId))
    .toSorted((one, other) => one.approval.until - other.approval.until)
  const { channelId, mention } = house.config.approval
  const isMember =
    others.length > 0 && channelId && (await house.slack.channels.isMember(channelId, userId))
  const readable = others.filter(({ approval: { card } }) => {
    const isThere = isMember && card?.channelId === channelId
    return isThere || mention.includes(userId)
  })

  return Promise.all(
    readable.map((request) => {
      const { askerName, container } = request.approval
      const wanted = accessLine(accessOf(request), house.config.roles, container)
      return requestListed(house, request, `${askerName} asks: ${wanted}`)
    }),
  )
}

/** Most requests that are searched among those that somebody made, and among those that they approved. */
const mostRequests = 60

/** Requests that somebody made or approved: all that are open, then the last that are concluded; newest first. */
export async function requestsOf(house: House, owner: SlackUser, mostConcluded: number) {
  const { workspaceId, userId } = owner
  const { requests } = house.storage
  const [own, approved] = await Promise.all([
    requests.list({ workspaceId, ownerId: userId, newest: mostRequests }),
    requests.list({ workspaceId, ref: approvedBy(userId), newest: mostRequests }),
  ])
  const all = [...own, ...approved].filter(isForAccess)
  const ids = new Set(all.map(({ id }) => id))
  const isShown = (one: Request) => {
    // Two kinds are shown only if something was granted. If a colleague was asked for a grant, the request to them says the
    // rest. If access could not be taken back, the list of access that ends says so.
    const isElsewhere = ids.has(`${one.id}:ask`) || accessOf(one).kind === 'take-back'
    if (isElsewhere) return resultsOf(one).some(isGranted)

    return one.attempt > 0 || one.approval
  }

  const shown = all.filter(isShown).toSorted((one, other) => other.askedAt - one.askedAt)
  const lines = await Promise.all(
    shown.map((one) => requestListed(house, one, requestLine(house, owner, one))),
  )
  const { open = [], concluded = [] } = Object.groupBy(lines, ({ until }) =>
    until ? 'open' : 'concluded',
  )

  return [...open, ...concluded.slice(0, mostConcluded)]
}

const longestEnd = 100

/** “✅ Granted by you · Viewer on Customer 1 (12) for dave@example.com”. */
function requestLine(house: House, owner: SlackUser, request: Request): string {
  const access = accessOf(request)
  const approval = approvalIn(request)
  const ended =
    request.state === 'sending' ? '⏳ Under way' : endWords(access.kind, resultsOf(request))
  const end = approval ? (stateWordsOf(approval, owner.userId) ?? '⏳ Waiting for approval') : ended
  const container = containerInWords(house, owner, access.containerId)

  return `${cut(end, longestEnd)} · ${accessLine(access, house.config.roles, container)}`
}
