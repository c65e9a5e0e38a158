// Ends of access: what one grant gave one person for a time, and when that is taken back with whose account.
//
// An end              moved by                                           becomes
// running             its time, a quarter of an hour before              warned
// running, warned     its time, or somebody who says “now”               tried
//                     whoever may give it, by the rules of giving        running, with a later time; gone: kept for good
// tried               a read that shows that nothing of it is left       gone
//                     no proof, nobody’s account, no service             due again, after longer pauses each time
// any of them         a write that gives it again, or that takes it      gone, or an end of what is left
//                     somebody who has looked, and says that it’s gone   gone

import type { House } from '../house.ts'
import { plainAddress } from '../monitor/schema.ts'
import { hourMs, minuteMs } from '../work/durations.ts'
import { dueTime, type Leased, unheld } from '../work/lease.ts'
import { type AccessWrite, isAccess, type NotDoneCode, passingCodes } from './outcome.ts'
import type { Ending, Request, Send, Standing } from './request.ts'
import { isSamePerson, type Known, knownBy, type There } from './whom.ts'

/** Times are milliseconds since 1970. */
export interface End extends Ending, Leased {
  readonly authProvider?: string | undefined
  /** What the grant added, and nothing that they had before. */
  readonly flags: readonly string[]
  /** When each flag was given: limits count from then, however often it is extended. */
  readonly since: Readonly<Record<string, number>>
  readonly member: boolean
  /** False where the grant brought them onto the container. */
  readonly wasThere: boolean
  /** True once it has removed somebody whom a list had just shown: then one that lacks them shows that it is done. */
  readonly isRemoved?: boolean | undefined
  /** So often it was tried without proof; and why the last time. */
  readonly tries: number
  readonly why?: WhyNot | undefined
  /** Somebody takes it back at this moment, and until then nobody else changes it. */
  readonly takenUntil?: number | undefined
  /** Slack ids of those who have been warned, while others haven’t. */
  readonly warned?: readonly string[] | undefined
  /** Before that, nobody is told again that it could not be taken back. */
  readonly sayAgainAt?: number | undefined
}

/** Why nothing proves that it is gone. `not-listed`: no list shows them, so nothing was sent. */
export type WhyNot = NotDoneCode | 'uncertain' | 'not-listed'

const passing: readonly WhyNot[] = ['uncertain', 'changed', ...passingCodes]
/** True for a reason that may pass by itself: told of only where it lasts. */
export const isPassing = (why: WhyNot) => passing.includes(why)

/** Reference by which the ends on one container are found. */
export const refOfContainer = (containerId: number) => `on ${containerId}`

/** Lists in which ends stand, soonest first. */
export const endsIn = {
  /** The thread of an alert that they were given for. */
  thread: ({ channelId, threadTs }: { channelId: string; threadTs: string }) =>
    `in ${channelId} ${threadTs}`,
  /** Somebody in Slack who gave it, asked for it, or was named as having it. */
  person: (userId: string) => `of ${userId}`,
  /** The address of somebody who has it, where nothing else names them. */
  address: (email: string) => `of ${plainAddress(email)}`,
  /** A container, with the number or the address of somebody who has it there. */
  known: (containerId: number, by: number | string) => `on ${containerId} ${by}`,
  all: 'all',
}

export function facetsOfEnd(end: End) {
  const { id, containerId, whom, giverId, askerId, about, endsAt } = end
  const { email, slackId, there } = whom
  const { isForAll, channelId, threadTs } = about ?? {}
  const has = slackId === undefined ? endsIn.address(email) : endsIn.person(slackId)
  const lists = [
    endsIn.all,
    endsIn.person(giverId),
    endsIn.person(askerId),
    has,
    ...(email === '' ? [] : [endsIn.known(containerId, plainAddress(email))]),
    ...(there === undefined ? [] : [endsIn.known(containerId, there.userId)]),
    ...(isForAll && channelId && threadTs ? [endsIn.thread({ channelId, threadTs })] : []),
  ]
  return {
    ownerId: giverId,
    ref: refOfContainer(containerId),
    claim: id,
    dueAt: dueTime(end),
    lists: Object.fromEntries(lists.map((list) => [list, endsAt])),
  }
}

/** So long before the end people hear of it, where there is time for that. */
const warnMs = 15 * minuteMs

/** Warned of where it lasts more than twice that. */
function firstDue(endsAt: number, now: number): number {
  return endsAt - now > 2 * warnMs ? endsAt - warnMs : endsAt
}

/** Pauses after tries without proof: a minute, five, a quarter of an hour, then hours. */
const pauses = [minuteMs, 5 * minuteMs, 15 * minuteMs]

