// Buttons of a card: which ones stand in its row and which in its menu, and what a press says. Pure.
import type { Button, KnownBlock } from '@slack/types'
import { button, menu } from '../../slack/outbound/message.ts'
import { plain } from '../../slack/text/mrkdwn.ts'
import type { CardView } from '../cards.ts'
import { isClosed } from './state.ts'

/** Action ids of the buttons, for the listeners. */
export const refreshAction = 'alert.refresh'
export const watchAction = 'watch.start'
export const stopWatchingAction = 'watch.stop'
export const moreAction = 'alert.more'
export const shareCardAction = 'alert.share'
export const assignMeAction = 'act.assign-me'
export const commentAction = 'act.comment'
export const closeAction = 'act.close'

/** What a card's menu offers. */
const offers = ['refresh', 'stop', 'assign-to', 'comment', 'grant', 'open', 'share'] as const
type Offer = (typeof offers)[number]

const labels: Readonly<Record<Offer, string>> = {
  refresh: 'Refresh',
  stop: 'Stop watching',
  'assign-to': 'Assign to somebody',
  comment: 'Comment',
  grant: 'Grant access',
  open: 'Open in monitoring',
  share: 'Share in channel',
}

/** @param canAct - Alerts can be changed here. @param url - Where the alert is in monitoring, when that is known. */
export function cardButtons(view: CardView, canAct: boolean, url: string | undefined): KnownBlock {
  const { row, rest } = layoutOf(view, canAct, url)
  const value = pressValue({ cardId: view.cardId, ...view.alert })
  const options = rest.map((offer) => ({
    text: plain(labels[offer]),
    value: `${offer} ${value}`,
    ...(offer === 'open' && url !== undefined ? { url } : {}),
  }))
  return { type: 'actions', elements: [...row, ...menu(moreAction, options)] }
}

function layoutOf(
  { cardId, alert, isPrivate, canShare, live, readerId }: CardView,
  canAct: boolean,
  url: string | undefined,
): { readonly row: readonly Button[]; readonly rest: readonly Offer[] } {
  const value = pressValue({ cardId, ...alert })
  const open = url === undefined ? [] : (['open'] as const)
  const refresh = button(refreshAction, labels.refresh, cardId)
  const share = isPrivate && canShare ? [button(shareCardAction, labels.share, cardId)] : []
  if (isClosed(alert)) return { row: [refresh, ...share], rest: ['grant', ...open] }
  // On a live card others may want to watch it too, and whoever does finds the way out in its menu.
  const isOwnLive = isPrivate && live !== undefined
  const watch = isOwnLive
    ? button(stopWatchingAction, labels.stop, cardId)
    : button(watchAction, 'Watch', cardId)
  const stop = live !== undefined && !isPrivate ? (['stop'] as const) : []
  if (!canAct) {
    const shared = share.length > 0 ? (['share'] as const) : []
    return { row: [refresh, watch], rest: [...open, 'grant', ...stop, ...shared] }
  }
  // The one person who sees the card owns the alert.
  const isMine = isPrivate && readerId !== undefined && readerId === alert.ownerId
  const first = isMine
    ? button(commentAction, labels.comment, value)
    : button(assignMeAction, alert.ownerId === null ? 'Assign to me' : 'Take over', value)
  return {
    row: [first, button(closeAction, 'Close alert', value), watch, ...share],
    rest: [
      // A live card refreshes itself.
      ...(stop.length > 0 ? stop : (['refresh'] as const)),
      'assign-to',
      ...(isMine ? [] : (['comment'] as const)),
      'grant',
      ...open,
    ],
  }
}

/** Which card was pressed, and whom it showed as the owner of its alert: looked up, and compared with what is read. */
export interface CardPress {
  readonly cardId: string
  /** At the service; null while unassigned. */
  readonly ownerId: number | null
}

/** “<card> 7”, or “<card> -” while unassigned. Another shape is another version's. */
function pressValue({ cardId, ownerId }: CardPress): string {
  return `${cardId} ${ownerId ?? '-'}`
}

const pressShape = /^([\w-]{1,64}) (-|\d{1,15})$/

/** @returns Undefined for what no card of this version carries. */
export function readCardPress(value: string): CardPress | undefined {
  const [, cardId, owner] = pressShape.exec(value) ?? []
  if (cardId === undefined || owner === undefined) return undefined
  return { cardId, ownerId: owner === '-' ? null : Number(owner) }
}

/** What was chosen in a card's menu, or pressed in its place; undefined for what no card offers. */
export function readMenuChoice(value: string): (CardPress & { readonly offer: Offer }) | undefined {
  const offer = offers.find((one) => value.startsWith(`${one} `))
  const press = offer && readCardPress(value.slice(offer.length + 1))
  return offer && press && { offer, ...press }
}

/** A link opens by itself: Slack only wants to hear that it was chosen. @param value - Of the menu. */
export function isLinkChoice(value: string): boolean {
  return readMenuChoice(value)?.offer === 'open'
}

const ofOneCard: ReadonlySet<string> = new Set([refreshAction, watchAction, stopWatchingAction])
const ofOneAlert: ReadonlySet<string> = new Set([assignMeAction, commentAction, closeAction])

/** The card that a button stands on, by what Slack tells of a message; undefined for a button of something else. */
export function cardIdIn(actionId: string, value: string): string | undefined {
  if (ofOneCard.has(actionId)) return value
  return ofOneAlert.has(actionId) ? readCardPress(value)?.cardId : undefined
}
