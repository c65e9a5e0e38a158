// Draws an alert in a message: as a card, and as the preview below its link. Pure.
import type { KnownBlock, PlainTextElement } from '@slack/types'
import type { Alert } from '../../monitor/schema.ts'
import { nameAndNumber, noNames } from '../../names/names.ts'
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
import { buildAlertLink } from '../link.ts'
import { type AlertPlace, isNamedIn } from '../place.ts'
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
  /** Form of alerts’ web links (MONITOR_ALERT_URL, see link.ts); undefined if none is set. */
  readonly alertUrl: string | undefined
  /** True if cards can change alerts: MONITOR_OPERATIONS isn’t `basic`. */
  readonly hasAllOperations: boolean
  readonly watch: { readonly intervalMs: number }
}

/**
 * A stored card, and what else its message shows. `names` and `asset`: those that everybody there may read; undefined:
 * none.
 */
export interface CardView
  extends Pick<Card, 'id' | 'askerName' | 'channelId' | 'isPrivate' | 'place' | 'names' | 'calls'> {
  /** Name of the alert’s asset. Raw. */
  readonly asset?: string | undefined
  /** Line saying that the asset is in maintenance. */
  readonly quiet?: Line | undefined
  readonly alert: Alert
  /** Time of the reading, in Unix seconds. */
  readonly asOf: number
  /**
   * Name of the person who pressed and so had the card drawn, raw; undefined if that is the asker, or if nobody pressed.
   */
  readonly refresherName?: string | undefined
  /** The asker’s id at the service, if nobody else sees the card; else undefined. */
  readonly readerId?: number | undefined
  /** Undefined if nobody watches the card, or its alert is closed. */
  readonly live?: Live | undefined
  /** Next check of a live card at the latest, in Unix seconds. */
  readonly nextBy?: number | undefined
  /** True of a live card whose alert couldn’t be read since `asOf`. */
  readonly isOverdue?: boolean
}

const inviteNote = 'To get the history in a thread, invite me: `/invite @Bellhop`'

const isHarmless = (name: string) => /^[\p{L}\p{M}\p{N}👁· .,'’()-]*$/u.test(name)

/** A grey note. Its parts are joined to one text, unless a name or key among them may have markup in it. */
function greyLine(...parts: (string | PlainTextElement)[]) {
  const areHarmless = parts.every((part) => typeof part === 'string' || isHarmless(part.text))
  if (!areHarmless) return note(...parts)

  const texts = parts.map((part) => (typeof part === 'string' ? part : part.text))
  return note(texts.join(' '))
}

/** Address of the alert in monitoring; undefined if unknown, or if Slack would refuse it. */
export function webLink(
  { alertUrl }: Pick<CardSettings, 'alertUrl'>,
  ks: string,
  place: AlertPlace | undefined,
): string | undefined {
  if (!alertUrl || !ks.isWellFormed()) return undefined

  const built = buildAlertLink({ ks, ...place }, alertUrl)
  return built && webAddress(built)
}

/** Limits of the text below the headline: a longer one would push the buttons out of sight on a phone. */
const mostLines = 6
const longestRest = 600
const longestQuote = 600

/** The key as code, which is easily copied; as plain text if code can’t hold it. @param ks - Raw. */
export function keyText(ks: string): string | PlainTextElement {
  const key = cut(ks, 200)
  const isCode = /^[^`\p{C}\p{Z}]+( [^`\p{C}\p{Z}]+)*$/u.test(key)
  return isCode ? `\`${escapeText(key)}\`` : literal(key)
}

function footer(view: CardView): KnownBlock {
  const { alert, askerName, refresherName, asOf, isPrivate, names, live, nextBy, isOverdue } = view
  // True if no other line has the time.
  const isTimed = !isOverdue && (!live || nextBy === undefined)
  const facts = [
    nameAndNumber(names?.container),
    !isPrivate && askerName && `asked by ${cut(askerName, 80)}`,
    refresherName && `refreshed by ${cut(refresherName, 80)}`,
  ].filter(Boolean)

  return greyLine(
    keyText(alert.ks),
    ...(facts.length > 0 ? [literal(`· ${facts.join(' · ')}`)] : []),
    ...(isTimed ? [`· ${date(asOf)}`] : []),
  )
}