/** Nobody works on it any more. */
const free = { ...unheld, takenUntil: undefined }

export const warnedStep = (end: End): End => ({ ...end, ...free, dueAt: end.endsAt })

/** Not everybody could be told: once more in a minute, and at its time in any case. */
export const warnAgainStep = (end: End, now: number): End => ({
  ...end,
  ...free,
  dueAt: Math.min(end.endsAt, now + minuteMs),
})

/** @param why - No proof that it is gone. */
export const triedStep =
  (why: WhyNot) =>
  (end: End, now: number): End => ({
    ...end,
    ...free,
    why,
    tries: end.tries + 1,
    dueAt: now + (pauses[end.tries] ?? hourMs),
  })

/** Another of the same person is being made: where its time has come, it is due again after that. */
export const waitingStep = (end: End, now: number): End => {
  const left = { ...end, takenUntil: undefined }
  return end.endsAt > now ? left : { ...left, ...unheld, dueAt: now + 5_000 }
}

/** Longer than taking it back takes: six requests to a slow service. */
const takingMs = minuteMs

/** One caller takes it back, and nobody extends it meanwhile. */
export const takingStep = (end: End, now: number): End | undefined =>
  isBeingTaken(end, now) ? undefined : { ...end, takenUntil: now + takingMs }

export function isBeingTaken({ takenUntil = 0 }: End, now: number): boolean {
  return takenUntil > now
}

/**
 * Nobody’s account ends it, which is said before its time.
 * @param posted - Undefined where nobody could be told: that is tried again.
 */
export const orphanStep =
  (posted: Standing | undefined) =>
  (end: End, now: number): End => ({
    ...end,
    ...free,
    standing: posted ? [...end.standing, posted] : end.standing,
    dueAt: posted ? end.endsAt : Math.min(end.endsAt, now + warnMs),
  })

/** A list has shown them: they are that number from then on. */
export const shownStep =
  (there: There) =>
  (end: End): End => ({ ...end, whom: { ...end.whom, there } })

/** A later time, or an earlier one: what was tried by then counts no more. */
export const endingAtStep =
  (endsAt: number) =>
  (end: End, now: number): End | undefined => {
    if (isBeingTaken(end, now)) return undefined
    return {
      ...end,
      ...free,
      endsAt,
      tries: 0,
      why: undefined,
      warned: undefined,
      sayAgainAt: undefined,
      dueAt: firstDue(endsAt, now),
    }
  }

/** The person an end is about. */
const whoseEnd = ({ whom, authProvider }: Pick<End, 'whom' | 'authProvider'>): Known =>
  knownBy(whom, authProvider)

/** Ends of one person among others, soonest first. */
export function endsAmong(ends: readonly End[], whom: Known): readonly End[] {
  return ends
    .filter((end) => isSamePerson(whoseEnd(end), whom))
    .toSorted((one, other) => one.endsAt - other.endsAt)
}

/** Ends of one person on a container, as they are stored, soonest first. */
export async function endsOf(
  house: House,
  workspaceId: string,
  containerId: number,
  whom: Known,
): Promise<readonly End[]> {
  const { email, userId } = whom
  const address = email && plainAddress(email)
  const lists = [address, userId].flatMap((by) => (by ? endsIn.known(containerId, by) : []))
  return endsAmong(await endsListed(house, workspaceId, lists), whom)
}

/** Ends that stand in any of these lists, each once, soonest first. */
export async function endsListed(
  { storage }: House,
  workspaceId: string,
  lists: readonly string[],
): Promise<readonly End[]> {
  const found = await Promise.all(lists.map((list) => storage.ends.inList(list, workspaceId)))
  const ends = new Map(found.flat().map((end) => [end.id, end]))
  return [...ends.values()].toSorted((one, other) => one.endsAt - other.endsAt)
}

/**
 * Stores the ends of what a request gave, once, before anybody hears of the outcome: a process that dies first leaves it
 * to the next, with the telling. What was to end sooner ends with it, or stays for good where it has no end; and what a
 * read has shown to be taken away ends no more.
 * @returns Ends that are gone by that.
 */
