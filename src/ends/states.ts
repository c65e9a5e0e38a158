// Ends of access: what one grant gave one person for a time, and when and with whose account that is taken back. This file
// has an end’s fields, the steps of its life, and the lists in which it is found.
//
// States are not stored; each follows from the fields of the document. Being taken: takenUntil lies ahead. Tried: tries is
// not 0. Warned: neither of these, and nothing is due before endsAt. Running: anything else. Gone: there is no document.
//
// state                moved by                                           becomes
// running              a quarter of an hour before its time               warned; or due in a minute, as somebody has not heard
//                      the account of whoever gave it goes                warned, in a message to whoever can do something
// running, warned      its time, or somebody who says “now”               being taken; tried, if nobody’s account ends it
// being taken          a read that shows that nothing of it is left       gone
//                      no such proof, at its time                         tried
//                      no such proof, once somebody had said “now”        running or warned, as it was before
// tried                a pause, longer each time; somebody who says “now” being taken; tried, as above
// all but being taken  whoever may give it, by the rules of giving        running, with a later time; gone: kept for good
//                      whoever has it, and gives it up                    running, and its time is now
// any of these         a write that gives it again, or that takes it      gone, or an end of what is left
//                      its time, if other ends hold all that it gave      gone
//                      somebody who has looked, and says that it’s gone   gone
//
// Beside its state, an end has marks: fields that are set and taken away independently, so that any two may be there at
// once. A move to another time takes away warnedIds, tries, why and sayAgainAt; it is refused while takenUntil lies ahead.
//
// mark              set by                                             taken away by
// warnedIds         each who has heard that it ends soon
// tries             a try without proof, that of somebody’s “now” apart
// why               the same try
// sayAgainAt        the word that somebody still has it, after its time
// takenUntil        whoever takes it back                              the outcome of that, or a minute
// isRemoved         a removal that was sent, without proof             a later try whose list shows the person
// standingMessages  each message that says that it is still there      nothing; once it is gone, each message says so

import type { House } from '../house.ts'
import { plainAddress } from '../monitor/schema.ts'
import { type NotDoneCode, passingCodes } from '../send/outcome.ts'
import type { StandingMessage, TimedAccess } from '../send/request.ts'
import { isSamePerson, type Known, knownBy, type There } from '../send/whom.ts'
import { hourMs, minuteMs } from '../work/durations.ts'
import { dueTime, type Leased, unheld } from '../work/lease.ts'

/** An end; its times are milliseconds since 1970. */
export interface End extends TimedAccess, Leased {
  readonly authProvider?: string | undefined
  /** Flags that the grant added, without those that the person had before. */
  readonly flags: readonly string[]
  /** Time when each flag was given: limits count from that time, however often the end is moved. */
  readonly since: Readonly<Record<string, number>>
  readonly member: boolean
  /** False if the grant brought the person onto the container. */
  readonly wasThere: boolean
  /** True once a try has removed somebody whom a list had just shown: a list without them then proves that all is gone. */
  readonly isRemoved?: boolean | undefined
  /** How often taking the access back was tried without proof that it is gone; and why the last try brought no proof. */
  readonly tries: number
  readonly why?: WhyNot | undefined
  /** Set while somebody takes the access back: until this time, nobody else takes it back or moves the end. */
  readonly takenUntil?: number | undefined
  /** Slack ids of the people who have heard that it ends soon. */
  readonly warnedIds?: readonly string[] | undefined
  /** Before this time, nobody is told again that the access could not be taken back. */
  readonly sayAgainAt?: number | undefined
}

/** The reason why nothing proves that access is gone. `not-listed`: no list shows the person, so nothing was sent. */
export type WhyNot = NotDoneCode | 'uncertain' | 'not-listed'

const passing: readonly WhyNot[] = ['uncertain', 'changed', ...passingCodes]
/** True for a reason that may pass by itself: people are told of it only if it lasts. */
export const isPassing = (why: WhyNot) => passing.includes(why)

/** Reference by which the ends on one container are found. */
export const refOfContainer = (containerId: number) => `on ${containerId}`

/** Names of the lists in which ends stand, soonest first. */
export const endsIn = {
  /** The thread of an alert that access was given for. */
  thread: ({ channelId, threadTs }: { channelId: string; threadTs: string }) =>
    `in ${channelId} ${threadTs}`,
  /** Somebody in Slack who gave the access, asked for it, or was mentioned as having it. */
  person: (userId: string) => `of ${userId}`,
  /** The address of somebody who has the access, if their Slack id is unknown. */
  address: (email: string) => `of ${plainAddress(email)}`,
  /** A container, with the number or the address of somebody who has access there. */
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

/** How long before its time people hear of an end, if it lasts long enough (`firstDue`). */
const warnMs = 15 * minuteMs

/** Time when an end is first due: to warn people, if it lasts longer than twice `warnMs`; else to take the access back. */
export function firstDue(endsAt: number, now: number): number {
  return endsAt - now > 2 * warnMs ? endsAt - warnMs : endsAt
}

/** Pauses after tries without proof: a minute, five, a quarter of an hour; then an hour each. */
const pauses = [minuteMs, 5 * minuteMs, 15 * minuteMs]

/** Fields that end a process’s hold of an end: of its lease, and of taking the access back. */
const free = { ...unheld, takenUntil: undefined }

/** Lets an end rest until its time, once everybody has been warned. */
export const restStep = (end: End): End => ({ ...end, ...free, dueAt: end.endsAt })

/** Makes an end due in a minute, or at its time if that is sooner, to warn those who haven’t heard. */
export const warnAgainStep = (end: End, now: number): End => ({
  ...end,
  ...free,
  dueAt: Math.min(end.endsAt, now + minuteMs),
})

/** Notes a try without proof, and the time of the next try. @param why - The reason why nothing proves that it is gone. */
export const triedStep =
  (why: WhyNot) =>
  (end: End, now: number): End => ({
    ...end,
    ...free,
    why,
    tries: end.tries + 1,
    dueAt: now + (pauses[end.tries] ?? hourMs),
  })

/** Lets an end wait for another take-back from the same person. If its time has come, it is due again in five seconds. */
export const waitingStep = (end: End, now: number): End => {
  const left = { ...end, takenUntil: undefined }
  return end.endsAt > now ? left : { ...left, ...unheld, dueAt: now + 5_000 }
}

/** Longest time that taking access back can take: six requests to a slow service. */
const takingMs = minuteMs

/** Reserves an end for one caller, who takes the access back; nobody extends it meanwhile. Undefined if another has it. */
export const takingStep = (end: End, now: number): End | undefined =>
  isBeingTaken(end, now) ? undefined : { ...end, takenUntil: now + takingMs }

export function isBeingTaken({ takenUntil = 0 }: End, now: number): boolean {
  return takenUntil > now
}

/**
 * Notes that people were told, before the time of an end, that nobody’s account will take the access back.
 * @param posted - The message; undefined if nobody could be told: telling them is tried again.
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

/** Moves an end to another time: earlier tries and warnings no longer count. Undefined while it is being taken back. */
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

/** The ends, among these, that are one person’s, soonest first. */
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