function openedNote(message: string) {
  const opened = cut(message.trim(), longestQuote)
  return literal(opened === '' ? 'No message when it opened' : `“${opened}” when it opened`)
}

export function renderCard(settings: CardSettings, view: CardView): Message {
  const { alert, asOf, isOverdue, live, names = noNames, asset } = view
  const url = webLink(settings, alert.ks, view.place)
  const { headline, rest } = headlineOf(alert.lastMessage)
  const closing = isClosed(alert) ? closingOf(alert.actions, noNames).words : ''
  const shown = cut(rest.split('\n', mostLines).join('\n'), longestRest)
  const { text, blocks } = describe({
    headline: [
      words(`${markOf(alert)} `, saidBefore(settings, alert, headline, asset)),
      url === undefined ? headline : { type: 'link', url, text: headline, style: { bold: true } },
    ],
    lines: [
      isOverdue ? overdueLine(asOf) : undefined,
      stateLine(settings, alert, names, asOf, asset),
      isClosed(alert) ? undefined : view.quiet,
      closing && [words(`“${cut(closing, longestQuote)}”`)],
      shown && [words(shown)],
    ],
    notes: [
      shown === rest ? undefined : 'The rest is in monitoring.',
      isClosed(alert) || alert.message === alert.lastMessage
        ? undefined
        : openedNote(alert.message),
    ],
    buttons: cardButtons(view, settings.hasAllOperations, url),
  })
  const card = {
    text: `${text}\nKey ${escapeText(cut(alert.ks, 200))}`,
    blocks: [
      ...blocks,
      ...(live ? [liveLine(live, view, settings.watch.intervalMs)] : []),
      footer(view),
    ],
  }

  return calling(card, view.calls)
}

/**
 * Words before the headline in a notification: “CRITICAL: db-03: ”, or “CRITICAL: ” if the headline names the asset. Raw.
 */
function saidBefore(
  settings: SeverityNames,
  alert: Alert,
  headline: string,
  asset: string | undefined,
) {
  const where = asset && !isNamedIn(headline, asset) ? `${asset}: ` : ''
  return `${standing(settings, alert)}: ${where}`
}

/** Card and history in one message, for a place without a thread. */
export function renderInOneMessage(
  settings: CardSettings,
  view: CardView,
  wantsThread: boolean,
): Message {
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

/**
 * The line of watchers. The times of this check and the next let people see that a card has stalled; an overdue card has
 * none.
 */
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
    literal(`👁️ ${isPrivate ? 'you' : namesInLine(names)}`),
    `${check}· until ${date(Math.floor(until / 1000))}`,
  )
}

function namesInLine(names: readonly string[]) {
  const shown = names.slice(0, namesShown).map((name) => cut(name, 40))
  const more = names.length - shown.length
  return more > 0 ? `${shown.join(', ')}, ${more} more` : shown.join(', ')
}

function overdueLine(asOf: number): Line {
  const what = ' I haven’t been able to read this alert since '
  return ['⚠️ ', bold('Out of date:'), what, richDateWithin(asOf), '.']
}

const longestPreview = 500

/**
 * The preview below a link. Says little, as nobody asked for it: no owner, no closing message. Plain text, as Slack refuses
 * menus and rich text in previews.
 */
export function renderUnfurl(settings: SeverityNames, alert: Alert, asset?: string): Message {
  const { lastSeverity, lastMessage, timestamp } = alert
  const name = escapeText(severityName(settings, lastSeverity))
  const state = isClosed(alert)
    ? `Closed ${since(alert.closedTimestamp)} · was ${name}`
    : `${name} · opened ${since(timestamp)}`
  const { headline, rest } = headlineOf(lastMessage)
  const message = rest === '' ? headline : `${headline}\n${rest}`
  const where = asset ? `\n${asset}` : ''
  const shown = literal(cut(`${markOf(alert)} ${message}`, longestPreview) + where)
  const text = escapeText(`${saidBefore(settings, alert, headline, asset)}${headline}`)

  return { text, blocks: [section(shown), section(state)] }
}

