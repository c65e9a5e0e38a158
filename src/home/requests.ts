// Requests for access on somebody's Home tab: what they asked for or approved of late, one line each, with its end.
import { accessOf, isForAccess } from '../grant/access.ts'
import { roleThere } from '../grant/render/access.ts'
import type { House } from '../house.ts'
import { containerInWords } from '../names/containers.ts'
import type { SendOutcome } from '../send/outcome.ts'
import { approvedBy, isOpen, type Request, type Send } from '../send/request.ts'
import { asAddUser } from '../send/writes.ts'
import type { SlackUser } from '../slack/ids.ts'

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
  /** Missing once it has ended. `link` leads to its card, where Slack has said where that stands. */
  readonly open?: { readonly until: number; readonly link: string | undefined } | undefined
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
  const said = lines.filter((one) => one !== undefined)
  const hasEnded = ({ open }: OwnRequest) => open === undefined
  return [...said.filter((one) => !hasEnded(one)), ...said.filter(hasEnded).slice(0, mostEnded)]
}

const askSuffix = ':ask'

/** @param asked - What a colleague was asked for of it. */
async function lineOf(
  house: House,
  owner: SlackUser,
  request: Request,
  asked: Request | undefined,
): Promise<OwnRequest | undefined> {
  const people = request.sends.flatMap((send) => {
    const { email } = asAddUser(send.write)
    const later = asked?.sends.find(({ write }) => asAddUser(write).email === email)
    const [whole, part] = asked !== undefined && later !== undefined ? [asked, later] : [request, send]
    const end = endOf(whole, part, house.now())
    return end === undefined ? [] : [{ email, end }]
  })
  if (people.length === 0) return undefined
  const access = accessOf(request)
  const container = containerInWords(house, owner, access.containerId)
  const { approver, declined, card, until } = (asked ?? request).approval ?? {}
  const by = declined?.by ?? approver
  const isWaiting = until !== undefined && people.some(({ end }) => end === 'waiting')
  return {
    at: request.askedAt,
    words: roleThere(access, house.config.roles, container),
    people,
    by: by?.userId === owner.userId ? undefined : by?.name,
    open: isWaiting ? { until, link: card && (await house.slack.linkOf(card)) } : undefined,
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
