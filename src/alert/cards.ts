// Cards that the bot posted: what is kept of each, who may see it and press what is on it, and the port of the store that
// keeps them.
import { UserError } from '../errors.ts'
import type { House } from '../house.ts'
import type { Action, Alert } from '../monitor/schema.ts'
import type { Names } from '../names/names.ts'
import { ownIdOf } from '../names/own-id.ts'
import type { From } from '../slack/guard/requests.ts'
import type { SlackUser } from '../slack/ids.ts'
import type { Landed, Place } from '../slack/outbound/delivery.ts'
import type { Posted } from '../slack/outbound/message.ts'
import type { AlertLink } from './link.ts'

/** One posted card. Buttons carry `id` alone; all that matters is looked up here. */
export interface Card {
  readonly id: string
  readonly workspaceId: string
  /** The alert's key; the service calls it `ks`. As it was asked for. */
  readonly ks: string
  /** The alert's message when it was looked up, shortened; raw. */
  readonly title: string
  readonly asker: SlackUser
  /** The asker's name in Slack, raw. */
  readonly askerName: string
  /** The channel the card was asked in, which is where *Share in channel* posts; undefined when there was none. */
  readonly channelId: string | undefined
  /** True when only the asker sees it. */
  readonly isPrivate: boolean
  /** Whether the history is in the card's thread, or card and history are one message. */
  readonly layout: Landed['layout']
  /**
   * Marks of the actions and endings that its thread was told, in any order; equal actions occur as often as they were
   * told. One mark is how the alert stood (told.ts).
   */
  readonly told: readonly string[]
  /** Grows by one with each change of `told`. */
  readonly version: number
  /** Where it stands. Undefined when Slack did not say: it was posted through a response_url, or not yet. */
  readonly posted: Posted | undefined
  /** The alert's web link, as far as its asker's token had shown it when the card was made. Others add none. */
  readonly link?: AlertLink | undefined
  /** Names as its asker's token had shown them; whoever draws the card again adds none. */
  readonly names?: Names | undefined
}

/**
 * The card that somebody presses something on; undefined when it is not theirs.
 * @param tooOld - Said when it is forgotten, raw.
 * @throws UserError
 */
export async function cardFor(
  { storage }: House,
  asker: SlackUser,
  cardId: string,
  tooOld: string,
): Promise<Card | undefined> {
  const card = await storage.cards.find(asker.workspaceId, cardId)
  if (card === undefined) throw new UserError(tooOld)
  return maySee(asker, card) ? card : undefined
}

/** Whether this person may see the card, and press what is on it. */
export function maySee({ userId }: SlackUser, { isPrivate, asker }: Card): boolean {
  return !isPrivate || asker.userId === userId
}

/** Undefined where it is forgotten, or somebody else’s alone, whatever a button or a form says. */
export async function cardTheySee(
  { storage }: House,
  person: SlackUser,
  cardId: string | undefined,
): Promise<Card | undefined> {
  const card = cardId === undefined ? undefined : await storage.cards.find(person.workspaceId, cardId)
  return card !== undefined && maySee(person, card) ? card : undefined
}

/** The alerts of cards that this person may see. */
export async function keysOfCards(
  { storage }: House,
  asker: SlackUser,
  cardIds: readonly string[],
): Promise<readonly string[]> {
  const found = await Promise.all(cardIds.map((id) => storage.cards.find(asker.workspaceId, id)))
  return found.flatMap((card) => (card !== undefined && maySee(asker, card) ? [card.ks] : []))
}

/** What something else may be about: an alert, as its card shows it. */
export interface Subject {
  /** Raw, as in: alert “Disk full” (5HkX). */
  readonly name: string
  /** Where what belongs to it is said: the thread of the card, or where it stands when it has none. */
  readonly place: Place
  /** Others see the card, too. */
  readonly isForAll: boolean
}

/**
 * What a card is about, and where what belongs to it goes. Undefined when it is not theirs.
 * @throws UserError when it is not known any more.
 */
