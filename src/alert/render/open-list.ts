// Draws lists of open alerts: one line for each, the gravest first, with a button for its card. Pure.
import type { Button } from '@slack/types'
import type { OpenAlert } from '../../monitor/schema.ts'
import { type Names, personNamed } from '../../names/names.ts'
import {
  moreButton,
  type Page,
  pageOf,
  partOf,
  type Row,
  renderPage,
  sectionRow,
} from '../../slack/outbound/list.ts'
import { button, type Message, section } from '../../slack/outbound/message.ts'
import { cut, date, escapeText, limits, literal, mrkdwn, time } from '../../slack/text/mrkdwn.ts'
import { quote } from '../../slack/text/typed.ts'
import { type OpenAsk, openLine } from '../input.ts'
import { isNamedIn } from '../place.ts'
import { keyText } from './card.ts'
import { ago, headlineOf, type SeverityNames, severityWords } from './state.ts'

/** Ids of *Show card*: in a list that others see, and in a list that one person sees alone. */
export const showListedAction = 'alert.show-listed'
export const showOwnAction = 'alert.show-own'
/** Each button in a row needs its own id in Slack. */
export const openActions = {
  more: 'alert.open-more',
  share: 'alert.open-share',
  follow: 'alert.open-follow',
  others: ['alert.open-1', 'alert.open-2', 'alert.open-3', 'alert.open-4', 'alert.open-5'],
} as const

/** *Show card*; undefined if the key is longer than what a button carries in Slack. */
export function showButton(ks: string, action: string): Button | undefined {
  const isShort = escapeText(ks).length <= limits.buttonValue
  return isShort ? button(action, 'Show card', ks) : undefined
}

const longestLabel = 40
/** The number of characters in two lines on a phone. */
const longestWords = 100

export interface ShortList {
  /** The container in words: “Customer 1 (12)”, or “container 12”. Raw. */
  readonly container: string
  readonly containerId: number
  /** The gravest first. */
  readonly alerts: readonly OpenAlert[]
  /** Time of the reading, in Unix seconds. */
  readonly asOf: number
  readonly people: Names['people']
  /** Names of the assets that alerts are on, by the alert’s key. Raw. */
  readonly assets: ReadonlyMap<string, string>
  /** Keys of alerts whose machine or container is in maintenance. */
  readonly quiet?: ReadonlySet<string>
}

interface Other {
  readonly id: number
  readonly asset?: number | undefined
  readonly name: string
}

/** A list of all open alerts that fit what was asked for. */
export interface OpenList extends ShortList {
  /** How many alerts are open in the container, or on the machine, whether or not they fit what was asked for. */
  readonly total: number
  readonly ask: OpenAsk
  /** Name of the asset, raw, if the list is about one asset; else undefined. */
  readonly machine?: string | undefined
  /**
   * Lists to go to next, a button each. First assets that many of these alerts are on, or the container of the one asset;
   * then other containers of the asker. Names are raw.
   */
  readonly others: readonly Other[]
}

/** Draws the list. Only the asker gets buttons below it: a channel gets none. */
export function renderOpen(
  settings: SeverityNames,
  list: OpenList,
  to: 'asker' | 'asker-in-channel' | 'asker-where-followed' | 'channel',
): Message {
  const { alerts, ask, machine, others } = list
  const page = pageOf(alerts, alertRow(settings, list, to === 'channel'), ask.after)
  const heading = escapeText(headlineFor(list, page))
  if (to === 'channel') return renderPage(page, heading, {}, asOfWords(list))

  const line = openLine(ask)
  const canShare = to !== 'asker' && alerts.length > 0
  const canFollow = to === 'asker-in-channel' && !machine
  const buttons = [
    moreButton(page, openActions.more, (after) => openLine({ ...ask, after })),
    canShare && button(openActions.share, 'Show in channel', line),
    canFollow && button(openActions.follow, 'Follow in this channel', line),
    ...othersFor(ask, others),
  ]

  return renderPage(page, heading, { buttons })
}

