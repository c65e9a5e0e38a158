// How a live card looks now, and whether that is to be seen in Slack. Knows no network; what it is given it decides from.
import { hash } from 'node:crypto'
import { liveFor } from '../alert/live.ts'
import { type CardSettings, renderCard } from '../alert/render.ts'
import type { Alert } from '../monitor/schema.ts'
import type { Message } from '../slack/message.ts'
import type { Findings } from './find.ts'
import type { EndOfCard } from './render.ts'
import type { KnownCard, LiveCard, Shown, Watcher } from './watches.ts'

/** A quiet card is drawn again after this time, so that its *as of* stays true. */
const renewedMs = 10 * 60_000

/** A card as it is to be drawn. */
export interface Drawing {
  readonly message: Message
  readonly shown: Shown
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
  state: { readonly alert: Alert | undefined; readonly asOf: number; readonly isOverdue: boolean },
  watchers: readonly Watcher[],
): Drawing | undefined {
  const { card } = live
  const alert = state.alert ?? live.shown?.alert
  const asOf = state.alert === undefined ? live.shown?.asOf : state.asOf
  if (alert === undefined || asOf === undefined) return undefined
  const view = {
    cardId: card.id,
    alert,
    askerName: card.askerName,
    asOf,
    isPrivate: card.isPrivate,
    canShare: card.channelId !== undefined,
    live: liveFor(watchers),
    isOverdue: state.isOverdue,
  }
  const bare = { ...alert, actions: [] }
  const look = hash('sha256', JSON.stringify({ ...view, alert: bare, asOf: 0 }), 'base64url')
  const shown = { alert: bare, asOf, isOverdue: state.isOverdue, look }
  return { message: renderCard(settings, view), shown }
}

/** True when somebody who reads the card would see less than is known. */
export function isWorthDrawing(live: LiveCard, drawing: Drawing, isTrue: boolean): boolean {
  if (live.shown?.look !== drawing.shown.look || live.seen === undefined) return true
  return isTrue && isDueForRenewal(live)
}

/** True when there is nothing to draw, to tell or to end. */
export function isNothingNew(live: KnownCard, { answer, remaining, ended }: Findings): boolean {
  if (answer.kind !== 'alert' || ended.length > 0 || live.card.reply !== undefined) return false
  if (live.shown === undefined || live.shown.isOverdue || isDueForRenewal(live)) return false
  return live.seen === seenOf(answer.alert, remaining)
}

function isDueForRenewal({ drawnMsAgo }: LiveCard): boolean {
  return drawnMsAgo === undefined || drawnMsAgo >= renewedMs
}
