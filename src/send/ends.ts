// Ends of access: what one grant gave one person for a time, and when that is taken back with whose account.
//
// An end              moved by                                           becomes
// running             its time, a quarter of an hour before              warned
// running, warned     its time, or somebody who says “now”               tried
//                     whoever gave or approved it                        running, with a later time; gone: kept for good
// tried               a read that shows that nothing of it is left       gone
//                     no proof, nobody’s account, no service             due again, after longer pauses each time
import type { House } from '../house.ts'
import { dueTime, type Leased, unheld } from '../work/lease.ts'
import { type AccessWrite, asAccess, isAccess, type NotDoneCode, type Whom } from './outcome.ts'
import type { Request, RequestKey } from './request.ts'

/** Times are milliseconds since 1970. */
export interface End extends RequestKey, Leased {
  readonly containerId: number
  /** `there` has their number at the service, where they were on the container before. */
  readonly whom: Whom
  readonly authProvider?: string | undefined
  /** What the grant added, and nothing that they had before. */
  readonly flags: readonly string[]
  readonly member: boolean
  /** False where the grant brought them onto the container. */
  readonly wasThere: boolean
  /** False where it was certainly given, and its giver’s token has never shown them there: it may not show them now. */
  readonly absenceCounts: boolean
  /** Owner of the token that gave it, and whoever had asked for it. */
  readonly giverId: string
  readonly askerId: string
  /** Where its thread is, and what it was given for. */
  readonly about?: Request['about']
  readonly endsAt: number
  readonly isWarned: boolean
  /** So often it was tried without proof; and why the last time. */
  readonly tries: number
  readonly why?: NotDoneCode | 'uncertain' | undefined
  /** When somebody was told last that it could not be taken back. */
  readonly saidAt?: number | undefined
  readonly saidTimes: number
}

export function facetsOfEnd(end: End) {
  return { ownerId: end.giverId, ref: '', claim: end.id, dueAt: dueTime(end) }
}

const minuteMs = 60_000
/** So long before the end people hear of it, where there is time for that. */
const warnMs = 15 * minuteMs

/** Warned of where it lasts more than twice that. */
function firstDue(endsAt: number, now: number): number {
  return endsAt - now > 2 * warnMs ? endsAt - warnMs : endsAt
}

/** Pauses after tries without proof: a minute, five, a quarter of an hour, then hours. */
const pauses = [minuteMs, 5 * minuteMs, 15 * minuteMs]
export const hourMs = 60 * minuteMs

export const warnedStep = (end: End): End => ({ ...end, ...unheld, isWarned: true, dueAt: end.endsAt })

/** @param why - No proof that it is gone. */
export const triedStep =
  (why: End['why']) =>
  (end: End, now: number): End => ({
    ...end,
    ...{ why, tries: end.tries + 1, dueAt: now + (pauses[end.tries] ?? hourMs) },
    ...unheld,
  })

/** Another of the same person is being made. */
export const waitingStep = (end: End, now: number): End => ({ ...end, ...unheld, dueAt: now + 5_000 })

/** A later time, or an earlier one: what was tried by then counts no more. */
export const endingAtStep =
  (endsAt: number) =>
  (end: End, now: number): End => ({
    ...end,
    ...{ endsAt, isWarned: endsAt <= now, tries: 0, why: undefined, saidAt: undefined, saidTimes: 0 },
    dueAt: firstDue(endsAt, now),
    ...unheld,
  })

/** True of two ends of what one person has on one container. */
function isOfSame(one: End, other: Pick<End, 'containerId' | 'whom'>): boolean {
  const isNumber = one.whom.there !== undefined && one.whom.there.userId === other.whom.there?.userId
  const isAddress = one.whom.email !== '' && one.whom.email.toLowerCase() === other.whom.email.toLowerCase()
  return one.containerId === other.containerId && (isNumber || isAddress)
}

/** Id of the request that gave it. */
export const requestOf = (endId: string) => endId.replace(/\.\d+$/, '')