export async function subjectOf(
  house: House,
  { asker, place }: From,
  cardId: string,
): Promise<Subject | undefined> {
  const tooOld = 'This card is too old. Use /alert again, or /grant.'
  const card = await cardFor(house, asker, cardId, tooOld)
  if (card === undefined) return undefined
  const { ks, title, isPrivate, posted } = card
  const name = title === ks ? `alert ${ks}` : `alert “${title}” (${ks})`
  // One that only the asker sees has a thread in their direct message, and none elsewhere.
  if (isPrivate && posted === undefined) return { name, place, isForAll: false }
  const threadTs = place.threadTs ?? place.pressedTs
  const isThreadNew = place.threadTs === undefined && card.layout === 'one-message'
  return { name, place: { ...place, threadTs, isThreadNew }, isForAll: !isPrivate }
}

/** Who the one person who sees a card is at the service. Undefined where others see the card, or it makes no difference. */
export async function readerIdOf(
  house: House,
  { isPrivate, asker }: Pick<Card, 'isPrivate' | 'asker'>,
  { ownerId, closedTimestamp }: Pick<Alert, 'ownerId' | 'closedTimestamp'>,
): Promise<number | undefined> {
  return isPrivate && ownerId !== null && closedTimestamp === null ? ownIdOf(house, asker) : undefined
}

/** How an alert stands, as a thread is told: its severity while it is open; 0 is the highest. */
export type Standing = number | 'closed'

export function standingOf({ closedTimestamp, lastSeverity }: Alert): Standing {
  return closedTimestamp === null ? lastSeverity : 'closed'
}

/** What became of an alert since its thread was last told. */
export interface Change {
  readonly from: Standing
  readonly to: Standing
  /** Now. */
  readonly severity: number
  /** Now, shortened; raw. */
  readonly message: string
}

/** What a reply tells. */
export interface Reply {
  /** Oldest first. */
  readonly actions: readonly Action[]
  /** How many actions came before those. */
  readonly older: number
  /** How the card ceased to be live, or that the alert cannot be read, when it says so. */
  readonly ending: Ending | undefined
  /** How the alert stands since. Undefined when that is as before. */
  readonly change: Change | undefined
}

/** Last words of a reply. */
export interface Ending {
  /** Said once: tells one time of being live, or of not being read, from the next. */
  readonly id: string
  /** Raw. */
  readonly words: string
  /** Said before, unless an action in the same reply says it: who closed the alert. Raw. */
  readonly by?: string | undefined
  /** Where it leads to, said last. */
  readonly link?: string | undefined
}

/** Where posted cards are kept. */
export interface Cards {
  /** A new card; `version` is 0. */
  keep(card: Card): Promise<void>
  find(workspaceId: string, id: string): Promise<Card | undefined>
  /** Cards that stand at the head of this thread, or in it, the oldest first; at most ten. */
  inThread(workspaceId: string, channelId: string, threadTs: string): Promise<readonly Card[]>
  /** Replaces `told` if the card still has `version`: of two who try, one gets true. Posts nothing. */
  replaceTold(workspaceId: string, id: string, version: number, told: readonly string[]): Promise<boolean>
  /** Replaces the names that the card shows. */
  noteNames(workspaceId: string, id: string, names: Names): Promise<void>
  /** Keeps how the card was delivered in the end. */
  keepLanding(
    workspaceId: string,
    id: string,
    how: Pick<Card, 'isPrivate' | 'layout' | 'posted'>,
  ): Promise<void>
  /** Forgets a card that never came to stand anywhere. */
  forget(workspaceId: string, id: string): Promise<void>
  forgetWorkspace(workspaceId: string): Promise<void>
  /** Forgets cards kept before this time (milliseconds since 1970), but none that is live. */
  prune(before: number): Promise<void>
}

/** Who watches a card and until when, for the line on it. */
export interface Live {
  /** Raw, oldest watcher first; at least one. */
  readonly names: readonly string[]
  /** When the last watch ends, in milliseconds since 1970. */
  readonly until: number
}

/** @param watchers - Oldest first. Undefined when there is none. */
export function liveFor(
  watchers: readonly { readonly name: string; readonly until: number }[],
): Live | undefined {
  if (watchers.length === 0) return undefined
  return { names: watchers.map(({ name }) => name), until: Math.max(...watchers.map(({ until }) => until)) }
}
