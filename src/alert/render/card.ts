// An alert in a message: as a card, readable without opening anything, and as the preview below its link. Pure.
import type { Button, KnownBlock, PlainTextElement } from '@slack/types'
import type { Alert } from '../../monitor/schema.ts'
import { containerNamed, noNames } from '../../names/names.ts'
import {
  bold,
  button,
  calling,
  describe,
  type Line,
  type Message,
  menu,
  note,
  section,
  words,
} from '../../slack/outbound/message.ts'
import {
  cut,
  date,
  escapeText,
  literal,
  plain,
  richDateWithin,
  since,
  time,
  webAddress,
} from '../../slack/text/mrkdwn.ts'
import type { Card, Live } from '../cards.ts'
import { type AlertLink, buildAlertLink } from '../link.ts'
import { inCard, renderHistory } from './history.ts'
import {
  closingOf,
  headlineOf,
  isClosed,
  markOf,
  type SeverityNames,
  severityName,
  span,
  standing,
  stateLine,
} from './state.ts'

export interface CardSettings extends SeverityNames {
  /** The form of alerts' web links (link.ts); undefined where links do nothing. */
  readonly alertUrl: string | undefined
  /** Alerts can be changed from their cards: MONITOR_OPERATIONS is not basic. */
  readonly hasAllOperations: boolean
  readonly watch: { readonly intervalMs: number }
}

/** A card as it is kept, and what it says besides. Of `names`, those that may be shown there; without them, none. */
export interface CardView
  extends Pick<Card, 'id' | 'askerName' | 'channelId' | 'isPrivate' | 'link' | 'names' | 'calls'> {
  readonly alert: Alert
  /** When it was true, in Unix seconds. */
  readonly asOf: number
  /** Raw; undefined while nobody has refreshed the card. */
  readonly refresherName?: string | undefined
  /** The asker's own id at the service, where nobody else sees the card. */
  readonly readerId?: number | undefined
  /** Undefined when nobody watches it, or it is closed. */
  readonly live?: Live | undefined
  /** A live card is checked again by then, in Unix seconds. */
  readonly nextBy?: number | undefined
  /** A live card that could not be kept up to date since `asOf`. */
  readonly isOverdue?: boolean
}

const inviteNote = 'To get the history in a thread, invite me: `/invite @Bellhop`'

/** One line, unless markup could hide in a name or key: then its parts stand apart. */
function greyLine(...parts: (string | PlainTextElement)[]): KnownBlock {
  const texts = parts.map((part) => (typeof part === 'string' ? part : part.text))
  const isLine = parts.every(
    (part) => typeof part === 'string' || /^[\p{L}\p{M}\p{N}👁· .,'’()-]*$/u.test(part.text),
  )
  return isLine ? note(texts.join(' ')) : note(...parts)
}

/** The alert in monitoring; undefined when that is not known, or Slack would not take it. */
export function webLink(
  { alertUrl }: Pick<CardSettings, 'alertUrl'>,
  ks: string,
  link: AlertLink | undefined,
): string | undefined {
  if (alertUrl === undefined || !ks.isWellFormed()) return undefined
  const built = buildAlertLink({ ...link, ks }, alertUrl)
  return built && webAddress(built)
}

/** Below its headline: two screens of a phone would push the buttons out of sight. */
const mostLines = 6
const longestRest = 600
const longestQuote = 600

/** A key in code is easily copied; one that code cannot hold stands as it is. @param ks - Raw. */
function keyText(ks: string): string | PlainTextElement {
  const key = cut(ks, 200)
  const isCode = /^[^`\p{C}\p{Z}]+( [^`\p{C}\p{Z}]+)*$/u.test(key)
  return isCode ? `\`${escapeText(key)}\`` : literal(key)
}

function footer(view: CardView): KnownBlock {
  const { alert, askerName, refresherName, asOf, isPrivate, names, live, nextBy, isOverdue } = view
  // Nothing else says when it was true.
  const isTimed = !isOverdue && (live === undefined || nextBy === undefined)
  const facts = [
    containerNamed(names?.container),
    isPrivate || askerName === '' ? undefined : `asked by ${cut(askerName, 80)}`,
    refresherName === undefined ? undefined : `refreshed by ${cut(refresherName, 80)}`,
  ].filter((fact) => fact !== undefined)
  return greyLine(
    keyText(alert.ks),
    ...(facts.length === 0 ? [] : [literal(`· ${facts.join(' · ')}`)]),
    ...(isTimed ? [`· ${date(asOf)}`] : []),
  )
}