/** What a request gave for a time: an end for each person who got it, or may have got it. */
function endsOf(request: Request, now: number): readonly End[] {
  const { workspaceId, id, askerId, sender, about, endsAt } = request
  if (endsAt === undefined) return []
  return request.sends.flatMap(({ n, write, outcome }) => {
    const isGiven = outcome?.kind === 'uncertain' || (outcome?.kind === 'done' && outcome.on !== 'already')
    if (!isGiven) return []
    const { containerId, email, there, authProvider, permissions, member = false } = asAccess(write)
    const wasThere = there !== undefined
    return {
      ...{ workspaceId, id: `${id}.${n}`, ...unheld, dueAt: firstDue(endsAt, now), endsAt, isWarned: false },
      ...{
        containerId,
        whom: { email, there },
        authProvider,
        flags: permissions,
        member,
        wasThere,
        absenceCounts: wasThere || outcome.kind === 'uncertain' || outcome.on !== undefined,
      },
      ...{ giverId: sender.userId, askerId, about, tries: 0, saidTimes: 0 },
    }
  })
}

/**
 * Stores the ends of what a request gave, once, before anybody hears of the outcome: a process that dies first leaves it
 * to the next, with the telling. Whatever was to end sooner goes with the new end, or stays for good where there is none.
 */
export async function storeEnds(
  { storage: { ends, requests }, now }: House,
  request: Request,
): Promise<void> {
  const given = request.sends.flatMap(({ write, outcome }) =>
    outcome?.kind === 'done' && isAccess(write) && isGift(write) ? [write] : [],
  )
  const all = given.length === 0 ? [] : await ends.list({ workspaceId: request.workspaceId })
  const isMeant = (end: End) =>
    given.some((one) => isOfSame(end, { containerId: one.containerId, whom: one })) &&
    requestOf(end.id) !== request.id
  const running = all.filter(isMeant)
  // Most grants are for good, of somebody of whom nothing ends.
  if (request.endsAt === undefined && running.length === 0) return
  if ((await requests.find(request))?.hasEnds) return
  for (const end of endsOf(request, now())) {
    const sooner = running.filter((one) => isOfSame(one, end) && one.endsAt <= end.endsAt)
    const write = given.find((one) => isOfSame(end, { containerId: one.containerId, whom: one }))
    const taken = sooner.flatMap(({ flags }) => flags.filter((flag) => write?.keeps?.includes(flag)))
    const isBrought = sooner.some(({ wasThere }) => !wasThere)
    const wasThere = end.wasThere && !isBrought
    await ends.insert(() => ({ ...end, flags: [...new Set([...end.flags, ...taken])], wasThere }))
  }
  for (const write of given)
    for (const end of running)
      if (
        isOfSame(end, { containerId: write.containerId, whom: write }) &&
        end.endsAt <= (request.endsAt ?? end.endsAt)
      )
        await ends.change(end, lettingGo(write, request.endsAt === undefined))
  await requests.change(request, (one) => ({ ...one, hasEnds: true }))
}

const isGift = ({ kind }: AccessWrite) => kind === 'add-user' || kind === 'change'

/** @param isForGood - Else another end has taken it over. */
function lettingGo({ permissions, keeps = [], member: isMember }: AccessWrite, isForGood: boolean) {
  return (end: End): End | 'gone' | undefined => {
    const flags = end.flags.filter((flag) => !permissions.includes(flag) && !keeps.includes(flag))
    const member = end.member && !isMember
    if (flags.length === end.flags.length && member === end.member) return undefined
    return flags.length === 0 && !member
      ? 'gone'
      : { ...end, flags, member, wasThere: isForGood || end.wasThere }
  }
}

/** What an end takes: of what it gave, all that no other running end still holds. */
export async function dueOf({ storage, now }: House, end: End) {
  const all = await storage.ends.list({ workspaceId: end.workspaceId })
  // One that is due as well holds nothing: each takes all, and the second finds it gone.
  const others = all.filter((one) => one.id !== end.id && one.endsAt > now() && isOfSame(one, end))
  const takes = end.flags.filter((flag) => !others.some(({ flags }) => flags.includes(flag)))
  const isMember = end.member && !others.some(({ member }) => member)
  return {
    takes,
    member: isMember ? false : undefined,
    isWhole: !end.wasThere && others.length === 0,
  } as const
}
