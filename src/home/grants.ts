// Access that somebody asked for or approved of late, for their Home tab: one line a request, with its end.
import { accessOf, isForAccess } from '../grant/access.ts'
import { roleThere } from '../grant/render/access.ts'
import type { House } from '../house.ts'
import { containerInWords } from '../names/containers.ts'
import type { SendOutcome } from '../send/outcome.ts'
import { approvedBy, type Request, type Send } from '../send/request.ts'
import { asAddUser } from '../send/writes.ts'
import type { SlackUser } from '../slack/ids.ts'

/** What became of one person. */
export type GrantEnd = SendOutcome['kind'] | 'under-way' | 'declined' | 'withdrawn' | 'expired'

export interface GrantedLately {
  /** When it was asked, in milliseconds since 1970. */
  readonly at: number
  /** “Responder on Customer 1 (12)”, raw. */
  readonly words: string
  /** At least one, in the order in which they were typed. */
  readonly people: readonly { readonly email: string; readonly end: GrantEnd }[]
  /** The colleague who approved or declined it, raw. */
  readonly by: string | undefined
}

/** Among so many of each kind they are looked for. */
const mostRequests = 60

/** The last ones, newest first. */
export async function lastGrants(
  house: House,
  owner: SlackUser,
  most: number,
): Promise<readonly GrantedLately[]> {
  const { workspaceId, userId } = owner
  const { requests } = house.storage
  const [own, approved] = await Promise.all([
    requests.list({ workspaceId, ownerId: userId, newest: mostRequests }),
    requests.list({ workspaceId, ref: approvedBy(userId), newest: mostRequests }),
  ])
  const all = [...own, ...approved].filter(isForAccess)
  const byId = new Map(all.map((one) => [one.id, one]))
  return all
    .filter(({ id }) => !(id.endsWith(askSuffix) && byId.has(id.slice(0, -askSuffix.length))))
    .toSorted((one, other) => other.askedAt - one.askedAt)
    .flatMap((one) => lineOf(house, owner, one, byId.get(one.id + askSuffix)) ?? [])
    .slice(0, most)
}

const askSuffix = ':ask'

/** @param asked - What a colleague was asked for of it. Nothing is said of whom that is open for: it is listed by itself. */
function lineOf(
  house: House,
  owner: SlackUser,
  request: Request,
  asked: Request | undefined,
): GrantedLately | undefined {
  const people = request.sends.flatMap((send) => {
    const { email } = asAddUser(send.write)
    const later = asked?.sends.find(({ write }) => asAddUser(write).email === email)
    const end = asked !== undefined && later !== undefined ? endOf(asked, later) : endOf(request, send)
    return end === undefined ? [] : [{ email, end }]
  })
  if (people.length === 0) return undefined
  const access = accessOf(request)
  const container = containerInWords(house, owner, access.containerId)
  const { approver, declined } = (asked ?? request).approval ?? {}
  const by = declined?.by ?? approver
  return {
    at: request.askedAt,
    words: roleThere(access, house.config.roles, container),
    people,
    by: by?.userId === owner.userId ? undefined : by?.name,
  }
}

/** Undefined for what was never sent, and for what waits for a colleague. */
function endOf({ state, end, attempt }: Request, { outcome }: Send): GrantEnd | undefined {
  if (end === 'declined' || end === 'withdrawn' || end === 'expired') return end
  if (state === 'requested' || attempt === 0) return undefined
  return outcome?.kind ?? 'under-way'
}