function openedNote(message: string) {
  const opened = cut(message.trim(), longestQuote)
  return literal(opened === '' ? 'No message when it opened' : `“${opened}” when it opened`)
}

export function renderCard(settings: CardSettings, view: CardView): Message {
  const { alert, asOf, isOverdue, live, names = noNames } = view
  const url = webLink(settings, alert.ks, view.link)
  const { headline, rest } = headlineOf(alert.lastMessage)
  const closing = isClosed(alert) ? closingOf(alert.actions, noNames).words : ''
  // As much of it as a phone shows beside the buttons.
  const shown = cut(rest.split('\n', mostLines).join('\n'), longestRest)
  const { text, blocks } = describe({
    headline: [
      words(`${markOf(alert)} `, `${standing(settings, alert)}: `),
      // One tap from the alert in monitoring where its link is known.
      url === undefined ? headline : { type: 'link', url, text: headline, style: { bold: true } },
    ],
    lines: [
      isOverdue ? overdueLine(asOf) : undefined,
      stateLine(settings, alert, names, asOf),
      closing && [words(`“${cut(closing, longestQuote)}”`)],
      shown && [words(shown)],
    ],
    notes: [
      shown === rest ? undefined : 'The rest is in monitoring.',
      isClosed(alert) || alert.message === alert.lastMessage ? undefined : openedNote(alert.message),
    ],
    buttons: cardButtons(view, settings.hasAllOperations, url),
  })
  const card = {
    text: `${text}\nKey ${escapeText(cut(alert.ks, 200))}`,
    blocks: [
      ...blocks,
      ...(live === undefined ? [] : [liveLine(live, view, settings.watch.intervalMs)]),
      footer(view),
    ],
  }
  return calling(card, view.calls)
}

/** Card and history, where there is no thread. */
export function renderInOneMessage(settings: CardSettings, view: CardView, wantsThread: boolean): Message {
  const { text, blocks } = renderCard(settings, view)
  return {
    text,
    blocks: [
      ...blocks,
      { type: 'divider' },
      ...renderHistory(view.alert.actions, view.names ?? noNames, inCard).blocks,
      ...(wantsThread ? [note(inviteNote)] : []),
    ],
  }
}

const namesShown = 3

/** A card that stalls shows it without an update. Of one that is out of date nothing is announced. */
function liveLine(
  { names, until }: Live,
  { asOf, nextBy, isPrivate, isOverdue }: CardView,
  intervalMs: number,
): KnownBlock {
  const check =
    nextBy === undefined || isOverdue
      ? ''
      : `· checked ${time(asOf)}, next by ${time(nextBy)} · looks every ${span(Math.ceil(intervalMs / 1000))} `
  return greyLine(
    literal(`👁️ ${isPrivate ? 'you' : listed(names)}`),
    `${check}· until ${date(Math.floor(until / 1000))}`,
  )
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, namesShown).map((name) => cut(name, 40))
  const more = names.length - namesShown
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(', ')
}

function overdueLine(asOf: number): Line {
  const what = ' I haven’t been able to read this alert since '
  return ['⚠️ ', bold('Out of date:'), what, richDateWithin(asOf), '.']
}

const longestPreview = 500

/**
 * No more than that, as the channel has not asked: of an open alert no owner, of a closed one no closing message. Text
 * alone: Slack refuses menus and rich text there.
 */
export function renderUnfurl(settings: SeverityNames, alert: Alert): Message {
  const { lastSeverity, lastMessage, timestamp } = alert
  const name = escapeText(severityName(settings, lastSeverity))
  const state = isClosed(alert)
    ? `Closed ${since(alert.closedTimestamp)} · was ${name}`
    : `${name} · opened ${since(timestamp)}`
  const { headline, rest } = headlineOf(lastMessage)
  const message = rest === '' ? headline : `${headline}\n${rest}`
  const shown = literal(cut(`${markOf(alert)} ${message}`, longestPreview))
  const text = escapeText(`${standing(settings, alert)}: ${headline}`)
  return { text, blocks: [section(shown), section(state)] }
}

export const unfurlReason = 'You posted a link to an alert. To preview it, I need your monitoring account.'

/** Action ids. */
export const refreshAction = 'alert.refresh'
export const watchAction = 'watch.start'
export const stopWatchingAction = 'watch.stop'
export const moreAction = 'alert.more'
export const shareCardAction = 'alert.share'
export const assignMeAction = 'act.assign-me'
export const commentAction = 'act.comment'
export const closeAction = 'act.close'

