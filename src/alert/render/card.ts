// An alert as a card, and as the preview below its link: state and message first, readable without opening anything.
// Pure.
import type { Button, KnownBlock, RichTextBlock } from '@slack/types'
import type { Alert } from '../../monitor/schema.ts'
import type { Note } from '../../slack/outbound/delivery.ts'
import { type Message, menu } from '../../slack/outbound/message.ts'
import { limits } from '../../slack/text/limits.ts'
import {
  cut,
  date,
  escapeText,
  exactDate,
  literal,
  mrkdwn,
  plain,
  since,
  time,
  utc,
  webAddress,
} from '../../slack/text/mrkdwn.ts'
import type { Live } from '../cards.ts'
import { type AlertLink, buildAlertLink, holdsKey } from '../link.ts'
import { historyBlocks } from './history.ts'

/** What the operator decides about cards. */
export interface CardSettings {
  /** Eight names, the highest severity first. */
  readonly severityNames: readonly string[]
  /** The form of alerts' web links (link.ts); undefined where links do nothing. */
  readonly alertUrl: string | undefined
}

/** The alert, and what a card says besides. */
export interface CardView {
  readonly cardId: string
  readonly alert: Alert
  /** Raw. */
  readonly askerName: string
  /** Raw; undefined while nobody has refreshed the card. */
  readonly refresherName?: string | undefined
  /** When it was true, in Unix seconds. */
  readonly asOf: number
  readonly isPrivate: boolean
  /** A private card can be shared when it was asked in a channel. */
  readonly canShare: boolean
  /** Undefined when nobody watches it. */
  readonly live?: Live | undefined
  /** Of a live card: it is checked again by then, in Unix seconds. */
  readonly nextBy?: number | undefined
  /** A live card that could not be kept up to date since `asOf`. */
  readonly isOverdue?: boolean
  /** Of the card: its web link, where that holds no key. */
  readonly link?: AlertLink | undefined
}

const longestMessage = 2500
const noteLines: Readonly<Record<Note, string>> = {
  invite: 'Bellhop is not in this channel. To get the history in a thread, invite it: `/invite @Bellhop`',
  'only-you':
    'Only you see this: it could not be posted in the channel. If Bellhop is not a member, invite it: `/invite @Bellhop`',
  quiet: 'Only you see this: this channel is set to quiet. To change that: `/alert style thread`',
}

/** As the operator calls it; a severity outside the contract goes by its number. */
export function severityName(settings: CardSettings, severity: number): string {
  return settings.severityNames[severity] ?? `severity ${severity}`
}

function isClosed(alert: Alert): alert is Alert & { closedTimestamp: number } {
  return alert.closedTimestamp !== null
}

function hasOneHit(alert: Alert): boolean {
  return (
    alert.timestamp === alert.lastTimestamp &&
    alert.severity === alert.lastSeverity &&
    alert.message === alert.lastMessage
  )
}

/** “CRITICAL, opened as WARNING” */
function severityWords(settings: CardSettings, alert: Alert): string {
  const now = severityName(settings, alert.lastSeverity)
  return alert.severity === alert.lastSeverity
    ? now
    : `${now}, opened as ${severityName(settings, alert.severity)}`
}

/** For the eye: open and grave, open, closed. */
export function sign(alert: Alert): string {
  if (isClosed(alert)) return '⚪'
  if (alert.lastSeverity <= 3) return '🔴'
  return alert.lastSeverity === 4 ? '🟠' : '🔵'
}

function richText(text: string): RichTextBlock {
  return {
    type: 'rich_text',
    elements: [
      {
        type: 'rich_text_section',
        elements: [{ type: 'text', text: cut(text, longestMessage) || '(no message)' }],
      },
    ],
  }
}

function facts(alert: Alert): KnownBlock {
  const fields = [`*Opened*\n${date(alert.timestamp)}`]
  if (!hasOneHit(alert)) fields.push(`*Last hit*\n${date(alert.lastTimestamp)}`)
  if (isClosed(alert)) fields.push(`*Closed*\n${date(alert.closedTimestamp)}`)
  fields.push(`*Owner*\n${alert.ownerId === null ? 'not assigned' : `user ${alert.ownerId}`}`)
  return { type: 'section', fields: fields.map(mrkdwn) }
}

function buttons(settings: CardSettings, view: CardView): KnownBlock {
  const { alert, live } = view
  const url = webLink(settings, alert.ks, view.link)
  return cardButtons({ ...view, isClosed: isClosed(alert), isLive: live !== undefined, url })
}