export const unfurlReason =
  'You posted a link to an alert. To preview it, I need your monitoring account.'

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
  maintenance: 'Maintenance…',
} as const

type Offer = keyof typeof labels

function isOffer(name: string): name is Offer {
  return Object.hasOwn(labels, name)
}

function cardButtons(view: CardView, hasAllOperations: boolean, url: string | undefined) {
  const { id, alert, isPrivate, live, readerId } = view
  const value = pressValue(id, alert.ownerId)
  const inMenu = (...offers: readonly (Offer | '' | false | undefined)[]) => {
    const options = offers.flatMap((offer) => {
      const text = offer && plain(labels[offer])
      return text
        ? { text, value: `${offer} ${value}`, ...(offer === 'open' && url && { url }) }
        : []
    })
    return menu(moreAction, options)
  }

  const open = url && 'open'
  const refresh = button(refreshAction, labels.refresh, id)
  const canShare = isPrivate && view.channelId !== undefined
  const share = canShare && button(shareCardAction, labels.share, id)
  if (isClosed(alert)) return [refresh, share, ...inMenu('grant', open)]

  // *Watch* stays on a live card that others see, as they may want to watch it, too. Watchers stop in the card’s menu.
  const watch =
    isPrivate && live
      ? button(stopWatchingAction, labels.stop, id)
      : button(watchAction, 'Watch', id)
  const stop = live && !isPrivate && 'stop'
  if (!hasAllOperations)
    return [refresh, watch, ...inMenu(open, 'grant', stop, canShare && 'share')]

  const isMine = isPrivate && readerId !== undefined && readerId === alert.ownerId
  const take = alert.ownerId === null ? 'Assign to me' : 'Take over'
  const first = isMine
    ? button(commentAction, labels.comment, value)
    : button(assignMeAction, take, value)
  const close = button(closeAction, 'Close alert', value)
  // A menu holds five. Stop replaces Refresh, as a live card refreshes itself; Maintenance replaces the link, which a
  // machine’s card has in its headline.
  const last = view.place === undefined ? open : 'maintenance'
  const rest = inMenu(stop || 'refresh', 'assign-to', !isMine && 'comment', 'grant', last)

  return [first, close, watch, share, ...rest]
}

/**
 * The card or request whose button was pressed, and the alert’s owner as the presser saw them, to be compared with a
 * reading.
 */
export interface CardPress {
  /**
   * The id of a card, or of the request of an act that was held back. The id of a typed request has dots, and that of one
   * said to the bot has spaces.
   */
  readonly id: string
  /** The service’s number; null while unassigned. */
  readonly ownerId: number | null
}

/** A button’s value: “<id> 7” with the owner’s number, or “<id> -” if the alert is unassigned. */
export function pressValue(id: string, ownerId: CardPress['ownerId']): string {
  return `${id} ${ownerId ?? '-'}`
}

const pressShape = /^(.{1,255}) (-|\d{1,15})$/

/** @returns Undefined for a value of another version’s button. */
export function readPress(value: string): CardPress | undefined {
  const [, id, owner] = pressShape.exec(value) ?? []
  if (id === undefined || owner === undefined) return undefined

  return { id, ownerId: owner === '-' ? null : Number(owner) }
}

/**
 * Reads a menu’s choice, or the value of a button that stands in for the menu; undefined for anything that no card offers.
 */
export function readMenuChoice(value: string): (CardPress & { readonly offer: Offer }) | undefined {
  const [offer = ''] = value.split(' ', 1)
  const press = readPress(value.slice(offer.length + 1))
  return isOffer(offer) && press ? { offer, ...press } : undefined
}

/** True of the choice *Open in monitoring*: its link opens by itself, and Slack only wants the choice acknowledged. */
export function isLinkChoice(value: string): boolean {
  return readMenuChoice(value)?.offer === 'open'
}

const ofCards: readonly string[] = [
  refreshAction,
  watchAction,
  stopWatchingAction,
  assignMeAction,
  commentAction,
  closeAction,
]

/** The id of the card that a button is on; undefined for other buttons. */
export function cardIdIn(actionId: string, value: string): string | undefined {
  return ofCards.includes(actionId) ? value.split(' ', 1)[0] : undefined
}
