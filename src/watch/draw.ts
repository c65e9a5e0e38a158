// Drawings of a live card: how it looks now, and whether that is to be seen in Slack. Knows no network; what it is
// given it decides from.
import { hash } from 'node:crypto'
import { liveFor } from '../alert/cards.ts'
import { type CardSettings, renderCard } from '../alert/render/card.ts'
import type { Alert } from '../monitor/schema.ts'
import type { Message } from '../slack/outbound/message.ts'
import type { Findings } from './find.ts'
import type { EndOfCard } from './render.ts'
import type { Urgency } from './updates.ts'
import type { CardShown, KnownCard, LiveCard, Watcher } from './watches.ts'

/** What cards that an older version has drawn are taken to promise, in seconds: those say nothing about it. */
const silentPromise = 10 * 60

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

/** @returns Undefined when nothing is known that could be drawn. */
export function draw(
  settings: CardSettings,
  live: KnownCard,
  state: {
    /** Undefined when the service did not give it: then the card goes on showing what it shows. */
    readonly alert: Alert | undefined
    readonly asOf: number
    /** Until when the card can be trusted if it is drawn now. */
    readonly nextBy: number
    readonly isOverdue: boolean
  },
  watchers: readonly Watcher[],
): Drawing | undefined {
  const { card } = live
  const alert = state.alert ?? live.shown?.alert
  const asOf = state.alert === undefined ? live.shown?.asOf : state.asOf
  if (alert === undefined || asOf === undefined) return undefined
  const nextBy = state.alert === undefined ? promisedBy(live.shown) : state.nextBy
  const view = {
    cardId: card.id,
    alert,
    askerName: card.askerName,
    asOf,
    isPrivate: card.isPrivate,
    canShare: card.channelId !== undefined,
    live: liveFor(watchers),
    nextBy,
    isOverdue: state.isOverdue,
  }
  const bare = { ...alert, actions: [] }
  const look = hash('sha256', JSON.stringify({ ...view, alert: bare, asOf: 0, nextBy: 0 }), 'base64url')
  const shown = { alert: bare, asOf, nextBy, isOverdue: state.isOverdue, look }
  return { message: renderCard(settings, view), shown }
}

/** Until when the card says that it can be trusted, in Unix seconds; 0 when it shows nothing yet. */
export function promisedBy(shown: CardShown | undefined): number {
  return shown === undefined ? 0 : (shown.nextBy ?? shown.asOf + silentPromise)
}

/** When a card is to be drawn again though nothing has changed. */
export interface Renewal {
  /** In milliseconds since 1970. */
  readonly now: number
  readonly leadMs: number
}

/** How much somebody who reads the card would miss; undefined when that is nothing. */
export function urgencyOf(
  live: LiveCard,
  drawing: Drawing,
  found: Findings,
  renewal: Renewal,
): Urgency | undefined {
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
  if (live.shown === undefined || live.shown.isOverdue || isDueForRenewal(live, renewal)) return false
  return live.seen === seenOf(answer.alert, remaining)
}

/** Also when the clock was set back since it was drawn. */
function isDueForRenewal({ shown, drawnMsAgo }: LiveCard, { now, leadMs }: Renewal): boolean {
  return drawnMsAgo === undefined || promisedBy(shown) * 1000 - now <= leadMs
}