/** The time of a list that everybody sees, as it is still read long after. mrkdwn. */
export function asOfWords({ asOf }: Pick<ShortList, 'asOf'>): string {
  return `as of ${time(asOf)}`
}

function headlineFor(list: OpenList, page: Page): string {
  const { container, machine, alerts, total, ask } = list
  const where = machine === undefined ? `in ${container}` : `on ${machine} in ${container}`
  if (total === 0) return `Nothing is open ${where}.`

  const whose = ask.whose === 'mine' ? 'yours' : ask.whose
  const which = [whose, ask.least && `${ask.least} or worse`].filter(Boolean)
  if (alerts.length === 0) {
    const none = total === 1 ? 'The only alert' : `None of the ${total} alerts`
    return `${none} open ${where} ${total === 1 ? 'isn’t' : 'is'} ${which.join(' and ')}.`
  }

  const order = alerts.length === 1 ? '' : ', worst first'
  return [`${partOf(page)} open ${where}${order}`, ...which].join(' · ')
}

export function wordsFor(
  settings: SeverityNames,
  { lastSeverity, lastMessage }: OpenAlert,
  asset?: string,
): string {
  const { headline } = headlineOf(lastMessage)
  const where = asset && !isNamedIn(headline, asset) ? cut(asset, longestLabel) : undefined
  return inLine(severityWords(settings, lastSeverity), where, headline)
}

/**
 * Draws an alert’s row. Others’ words are plain text, so that nothing in them becomes markup or an emoji.
 * @param stays - True in a list for everybody: it has times instead of ages, as it is still read long after.
 */
export function alertRow(
  settings: SeverityNames,
  { people, assets, quiet, asOf }: Pick<ShortList, 'people' | 'assets' | 'quiet' | 'asOf'>,
  stays = false,
) {
  return (alert: OpenAlert): Row => {
    const { ks, timestamp, ownerId } = alert
    const name = personNamed({ people }, ownerId) ?? `user ${ownerId}`
    const owner = ownerId === null ? 'unassigned' : `assigned to ${name}`
    const show = showButton(ks, stays ? showListedAction : showOwnAction)
    const words = cut(wordsFor(settings, alert, assets.get(ks)), longestWords)
    const age = ago(timestamp, asOf)
    const mode = quiet?.has(ks) ? '🔧 in maintenance' : undefined
    const facts = inLine(age, owner, mode, cut(ks, longestWords))
    const text = escapeText(inLine(words, facts))
    if (!stays) return { text, blocks: [section(literal(`${words}\n${facts}`), show)] }

    const since = inLine(age && `since ${date(timestamp)}`, escapeText(owner), mode)
    const key = keyText(ks)
    const fields = typeof key === 'string' ? [mrkdwn(inLine(since, key))] : [mrkdwn(since), key]
    const told = { type: 'section', text: literal(words), fields } as const

    return { text, blocks: [{ ...told, ...(show && { accessory: show }) }] }
  }
}

function inLine(...facts: readonly (string | undefined)[]) {
  return facts.filter(Boolean).join(' · ')
}

function othersFor(ask: OpenAsk, others: OpenList['others']) {
  return openActions.others.flatMap((action, at) => {
    const one = others[at]
    if (!one) return []

    const name = one.asset === undefined ? one.name : `Only ${one.name}`
    return { ...button(action, '', lineTo(ask, one)), text: literal(cut(name, longestLabel)) }
  })
}

function lineTo(ask: OpenAsk, { id: container, asset }: Other) {
  return openLine({ ...ask, container, asset, after: 0 })
}

/** Asks which of several machines of one name is meant. */
export function renderMachines(ask: OpenAsk, machines: readonly Other[]): Message {
  const [action] = openActions.others
  const rowOf = (one: Other) =>
    sectionRow(literal(one.name), button(action, 'Show alerts', lineTo(ask, one)))
  const page = pageOf(machines, rowOf)
  const heading = `${partOf(page)} machines are called ${quote(String(ask.container))}. Which one?`

  return renderPage(page, escapeText(heading), {})
}