/** The alert in monitoring; undefined when that is not known, or Slack would not take it. @param link - Where one is known. */
export function webLink(
  { alertUrl }: Pick<CardSettings, 'alertUrl'>,
  ks: string,
  link: AlertLink | undefined,
): string | undefined {
  if (alertUrl === undefined || !ks.isWellFormed()) return undefined
  if (holdsKey(alertUrl)) return webAddress(alertUrl.split('{ks}').join(encodeURIComponent(ks)))
  const built = link && buildAlertLink(link, alertUrl)
  return built && webAddress(built)
}

/** Key and names are literal, so that they can be copied as they are. */
function footer({ alert, askerName, refresherName, asOf, isPrivate }: CardView): KnownBlock {
  const people = [
    ...(isPrivate ? [] : [`asked by ${cut(askerName, 80)}`]),
    ...(refresherName === undefined ? [] : [`refreshed by ${cut(refresherName, 80)}`]),
  ]
  return {
    type: 'context',
    elements: [
      literal(cut(alert.ks, 200)),
      ...(people.length === 0 ? [] : [literal(people.join(', '))]),
      mrkdwn(`as of ${exactDate(asOf)}`),
    ],
  }
}

/** The sentence that stands for a card in notifications and screen readers: the gravest first. */
function sentence(settings: CardSettings, alert: Alert): string {
  const now = severityName(settings, alert.lastSeverity)
  const first = severityName(settings, alert.severity)
  const state = isClosed(alert) ? 'is closed' : 'is open'
  const change = first === now ? '' : ` (opened as ${first})`
  const message = cut(alert.lastMessage.replaceAll(/\s+/g, ' '), 300) || 'no message'
  const facts = [
    `Opened ${utc(alert.timestamp)}`,
    ...(hasOneHit(alert) ? [] : [`last hit ${utc(alert.lastTimestamp)}`]),
    alert.ownerId === null ? 'not assigned' : `owner user ${alert.ownerId}`,
    `key ${cut(alert.ks, 200)}`,
  ]
  return escapeText(`${now} alert ${state}${change}: ${message}. ${facts.join(', ')}.`)
}

/** A card on its own; its history goes into its thread. */
export function renderCard(settings: CardSettings, view: CardView): Message {
  const { alert } = view
  const state = `${sign(alert)} ${isClosed(alert) ? 'Closed' : 'Open'} · ${severityWords(settings, alert)}`
  const blocks: KnownBlock[] = [
    { type: 'header', text: plain(cut(state, limits.headerText)) },
    ...(view.isOverdue ? [overdueLine(view.asOf)] : []),
    richText(alert.lastMessage),
  ]
  if (alert.message !== alert.lastMessage) {
    blocks.push({
      type: 'context',
      elements: [literal(`Opened with: ${cut(alert.message, 600) || '(no message)'}`)],
    })
  }
  blocks.push(
    facts(alert),
    buttons(settings, view),
    ...(view.live ? [liveLine(view.live, view)] : []),
    footer(view),
  )
  const warning = view.isOverdue ? `Not up to date since ${utc(view.asOf)}. ` : ''
  return { text: `${warning}${sentence(settings, alert)}`, blocks }
}

/** Card and history in one message, for where there is no thread. */
export function renderInOneMessage(settings: CardSettings, view: CardView, note: Note | undefined): Message {
  const { text, blocks } = renderCard(settings, view)
  return {
    text,
    blocks: [
      ...blocks,
      { type: 'divider' },
      ...historyBlocks(view.cardId, view.alert.actions),
      ...(note === undefined ? [] : [{ type: 'context' as const, elements: [mrkdwn(noteLines[note])] }]),
    ],
  }
}

const namesShown = 3

/** What says how far the card can be trusted. */
interface Check {
  /** Unix seconds. */
  readonly asOf: number
  readonly nextBy?: number | undefined
  readonly isPrivate: boolean
  readonly isOverdue?: boolean
}

/** “Live until … for Alice, Bob, checked 14:02, next check by 14:12”: a card that stalls shows it without an update. */
export function liveLine({ names, until }: Live, { asOf, nextBy, isPrivate, isOverdue }: Check): KnownBlock {
  const live = mrkdwn(`*Live* until ${date(Math.floor(until / 1000))}`)
  const check =
    nextBy === undefined || isOverdue ? [] : [mrkdwn(`checked ${time(asOf)}, next check by ${time(nextBy)}`)]
  if (isPrivate) return { type: 'context', elements: [live, ...check] }
  const shown = names.slice(0, namesShown).map((name) => cut(name, 40))
  const more = names.length > namesShown ? [`${names.length - namesShown} more`] : []
  return {
    type: 'context',
    elements: [live, literal(`for ${[...shown, ...more].join(', ')}`), ...check],
  }
}