export async function storeEnds(house: House, request: Request): Promise<readonly End[]> {
  const { ends, requests } = house.storage
  const { workspaceId, id, endsAt, hasEnds } = request
  if (hasEnds) return []
  const gone: End[] = []
  let isTouched = false
  for (const { n, write, outcome, there } of request.sends) {
    const isCertain = outcome?.kind === 'done'
    if (!isAccess(write) || !(isCertain || outcome?.kind === 'uncertain')) continue
    if (!(givesAnything(write) || write.kind === 'remove')) continue
    const isNew = givesAnything(write) && !(isCertain && outcome.on === 'already')
    const isEnding = isNew && endsAt !== undefined
    const whom = knownBy(there ? { ...write, there } : write, write.authProvider)
    const all = isCertain ? await endsOf(house, workspaceId, write.containerId, whom) : []
    // An address may be another’s by now: an end that knows a number is let go for that number alone.
    const running = all.filter(
      (end) => !end.id.startsWith(`${id}.`) && (whom.userId !== undefined || !end.whom.there),
    )
    if (!isEnding && running.length === 0) continue
    isTouched = true
    const replaced = running.filter((end) => isNew && end.endsAt <= (endsAt ?? end.endsAt))
    if (isEnding)
      await ends.insert((now) => endOf(request, endsAt, { n, write, there }, replaced, now))
    for (const end of running) {
      const step = lettingGo(write, replaced.includes(end))
      if (step(end) === 'gone') gone.push(end)
      await ends.change(end, step)
    }
  }
  // Most grants are for good, of somebody of whom nothing ends.
  if (isTouched) await requests.change(request, (one) => ({ ...one, hasEnds: true }))
  return gone
}

function givesAnything({ kind }: AccessWrite): boolean {
  return kind === 'add-user' || kind === 'change'
}

type Gift = Pick<Send, 'n' | 'there'> & { readonly write: AccessWrite }

/** @param replaced - What ended sooner: of that it takes what was to be given again. */
function endOf(
  request: Request,
  endsAt: number,
  { n, write, there }: Gift,
  replaced: readonly End[],
  now: number,
): End {
  const { workspaceId, id, askerId, sender, about, approval } = request
  const { containerId, email, slackId, authProvider, permissions, keeps = [] } = write
  const kept = replaced.flatMap(({ since }) =>
    Object.entries(since).filter(([flag]) => keeps.includes(flag)),
  )
  const since = Object.fromEntries([...kept, ...permissions.map((flag) => [flag, now] as const)])
  return {
    workspaceId,
    id: `${id}.${n}`,
    containerId,
    whom: { email, slackId, there: there ?? write.there },
    authProvider,
    flags: Object.keys(since),
    since,
    member: write.member ?? false,
    wasThere: write.there !== undefined && replaced.every(({ wasThere }) => wasThere),
    giverId: sender.userId,
    askerId,
    card: approval?.card,
    about,
    endsAt,
    tries: 0,
    standing: [],
    dueAt: firstDue(endsAt, now),
    ...unheld,
  }
}

/**
 * What a write took is gone. What it gave again no longer ends, and whoever was brought there stays.
 * @param isReplaced - What it gave lasts at least as long.
 */
function lettingGo(write: AccessWrite, isReplaced: boolean) {
  const { kind, permissions, keeps = [], takes = [] } = write
  const given: readonly string[] = isReplaced ? [...permissions, ...keeps] : []
  return (end: End): End | 'gone' | undefined => {
    if (kind === 'remove') return 'gone'
    const flags = end.flags.filter((flag) => !given.includes(flag) && !takes.includes(flag))
    const isTaken = kind === 'change' && write.member === false
    const member = end.member && !isTaken && !(write.member && isReplaced)
    if (flags.length === end.flags.length && member === end.member) return undefined
    if (flags.length === 0 && !member) return 'gone'
    return { ...end, flags, member, wasThere: end.wasThere || isReplaced }
  }
}

/** What an end takes: of what it gave, all that no other running end still holds. Undefined where that is nothing. */
export async function dueOf(house: House, end: End) {
  const now = house.now()
  const all = await endsOf(house, end.workspaceId, end.containerId, whoseEnd(end))
  // One that is due as well holds nothing: each takes all, and the second finds it gone.
  const others = all.filter((one) => one.id !== end.id && one.endsAt > now)
  const takes = end.flags.filter((flag) => !others.some(({ flags }) => flags.includes(flag)))
  const member = end.member && !others.some((one) => one.member) ? false : undefined
  const isWhole = !end.wasThere && others.length === 0
  const isSeatAlone = isWhole && end.flags.length === 0
  if (takes.length === 0 && member === undefined && !isSeatAlone) return undefined
  // Once it has taken a membership, a list of members lacks them whatever they still have.
  const staysMember = end.whom.there?.member === true && (member === undefined || isWhole)
  const absenceProves = staysMember || end.isRemoved === true
  return { takes, member, isWhole, absenceProves }
}
