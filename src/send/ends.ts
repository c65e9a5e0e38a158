// Ends of access: what one grant gave one person for a time, and when that is taken back with whose account.
//
// An end              moved by                                           becomes
// running             its time, a quarter of an hour before              warned
// running, warned     its time, or somebody who says “now”               tried
//                     whoever gave or approved it                        running, with a later time; gone: kept for good
// tried               a read that shows that nothing of it is left       gone
//                     no proof, nobody’s account, no service             due again, after longer pauses each time
import type { House } from '../house.ts'
import { isSameAddress } from '../monitor/schema.ts'
import { dueTime, type Leased, unheld } from '../work/lease.ts'
import { type AccessWrite, isAccess, type NotDoneCode, type Whom } from './outcome.ts'
import { givenBy, type Request, type RequestKey, type Send } from './request.ts'

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
  /** So often it was tried without proof; and why the last time. */
  readonly tries: number
  readonly why?: NotDoneCode | 'uncertain' | undefined
  /** Before that, nobody is told again that it could not be taken back. */
  readonly sayAgainAt?: number | undefined
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

export const warnedStep = (end: End): End => ({ ...end, ...unheld, dueAt: end.endsAt })

/** @param why - No proof that it is gone. */
export const triedStep =
  (why: End['why']) =>
  (end: End, now: number): End => ({
    ...end,
    ...{ why, tries: end.tries + 1, dueAt: now + (pauses[end.tries] ?? hourMs) },
    ...unheld,
  })

/** Another of the same person is being made. */
export const waitingStep = (end: End, now: number): End => ({
  ...end,
  ...unheld,
  dueAt: now + 5_000,
})

/** A later time, or an earlier one: what was tried by then counts no more. */
export const endingAtStep =
  (endsAt: number) =>
  (end: End, now: number): End => ({
    ...end,
    ...{ endsAt, tries: 0, why: undefined, sayAgainAt: undefined },
    dueAt: firstDue(endsAt, now),
    ...unheld,
  })

/** True where it is about the same person, on the same container. */
export function isOfSame(
  { containerId, whom: { email, there } }: End,
  other: Pick<Whom, 'email'> & { containerId: number; there?: { userId: number } | undefined },
): boolean {
  const isNumber = there !== undefined && there.userId === other.there?.userId
  const isAddress = email !== '' && isSameAddress(email, other.email)
  return containerId === other.containerId && (isNumber || isAddress)
}

/** Ends of somebody whom a list shows on that container, soonest first. */
export function endsOf(
  ends: readonly End[],
  containerId: number,
  { id, email = '' }: { readonly id?: number | undefined; readonly email?: string | undefined },
): readonly End[] {
  const there = id === undefined ? undefined : { userId: id }
  return ends
    .filter((end) => isOfSame(end, { containerId, email, there }))
    .toSorted((one, other) => one.endsAt - other.endsAt)
}

/**
 * Stores the ends of what a request gave, once, before anybody hears of the outcome: a process that dies first leaves it
 * to the next, with the telling. What was to end sooner ends with it, or stays for good where it has no end.
 */
export async function storeEnds(
  { storage: { ends, requests } }: House,
  request: Request,
): Promise<void> {
  const { workspaceId, id, endsAt, hasEnds } = request
  const gifts = hasEnds ? [] : request.sends.flatMap(giftIn)
  const all = gifts.length === 0 ? [] : await ends.list({ workspaceId })
  const isOfThem = (end: End) => gifts.some(({ write }) => isOfSame(end, write))
  const running = all.filter((end) => givenBy(end.id) !== id && isOfThem(end))
  // Most grants are for good, of somebody of whom nothing ends.
  if (endsAt === undefined && running.length === 0) return
  for (const gift of gifts) {
    const sooner = running.filter(
      (end) => isOfSame(end, gift.write) && end.endsAt <= (endsAt ?? end.endsAt),
    )
    const replaced = gift.isCertain ? sooner : []
    if (endsAt !== undefined)
      await ends.insert((now) => endOf(request, endsAt, gift, replaced, now))
    for (const end of replaced) await ends.change(end, lettingGo(gift.write))
  }
  await requests.change(request, (one) => ({ ...one, hasEnds: true }))
}

type Gift = ReturnType<typeof giftIn>[number]

/** What somebody got, or may have got. */
function giftIn({ n, write, outcome }: Send) {
  const isGift = isAccess(write) && (write.kind === 'add-user' || write.kind === 'change')
  const isCertain = outcome?.kind === 'done' && outcome.on !== 'already'
  if (!isGift || !(isCertain || outcome?.kind === 'uncertain')) return []
  const isShown = write.there !== undefined || (isCertain && outcome.on !== undefined)
  return [{ n, write, isCertain, isShown }]
}

/** @param replaced - What ended sooner: of that it takes what was to be given again. */
function endOf(
  request: Request,
  endsAt: number,
  gift: Gift,
  replaced: readonly End[],
  now: number,
): End {
  const { workspaceId, id, askerId, sender, about } = request
  const { n, isCertain, isShown, write } = gift
  const { containerId, email, there, authProvider, permissions, keeps = [], member = false } = write
  const kept = replaced.flatMap(({ flags }) => flags.filter((flag) => keeps.includes(flag)))
  return {
    ...{ workspaceId, id: `${id}.${n}`, containerId, whom: { email, there }, authProvider, member },
    flags: [...new Set([...permissions, ...kept])],
    wasThere: there !== undefined && replaced.every(({ wasThere }) => wasThere),
    absenceCounts: isShown || !isCertain,
    ...{ giverId: sender.userId, askerId, about },
    ...{ endsAt, tries: 0, dueAt: firstDue(endsAt, now), ...unheld },
  }
}

/** What is given again is no longer taken, and whoever was brought there stays. */
function lettingGo({ permissions, keeps = [], member: isMember }: AccessWrite) {
  return (end: End): End | 'gone' | undefined => {
    const flags = end.flags.filter((flag) => !permissions.includes(flag) && !keeps.includes(flag))
    const member = end.member && !isMember
    if (flags.length === end.flags.length && member === end.member) return undefined
    return flags.length === 0 && !member ? 'gone' : { ...end, flags, member, wasThere: true }
  }
}

/** What an end takes: of what it gave, all that no other running end still holds. Undefined where that is nothing. */
export async function dueOf({ storage, now }: House, end: End) {
  const all = await storage.ends.list({ workspaceId: end.workspaceId })
  const whom = { ...end.whom, containerId: end.containerId }
  // One that is due as well holds nothing: each takes all, and the second finds it gone.
  const others = all.filter((one) => one.id !== end.id && one.endsAt > now() && isOfSame(one, whom))
  const takes = end.flags.filter((flag) => !others.some(({ flags }) => flags.includes(flag)))
  const member = end.member && !others.some((one) => one.member) ? false : undefined
  const isWhole = !end.wasThere && others.length === 0
  return takes.length === 0 && member === undefined ? undefined : { takes, member, isWhole }
}
