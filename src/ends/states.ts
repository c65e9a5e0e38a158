// Ends of access: what one grant gave one person for a time, and when and with whose account that is taken back. Here is
// what each says, the steps of its life, and where it is found.
//
// States are not stored; each follows from the fields of the document. Being taken: takenUntil is to come. Tried: tries is not
// 0. Warned: neither of these, and nothing is due before endsAt. Running: anything else. Gone: there is no document.
//
// state                moved by                                           becomes
// running              a quarter of an hour before its time               warned; or due in a minute, as somebody has not heard
//                      the account of whoever gave it goes                warned, in a message to whoever can do something
// running, warned      its time, or somebody who says “now”               being taken; tried, where nobody’s account ends it
// being taken          a read that shows that nothing of it is left       gone
//                      no such proof, at its time                         tried
//                      no such proof, once somebody had said “now”        running or warned, as it was before
// tried                a pause, longer each time; somebody who says “now” being taken; tried, as above
// all but being taken  whoever may give it, by the rules of giving        running, with a later time; gone: kept for good
//                      whoever has it, and gives it up                    running, and its time is now
// any of these         a write that gives it again, or that takes it      gone, or an end of what is left
//                      its time, where other ends hold all that it gave   gone
//                      somebody who has looked, and says that it’s gone   gone
//
// Beside that, an end has marks. Each goes by itself, and any two may be there at once. A later time takes away
// warnedIds, tries, why and sayAgainAt; it is refused while there is takenUntil.
//
// mark              set by                                             taken away by
// warnedIds         each who has heard that it ends soon
// tries             a try without proof, that of somebody’s “now” apart
// why               the same try
// sayAgainAt        the word that somebody still has it, after its time
// takenUntil        whoever takes it back                              the outcome of that, or a minute
// isRemoved         a removal that was sent, without proof             a later try that a list shows them in
// standingMessages  each message that says that it is still there      the end alone: then each says what became of it

import type { House } from '../house.ts'
import { plainAddress } from '../monitor/schema.ts'
import { type NotDoneCode, passingCodes } from '../send/outcome.ts'
import type { StandingMessage, TimedAccess } from '../send/request.ts'
import { isSamePerson, type Known, knownBy, type There } from '../send/whom.ts'
import { hourMs, minuteMs } from '../work/durations.ts'
import { dueTime, type Leased, unheld } from '../work/lease.ts'

/** Times are milliseconds since 1970. */
export interface End extends TimedAccess, Leased {
  readonly authProvider?: string | undefined
  /** Flags that the grant added, and nothing that they had before. */
  readonly flags: readonly string[]
  /** When each flag was given: limits count from then, however often it is extended. */
  readonly since: Readonly<Record<string, number>>
  readonly member: boolean
  /** False where the grant brought them onto the container. */
  readonly wasThere: boolean
  /** True once a try has removed somebody whom a list had just shown: a list without them proves that it is gone. */
  readonly isRemoved?: boolean | undefined
  /** How often it was tried without proof that it is gone; and why there was none the last time. */
  readonly tries: number
  readonly why?: WhyNot | undefined
  /** Set while somebody takes it back: until then nobody else changes it. */
  readonly takenUntil?: number | undefined
  /** Slack ids of those who have been warned, while others haven’t. */
  readonly warnedIds?: readonly string[] | undefined
  /** Before this time, nobody is told again that it could not be taken back. */
  readonly sayAgainAt?: number | undefined
}

/** The reason why nothing proves that it is gone. `not-listed`: no list shows them, so nothing was sent. */
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
    email && endsIn.known(containerId, plainAddress(email)),
    there && endsIn.known(containerId, there.userId),
    isForAll && channelId && threadTs && endsIn.thread({ channelId, threadTs }),
  ]
  return {
    ownerId: giverId,
    ref: refOfContainer(containerId),
    claim: id,
    dueAt: dueTime(end),
    lists: Object.fromEntries(lists.flatMap((list) => (list ? [[list, endsAt]] : []))),
  }
}

/** So long before the end people hear of it, where there is time for that. */
const warnMs = 15 * minuteMs

/** Time of the first look: to warn people, where it lasts longer than twice `warnMs`; else to take it back. */
export function firstDue(endsAt: number, now: number): number {
  return endsAt - now > 2 * warnMs ? endsAt - warnMs : endsAt
}

/** Pauses after tries without proof: a minute, five, a quarter of an hour, then hours. */
const pauses = [minuteMs, 5 * minuteMs, 15 * minuteMs]

/** Fields of an end that nobody works on any more. */
const free = { ...unheld, takenUntil: undefined }

/** Everybody has been warned: nothing is due before its time. */
export const restStep = (end: End): End => ({ ...end, ...free, dueAt: end.endsAt })

/** Not everybody could be told: once more in a minute, and at its time in any case. */
export const warnAgainStep = (end: End, now: number): End => ({
  ...end,
  ...free,
  dueAt: Math.min(end.endsAt, now + minuteMs),
})

/** Notes a try without proof, and the time of the next. @param why - The reason why nothing proves that it is gone. */
export const triedStep =
  (why: WhyNot) =>
  (end: End, now: number): End => ({
    ...end,
    ...free,
    why,
    tries: end.tries + 1,
    dueAt: now + (pauses[end.tries] ?? hourMs),
  })

/** Waits for another take-back from the same person: where the time has come, it is due again in five seconds. */
export const waitingStep = (end: End, now: number): End => {
  const left = { ...end, takenUntil: undefined }
  return end.endsAt > now ? left : { ...left, ...unheld, dueAt: now + 5_000 }
}

/** Longest time that taking it back can take: six requests to a slow service. */
const takingMs = minuteMs

/** Reserves an end for one caller, who takes it back; nobody extends it meanwhile. */
export const takingStep = (end: End, now: number): End | undefined =>
  isBeingTaken(end, now) ? undefined : { ...end, takenUntil: now + takingMs }

export function isBeingTaken({ takenUntil = 0 }: End, now: number): boolean {
  return takenUntil > now
}

/**
 * Notes that people were told, before its time, that nobody’s account will take it back.
 * @param posted - The message; undefined where nobody could be told: that is tried again.
 */
export const orphanStep =
  (posted: StandingMessage | undefined) =>
  (end: End, now: number): End => ({
    ...end,
    ...free,
    standingMessages: posted ? [...end.standingMessages, posted] : end.standingMessages,
    dueAt: posted ? end.endsAt : Math.min(end.endsAt, now + warnMs),
  })

/** Keeps the person as a list has shown them: from then on they are known by their number. */
export const shownStep =
  (there: There) =>
  (end: End): End => ({ ...end, whom: { ...end.whom, there } })

/** Moves the end to another time: tries and warnings before count no more. Undefined while it is being taken back. */
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
      warnedIds: undefined,
      sayAgainAt: undefined,
      dueAt: firstDue(endsAt, now),
    }
  }

/** The person an end is about. */
export const whoseEnd = ({ whom, authProvider }: Pick<End, 'whom' | 'authProvider'>): Known =>
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
