// Lists of open alerts: one line each, the gravest first, with a button for its card. Pure.
import type { Button, KnownBlock } from '@slack/types'
import type { OpenAlert } from '../../monitor/schema.ts'
import { type Names, personNamed } from '../../names/names.ts'
import { button, describe, type Message, section } from '../../slack/outbound/message.ts'
import { cut, date, escapeText, limits, literal, mrkdwn, time } from '../../slack/text/mrkdwn.ts'
import { type OpenAsk, openLine } from '../input.ts'
import { keyText } from './card.ts'
import { ago, headlineOf, type SeverityNames, severityWords } from './state.ts'

/** *Show card*, where others see the list, and in somebody’s own. */
export const showListedAction = 'alert.show-listed'
export const showOwnAction = 'alert.show-own'
/** Each button in a row needs its own id in Slack. */
export const openActions = {
  more: 'alert.open-more',
  share: 'alert.open-share',
  follow: 'alert.open-follow',
  others: ['alert.open-1', 'alert.open-2', 'alert.open-3'],
} as const

/** *Show card*: none for a key that is longer than what a button carries in Slack. */
export function showButton(ks: string, action: string): Button | undefined {
  const isShort = escapeText(ks).length <= limits.buttonValue
  return isShort ? button(action, 'Show card', ks) : undefined
}

export const mostListed = 20
const longestLabel = 40
/** Two lines of a phone. */
const longestWords = 100

export interface ShortList {
  /** “Customer 1 (12)”, or “container 12”. Raw. */
  readonly container: string
  readonly containerId: number
  /** The gravest first. */
  readonly alerts: readonly OpenAlert[]
  /** Reading time, in Unix seconds. */
  readonly asOf: number
  readonly people: Names['people']
}

/** A list of all that fit what was asked for. */
export interface OpenList extends ShortList {
  /** How many are open there. */
  readonly total: number
  readonly ask: OpenAsk
  /** Other containers of this person. Names are raw. */
  readonly others: readonly { readonly id: number; readonly name: string }[]
}

/** Buttons are for the asker alone: a channel gets none. */
export function renderOpen(
  settings: SeverityNames,
  list: OpenList,
  to: 'asker' | 'asker-in-channel' | 'asker-where-followed' | 'channel',
): Message {
  const { alerts, ask, others } = list
  const line = openLine(ask)
  const next = ask.after + mostListed
  const shown = alerts.slice(ask.after, next)
  const isInChannel = to === 'asker-in-channel' || to === 'asker-where-followed'
  const follow = button(openActions.follow, 'Follow in this channel', line)
  const more = button(openActions.more, 'Show more', openLine({ ...ask, after: next }))
  const share = button(openActions.share, 'Show in channel', line)
  const buttons = [
    next < alerts.length ? more : undefined,
    isInChannel && alerts.length > 0 ? share : undefined,
    to === 'asker-in-channel' ? follow : undefined,
    ...othersFor(ask, others),
  ]
  const { blocks } = describe({ buttons: to === 'channel' ? [] : buttons })
  const headline = headlineFor(list, shown.length)
  return renderList(settings, headline, { ...list, alerts: shown }, blocks, to === 'channel')
}

/** @param headline - Raw. @param stays - For everybody and read long after, so it says as of when it is. */
export function renderList(
  settings: SeverityNames,
  headline: string,
  list: Omit<ShortList, 'container'>,
  more: readonly KnownBlock[] = [],
  stays = false,
): Message {
  const [worst] = list.alerts
  const asOf = stays ? ` · as of ${time(list.asOf)}` : ''
  const heading = section(`*${escapeText(headline)}*${asOf}`)
  const blocks: KnownBlock[] = [heading, ...alertLines(settings, list, stays), ...more]
  return {
    text: escapeText(worst ? `${headline}: ${wordsFor(settings, worst)}` : headline),
    blocks,
  }
}

function headlineFor({ container, alerts, total, ask }: OpenList, count: number): string {
  const whose = ask.whose === 'mine' ? 'yours' : ask.whose
  const least = ask.least === undefined ? undefined : `${ask.least} or worse`
  const which = [whose, least]
    .flatMap((word) => (word === undefined ? [] : [` · ${word}`]))
    .join('')
  if (total === 0) return `Nothing is open in ${container}.`
  if (alerts.length === 0) return `Nothing of ${total} open in ${container} fits${which}`
  const order = alerts.length === 1 ? '' : ', worst first'
  const part =
    count === alerts.length ? count : `${ask.after + 1} to ${ask.after + count} of ${alerts.length}`
  return `${count === 0 ? 'No more' : part} open in ${container}${order}${which}`
}

export function wordsFor(
  settings: SeverityNames,
  { lastSeverity, lastMessage }: OpenAlert,
): string {
  return `${severityWords(settings, lastSeverity)} · ${headlineOf(lastMessage).headline}`
}

/** Lines are plain text, so that nothing in others’ words becomes markup or an emoji. */
export function alertLines(
  settings: SeverityNames,
  { alerts, people, asOf }: Omit<ShortList, 'container'>,
  stays = false,
): readonly KnownBlock[] {
  return alerts.map((alert) => {
    const { ks, timestamp, ownerId } = alert
    const owner =
      ownerId === null
        ? 'unassigned'
        : `assigned to ${personNamed({ people }, ownerId) ?? `user ${ownerId}`}`
    const show = showButton(ks, stays ? showListedAction : showOwnAction)
    const words = cut(wordsFor(settings, alert), longestWords)
    const age = ago(timestamp, asOf)
    if (!stays)
      return section(literal(`${words}\n${inLine(age, owner, cut(ks, longestWords))}`), show)
    const since = inLine(age && `since ${date(timestamp)}`, escapeText(owner))
    const key = keyText(ks)
    const fields = typeof key === 'string' ? [mrkdwn(inLine(since, key))] : [mrkdwn(since), key]
    return { ...section(literal(words), show), fields }
  })
}

function inLine(...facts: readonly (string | undefined)[]): string {
  return facts.filter(Boolean).join(' · ')
}

function othersFor(ask: OpenAsk, others: OpenList['others']): readonly Button[] {
  return openActions.others.flatMap((action, at) => {
    const one = others[at]
    const line = one && openLine({ ...ask, container: one.id, after: 0 })
    return line ? [{ ...button(action, '', line), text: literal(cut(one.name, longestLabel)) }] : []
  })
}