const labels = {
  refresh: 'Refresh',
  stop: 'Stop watching',
  'assign-to': 'Assign to somebody',
  comment: 'Comment',
  grant: 'Grant access',
  open: 'Open in monitoring',
  share: 'Share in channel',
} as const

/** What a card's menu offers. */
type Offer = keyof typeof labels
const offers: readonly Offer[] = ['refresh', 'stop', 'assign-to', 'comment', 'grant', 'open', 'share']

function cardButtons(view: CardView, hasAllOperations: boolean, url: string | undefined) {
  const { row, rest } = layoutOf(view, hasAllOperations, url)
  const value = pressValue(view.id, view.alert.ownerId)
  const options = rest
    .filter((offer) => offer !== undefined)
    .map((offer) => ({
      text: plain(labels[offer]),
      value: `${offer} ${value}`,
      ...(offer === 'open' && url !== undefined && { url }),
    }))
  return [...row, ...menu(moreAction, options)]
}

/** What is undefined is left out. */
function layoutOf(
  view: CardView,
  hasAllOperations: boolean,
  url: string | undefined,
): { readonly row: readonly (Button | undefined)[]; readonly rest: readonly (Offer | undefined)[] } {
  const { id, alert, isPrivate, live, readerId } = view
  const value = pressValue(id, alert.ownerId)
  const open = url === undefined ? undefined : 'open'
  const refresh = button(refreshAction, labels.refresh, id)
  // It can be shared where it was asked in a channel.
  const canShare = isPrivate && view.channelId !== undefined
  const share = canShare ? button(shareCardAction, labels.share, id) : undefined
  if (isClosed(alert)) return { row: [refresh, share], rest: ['grant', open] }
  // On a live card others may want to watch it too, and whoever does finds the way out in its menu.
  const isOwnLive = isPrivate && live !== undefined
  const watch = isOwnLive ? button(stopWatchingAction, labels.stop, id) : button(watchAction, 'Watch', id)
  const stop = live !== undefined && !isPrivate ? 'stop' : undefined
  if (!hasAllOperations)
    return { row: [refresh, watch], rest: [open, 'grant', stop, canShare ? 'share' : undefined] }
  // The one person who sees the card owns the alert.
  const isMine = isPrivate && readerId !== undefined && readerId === alert.ownerId
  const first = isMine
    ? button(commentAction, labels.comment, value)
    : button(assignMeAction, alert.ownerId === null ? 'Assign to me' : 'Take over', value)
  return {
    row: [first, button(closeAction, 'Close alert', value), watch, share],
    // A live card refreshes itself.
    rest: [stop ?? 'refresh', 'assign-to', isMine ? undefined : 'comment', 'grant', open],
  }
}

/** What was pressed, and whom its presser was shown as owner: looked up, and compared with what is read. */
export interface CardPress {
  /** Of a card; of a request, where it was not sent. Those of what was typed hold dots, and of what was said spaces. */
  readonly id: string
  /** At the service; null while unassigned. */
  readonly ownerId: number | null
}

/** “<id> 7”, or “<id> -” while unassigned. Another shape is another version's. */
export function pressValue(id: string, ownerId: CardPress['ownerId']): string {
  return `${id} ${ownerId ?? '-'}`
}

const pressShape = /^(.{1,255}) (-|\d{1,15})$/

/** @returns Undefined for what no button of this version carries. */
export function readPress(value: string): CardPress | undefined {
  const [, id, owner] = pressShape.exec(value) ?? []
  if (id === undefined || owner === undefined) return undefined
  return { id, ownerId: owner === '-' ? null : Number(owner) }
}

/** Chosen in a card's menu, or pressed in its place; undefined for what no card offers. */
export function readMenuChoice(value: string): (CardPress & { readonly offer: Offer }) | undefined {
  const offer = offers.find((one) => value.startsWith(`${one} `))
  const press = offer && readPress(value.slice(offer.length + 1))
  return offer && press && { offer, ...press }
}

/** A link opens by itself: Slack only wants to hear that it was chosen. */
export function isLinkChoice(value: string): boolean {
  return readMenuChoice(value)?.offer === 'open'
}

const ofCards: readonly string[] = [
  ...[refreshAction, watchAction, stopWatchingAction, assignMeAction, commentAction, closeAction],
]

/** The card that a button stands on, as Slack tells of a message; undefined for a button of something else. */
export function cardIdIn(actionId: string, value: string): string | undefined {
  return ofCards.includes(actionId) ? value.split(' ', 1)[0] : undefined
}
