// Redraws a live card when somebody would see a difference, once it is the card's turn.
import { hash } from 'node:crypto'
import { liveFor, standingOf } from '../alert/cards.ts'
import { renderCard } from '../alert/render/card.ts'
import { standingTold } from '../alert/told.ts'
import type { MonitorError } from '../errors.ts'
import type { Alert } from '../monitor/schema.ts'
import { areSameNames, type Names, noNames } from '../names/names.ts'
import { classify } from '../slack/client/refusals.ts'
import type { Message } from '../slack/outbound/message.ts'
import { type Findings, findOut, namesFor } from './find.ts'
import { type Held, NotHeld, throwUnlessHeld } from './poller.ts'
import type { EndOfCard } from './render.ts'
import type { LookRoom } from './room.ts'
import type { Freshness, Urgency } from './updates.ts'
import { type CardShown, type KnownCard, type LiveCard, levelOf, type Watcher } from './watches.ts'

/** What became of the card. */
export interface Redrawn {
  /** What was found last. */
  readonly found: Findings
  /** What the card shows now, when it was drawn. */
  readonly drawn: CardShown | undefined
  /** It does not show what was found yet: its turn is still to come. */
  readonly isWaiting: boolean
  /** Why the service did not give the alert once more when the card's turn had come. */
  readonly failure?: MonitorError | undefined
}

/** What was found, and how old the card's lease was when that was asked for, in milliseconds. */
export interface Fresh {
  readonly found: Findings
  readonly atMs: number
}

/** What is older than this is asked for again: the newest state is told and drawn. */
const oldMs = 1_000

/** False where the service did not answer: asking again would make the cards wait that are next. */
export function isOld(held: Held, { found, atMs }: Fresh): boolean {
  return found.answer.kind === 'alert' && held.ageMs() - atMs > oldMs
}

/** Draws the newest state. Rejects for what Slack does, unless it asks to wait. */
export async function redraw(
  room: LookRoom,
  held: Held,
  live: KnownCard,
  fresh: Fresh,
  freshness: Freshness,
): Promise<Redrawn> {
  const { updates } = room
  const { found: first } = fresh
  const wanted = await needed(room, live, first, freshness)
  if (wanted === undefined) {
    updates.forget(live)
    return { found: first, drawn: undefined, isWaiting: false }
  }
  const wish = { urgency: wanted.urgency, nextBy: promisedBy(live.shown) }
  if (!updates.ask(live, wish)) return { found: first, drawn: undefined, isWaiting: true }
  let isSent = false
  try {
    const again = isOld(held, fresh) ? await findOut(room, live) : first
    const failure = again.answer.kind === 'failure' ? again.answer.error : undefined
    // The thread may tell the earlier find already, so that the card shows it, with the time of that read.
    const found = failure === undefined ? again : first
    const newest = found === first ? wanted : await needed(room, live, found, freshness)
    if (newest === undefined) return { found, drawn: undefined, isWaiting: false }
    // Somebody may watch again by now.
    if (endOf(found) !== undefined && !(await room.watches.isStill(held.owner, live))) throw new NotHeld()
    throwUnlessHeld(held)
    isSent = true
    const isDrawn = await unlessBusy(room, live, newest.drawing)
    if (!isDrawn) updates.ask(live, wish)
    return { found, drawn: isDrawn ? newest.drawing.shown : undefined, isWaiting: !isDrawn, failure }
  } finally {
    updates.done(live, isSent)
  }
}

/** False when Slack asks to wait: then no card of this workspace is drawn until then. */
async function unlessBusy(
  { outbound, updates }: LookRoom,
  { workspaceId, posted }: KnownCard,
  { message }: Drawing,
): Promise<boolean> {
  try {
    await outbound.in(workspaceId).updateOnce(posted, message)
    return true
  } catch (error) {
    const seconds = classify(error).waitSeconds
    if (seconds === undefined) throw error
    updates.busy(workspaceId, seconds)
    return false
  }
}

/** Undefined when nobody would see a difference. */
async function needed(room: LookRoom, live: KnownCard, found: Findings, freshness: Freshness) {
  const now = room.now()
  const drawing = drawingOf(room, live, found, freshness, await namesFor(room, live, found))
  const urgency = drawing && urgencyOf(live, drawing, found, { now, leadMs: freshness.leadMs })
  return drawing && urgency && { drawing, urgency }
}