/** @param asOf - Unix seconds. */
export function overdueLine(asOf: number): KnownBlock {
  const words = `⚠️ *Not up to date:* the alert could not be read since ${exactDate(asOf)}.`
  return { type: 'context', elements: [mrkdwn(words)] }
}

const longestPreview = 500

/**
 * The preview below the link of an alert: state, severity, message and age, and no more, as the channel has not
 * asked. Links and text alone: Slack refuses menus and rich text there.
 */
export function renderUnfurl(settings: CardSettings, alert: Alert): readonly KnownBlock[] {
  const { lastMessage, lastSeverity, timestamp, closedTimestamp } = alert
  const state = closedTimestamp === null ? 'Open' : 'Closed'
  const age = closedTimestamp === null ? `opened ${since(timestamp)}` : `closed ${since(closedTimestamp)}`
  return [
    { type: 'section', text: literal(`${sign(alert)} ${state} · ${severityName(settings, lastSeverity)}`) },
    { type: 'section', text: literal(cut(lastMessage, longestPreview) || '(no message)') },
    { type: 'context', elements: [mrkdwn(age)] },
  ]
}

/** To whoever posted a link and is not connected. Raw. */
export const unfurlReason =
  'You posted the link of an alert. To show its state below the link, Bellhop needs your own account at the monitoring service.'

const sampledAt = 1_768_521_660

/** A card of an alert that is none, as doctor has Slack look at it. */
export function sampleCard(settings: CardSettings): Message {
  return renderCard(settings, {
    cardId: 'sample',
    alert: {
      ks: 'sample key',
      message: 'Disk filling',
      severity: 4,
      timestamp: sampledAt - 60 * 60,
      lastMessage: 'Disk full',
      lastSeverity: 2,
      lastTimestamp: sampledAt,
      ownerId: 7,
      closedTimestamp: null,
      actions: [],
    },
    askerName: 'alice',
    asOf: sampledAt,
    isPrivate: false,
    canShare: false,
    live: { names: ['alice'], until: sampledAt },
    link: { asset: '7', timestamp: String(sampledAt), container: '12', condition: '3', item: 'sample' },
  })
}

/** Action ids of the buttons, for the listeners. */
export const refreshAction = 'alert.refresh'
export const watchAction = 'watch.start'
export const stopWatchingAction = 'watch.stop'
export const moreAction = 'alert.more'

/** What a card's menu offers. */
const offers = ['open', 'grant', 'share', 'stop'] as const
type Offer = (typeof offers)[number]

const labels: Readonly<Record<Offer, string>> = {
  open: 'Open in monitoring',
  grant: 'Grant access',
  share: 'Share in channel',
  stop: 'Stop watching',
}

interface CardButtons {
  readonly cardId: string
  readonly isClosed: boolean
  readonly isPrivate: boolean
  readonly canShare: boolean
  readonly isLive: boolean
  /** Where the alert is in monitoring, when that is known. */
  readonly url: string | undefined
}

function cardButtons({ cardId, isClosed, isPrivate, canShare, isLive, url }: CardButtons): KnownBlock {
  const button = (actionId: string, label: string): Button => ({
    type: 'button',
    action_id: actionId,
    text: plain(label),
    value: cardId,
  })
  // On a live card others may want to watch it too; on a private one there are no others.
  const watches =
    isPrivate && isLive ? [button(stopWatchingAction, labels.stop)] : [button(watchAction, 'Watch')]
  const rest: readonly Offer[] = [
    ...(url === undefined ? [] : ['open' as const]),
    ...(isLive && !isPrivate ? ['stop' as const] : []),
    'grant',
    ...(isPrivate && canShare ? ['share' as const] : []),
  ]
  return {
    type: 'actions',
    elements: [
      button(refreshAction, 'Refresh'),
      ...(isClosed ? [] : watches),
      ...menu(
        moreAction,
        rest.map((offer) => ({
          text: plain(labels[offer]),
          value: `${offer} ${cardId}`,
          ...(offer === 'open' && url !== undefined ? { url } : {}),
        })),
      ),
    ],
  }
}

/** What was chosen in a card's menu, or pressed in its place; undefined for what no card offers. */
export function readMenuChoice(
  value: string,
): { readonly offer: Offer; readonly cardId: string } | undefined {
  const [word, cardId = ''] = value.split(' ')
  const offer = offers.find((one) => one === word)
  return offer && { offer, cardId }
}