/** The card as it is to be drawn; undefined when nothing is known that could be. */
function drawingOf(
  { settings, timing }: LookRoom,
  live: KnownCard,
  found: Findings,
  { goodForMs }: Freshness,
  names: Names,
): Drawing | undefined {
  const { card, shown } = live
  const { answer, readerId, remaining } = found
  const isRead = answer.kind === 'alert'
  // Where the service did not give it, the card goes on showing what it shows.
  const alert = isRead ? answer.alert : shown?.alert
  const asOf = isRead ? answer.readAt : shown?.asOf
  if (alert === undefined || asOf === undefined) return undefined
  const isClosed = isClosedAlert(alert)
  const isOverdue = answer.kind === 'failure' && !isClosed && timing.isOverdue(live)
  // A closed card says nothing of its next check, and is not renewed.
  const goodForSeconds = Math.floor((isClosed ? 2 * restMs : goodForMs) / 1000)
  const nextBy = isRead ? asOf + goodForSeconds : promisedBy(shown)
  const view = {
    cardId: card.id,
    alert,
    askerName: card.askerName,
    asOf,
    isPrivate: card.isPrivate,
    canShare: card.channelId !== undefined,
    link: card.link,
    live: liveFor(endOf(found) === undefined && !isClosed ? remaining : []),
    nextBy,
    isOverdue,
    readerId,
    // Cards without names keep the look that they had before there were any, so that they are not redrawn.
    names: areSameNames(names, noNames) ? undefined : names,
  }
  const bare = { ...alert, actions: [] }
  const look = hash('sha256', JSON.stringify({ ...view, alert: bare, asOf: 0, nextBy: 0 }), 'base64url')
  return { message: renderCard(settings, view), shown: { alert: bare, asOf, nextBy, isOverdue, look } }
}

/** Seconds that a card counts as up to date that names no next check yet. */
const silentSeconds = 10 * 60

/** How long Bellhop keeps checking the card of a closed alert, which may open again. */
const restMs = 15 * 60_000

function isClosedAlert(alert: Alert | undefined): boolean {
  return alert !== undefined && alert.closedTimestamp !== null
}

/** The card shows that its alert is closed, and waits for it to open again. */
export function isResting({ shown }: LiveCard): boolean {
  return isClosedAlert(shown?.alert)
}

/** The card has waited long enough for its alert to open again. */
export function isRested(live: LiveCard): boolean {
  return isResting(live) && (live.drawnMsAgo ?? restMs) >= restMs
}

/** A card as it is to be drawn. */
export interface Drawing {
  readonly message: Message
  readonly shown: CardShown
}

/** Equal as long as there is nothing new to draw or to tell. */
export function seenOf(alert: Alert, watchers: readonly Watcher[]): string {
  return hash('sha256', JSON.stringify([alert, liveFor(watchers)]), 'base64url')
}

export function endOf({ answer, remaining, ended }: Findings): EndOfCard | undefined {
  if (answer.kind === 'alert' && answer.alert.closedTimestamp !== null) {
    return { kind: 'closed', alert: answer.alert }
  }
  if (answer.kind === 'missing') return { kind: 'missing' }
  const last = ended.at(-1)
  if (remaining.length > 0) return undefined
  return last === undefined ? { kind: 'missing' } : { kind: 'left', name: last.watcher.name, why: last.why }
}

/** Until when the card says that it can be trusted, in Unix seconds; 0 when it shows nothing yet. */
function promisedBy(shown: CardShown | undefined): number {
  return shown === undefined ? 0 : (shown.nextBy ?? shown.asOf + silentSeconds)
}

/** When a card is to be drawn again though nothing has changed. */
export interface Renewal {
  /** In milliseconds since 1970. */
  readonly now: number
  readonly leadMs: number
}

/** How much somebody who reads the card would miss; undefined when that is nothing. */
function urgencyOf(live: LiveCard, drawing: Drawing, found: Findings, renewal: Renewal): Urgency | undefined {
  // Somebody has just pressed Watch, or it is over.
  if (live.shown === undefined || live.shown.look === '' || endOf(found) !== undefined) {
    return live.shown?.look === drawing.shown.look && live.seen !== undefined ? undefined : 'pressed'
  }
  if (live.shown.look !== drawing.shown.look || live.seen === undefined) return 'change'
  return found.answer.kind === 'alert' && isDueForRenewal(live, renewal) ? 'renewal' : undefined
}

/** True when there is nothing to draw, to tell or to end. */
export function isNothingNew(
  live: KnownCard,
  { answer, remaining, ended }: Findings,
  renewal: Renewal,
): boolean {
  if (answer.kind !== 'alert' || ended.length > 0 || live.card.reply !== undefined) return false
  if (live.shown === undefined || live.shown.isOverdue) return false
  if (isResting(live) ? isRested(live) : isDueForRenewal(live, renewal)) return false
  if (!isToldToAll(live, answer.alert, remaining)) return false
  return live.seen === seenOf(answer.alert, remaining)
}

function isToldToAll({ card }: KnownCard, alert: Alert, watchers: readonly Watcher[]): boolean {
  if (standingTold(card.told) !== standingOf(alert)) return false
  const level = levelOf(alert)
  return watchers.every(({ toldLevel }) => toldLevel === level)
}

/** Also when the clock was set back since it was drawn. */
function isDueForRenewal({ shown, drawnMsAgo }: LiveCard, { now, leadMs }: Renewal): boolean {
  return drawnMsAgo === undefined || promisedBy(shown) * 1000 - now <= leadMs
}
