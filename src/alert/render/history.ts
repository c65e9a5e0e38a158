// Histories of alerts: their actions as a reply in a thread, with what has changed since; as part of a card; as pages of a
// modal. Pure.
import type { KnownBlock, RichTextBlock, RichTextSection } from '@slack/types'
import type { Action, Alert } from '../../monitor/schema.ts'
import { type Names, noNames } from '../../names/names.ts'
import { button, fullest, type Message, type View } from '../../slack/outbound/message.ts'
import { cut, escapeText, mentionLinks, mrkdwn, plain, richDate } from '../../slack/text/mrkdwn.ts'
import { type Change, type Ending, isVisible } from '../thread.ts'
import { type ActionWords, describe, isClosingAmong } from './action-words.ts'
import { closedMark, richText, type SeverityNames, severityName } from './state.ts'

/** Action id of the button, for the listeners. */
export const showEarlierAction = 'alert.show-earlier'

/** Action ids of the history's buttons. */
export const pageActions = { earlier: 'alert.page-earlier', later: 'alert.page-later' } as const

/** How much of a history is shown at once. Slack names no limit for rich text; these read well on a phone. */
interface Extent {
  readonly actions: number
  readonly characters: number
  readonly charactersEach: number
}

const inReply: Extent = { actions: 15, characters: 6000, charactersEach: 600 }
const inCard: Extent = { actions: 8, characters: 2500, charactersEach: 400 }
/** A page of the modal shows each action at length. */
const onPage: Extent = { actions: 10, characters: Number.POSITIVE_INFINITY, charactersEach: 2500 }

const actionsPerPage = onPage.actions

/** An action in words, and when it was. */
interface Line extends ActionWords {
  readonly timestamp: number
}

function lineOf(action: Action, names: Names): Line {
  return { ...describe(action, names), timestamp: action.timestamp }
}

function words({ what, details }: ActionWords): string {
  return details === '' ? what : `${what}: ${details}`
}

function drawLine({ what, details, timestamp }: Line, charactersEach: number): RichTextSection {
  const shown = cut(details, charactersEach)
  return {
    type: 'rich_text_section',
    elements: [
      richDate(timestamp),
      { type: 'text', text: '  ' },
      { type: 'text', text: cut(what, 150) || 'Action', style: { bold: true } },
      ...(shown === '' ? [] : [{ type: 'text' as const, text: `: ${shown}` }]),
    ],
  }
}

function drawList(lines: readonly Line[], charactersEach: number): RichTextBlock {
  const elements = lines.map((line) => drawLine(line, charactersEach))
  // Several are told apart by their bullets; one alone needs none.
  if (elements.length === 1) return { type: 'rich_text', elements }
  return { type: 'rich_text', elements: [{ type: 'rich_text_list', style: 'bullet', elements }] }
}

/** The newest actions that fit, oldest first: always at least one. */
function newest(actions: readonly Action[], names: Names, extent: Extent): readonly Line[] {
  let characters = 0
  const newestFirst: Line[] = []
  for (const action of actions.slice(-extent.actions).reverse()) {
    const line = lineOf(action, names)
    characters += Math.min(words(line).length, extent.charactersEach)
    if (characters > extent.characters && newestFirst.length > 0) break
    newestFirst.push(line)
  }
  return newestFirst.reverse()
}

/** What the button carries: the card, and how many actions are older than those that are shown already. */
export function readShowEarlier(value: string): { readonly cardId: string; readonly older: number } {
  const [cardId = '', older] = value.split(':')
  return { cardId, older: Number(older) || 0 }
}

function showEarlier(cardId: string, older: number): KnownBlock {
  return { type: 'actions', elements: [button(showEarlierAction, 'Show earlier', `${cardId}:${older}`)] }
}

function count(actions: number): string {
  return actions === 1 ? '1 action' : `${actions} actions`
}

/** A part of a history: what it is called, and how much of it is shown. */
interface Part {
  /** Undefined for news in the alert's own thread: they need no heading, unless some of them are left out. */
  readonly title: string | undefined
  readonly extent: Extent
  readonly names: Names
  /** Actions of the alert that are older than these. */
  readonly older: number
}

const history = 'History'

function story(cardId: string, actions: readonly Action[], { title, extent, names, older }: Part): Message {
  const shown = newest(actions, names, extent)
  const last = shown.at(-1)
  if (last === undefined) {
    const nothing = 'No actions on this alert yet.'
    return { text: nothing, blocks: [{ type: 'context', elements: [mrkdwn(nothing)] }] }
  }
  const all = actions.length
  const isWhole = shown.length === all
  const isShortened = shown.some(({ details }) => details.length > extent.charactersEach)
  const howMuch = [
    isWhole ? count(all) : `newest ${shown.length} of ${count(all)}`,
    ...(isShortened ? ['long texts shortened'] : []),
  ]
  const heading = [
    ...(title === undefined ? [] : [`*${escapeText(title)}*`]),
    ...(title === history || !isWhole || isShortened ? [howMuch.join(', ')] : []),
  ].join(' · ')
  // Times are in nobody's own zone there.
  const latest = cut(words(last), 400)
  const titled = title === undefined ? '' : `${title}: `
  // Shortened ones are shown at length in the modal, so it begins with them.
  const before = isShortened ? older + actions.length : older + actions.length - shown.length
  return {
    text: escapeText(`${titled}${all === 1 ? '' : `${howMuch[0]}. Latest: `}${latest}`),
    blocks: [
      ...(heading === '' ? [] : [{ type: 'context' as const, elements: [mrkdwn(heading)] }]),
      drawList(shown, extent.charactersEach),
      ...(isWhole && !isShortened ? [] : [showEarlier(cardId, before)]),
    ],
  }
}

/** The reply in the card's thread. @param actions - Oldest first; may be empty. */
export function renderHistory(cardId: string, actions: readonly Action[], names: Names): Message {
  return story(cardId, actions, { title: history, extent: inReply, names, older: 0 })
}

/** A further reply in the thread: actions, an ending, or both. */
export interface News {
  /** What came since the last, oldest first. */
  readonly actions: readonly Action[]
  /** How many came before those. */
  readonly older: number
  /** How the card ceased to be live. */
  readonly ending: Pick<Ending, 'words' | 'by'> | undefined
  /** How the alert got worse or better. */
  readonly change?: Change | undefined
  /** Those that may be shown there. Default: none. */
  readonly names?: Names | undefined
  /** Those to whom Slack is to point it out: Slack's ids. */
  readonly mention?: readonly string[]
  /** What the alert is called, raw, in a thread that is not its own. */
  readonly about?: string | undefined
}

export function renderNews(
  settings: SeverityNames,
  cardId: string,
  { actions, older, names = noNames, ending, change, mention = [], about }: News,
): Message {
  const title = about === undefined ? undefined : `New on “${cut(about, 100)}”`
  const newsIn = (extent: Extent) =>
    actions.length === 0 ? undefined : story(cardId, actions, { title, extent, names, older })
  const news = newsIn(inReply)
  const whose = about === undefined || news !== undefined ? '' : `“${cut(about, 100)}”: `
  const words = ending && lastWords(ending, actions)
  const last = words && cut(`${whose}${words}`, 600)
  const changed = changePart(settings, change)
  const texts = [changed?.text, news?.text, last && escapeText(last)].filter(Boolean)
  const blocksWith = (shown: Message | undefined): KnownBlock[] => [
    ...(changed?.blocks ?? []),
    ...(shown?.blocks ?? []),
    ...(last ? [richText({ type: 'text', text: last })] : []),
    ...(mention.length === 0 ? [] : [mentionBlock(mention)]),
  ]
  return {
    text: texts.join(' '),
    blocks: fullest([() => blocksWith(news), () => blocksWith(newsIn(inCard))]),
  }
}

/** As many as fit into one text. */
const mostMentioned = 150

/** Notifies each of them. */
function mentionBlock(mention: readonly string[]): KnownBlock {
  return { type: 'section', text: mrkdwn(mentionLinks(mention.slice(0, mostMentioned))) }
}

function lastWords({ by, words }: Pick<Ending, 'words' | 'by'>, actions: readonly Action[]): string {
  if (by === undefined) return words
  const isSaid = isClosingAmong(actions)
  if (words === '') return isSaid ? '' : by
  return `${isSaid ? closedMark : by} ${words}`
}

/** The history as part of a card that has no thread. */
export function historyBlocks(
  cardId: string,
  actions: readonly Action[],
  names: Names,
): readonly KnownBlock[] {
  return story(cardId, actions, { title: history, extent: inCard, names, older: 0 }).blocks
}

const historyTitle = plain('Alert history')

/** Shown while the service is asked. */
export function loadingHistoryModal(): View {
  return historyInWords('Loading…')
}

/** @param problem - One sentence, raw. */
export function failedHistoryModal(problem: string): View {
  return historyInWords(escapeText(problem))
}

function historyInWords(text: string): View {
  const blocks = [{ type: 'section' as const, text: mrkdwn(text) }]
  return { type: 'modal', title: historyTitle, close: plain('Close'), blocks }
}

/**
 * One page of the history.
 * @param from - Index of the page's first action, counted from the oldest; brought into range.
 * @param names - As its reader’s own token has shown them.
 */
export function historyModal(cardId: string, alert: Alert, from: number, names: Names): View {
  const { actions } = alert
  const title = escapeText(cut(alert.lastMessage, 200)) || escapeText(cut(alert.ks, 200))
  const start = Math.max(0, Math.min(from, actions.length - 1))
  const page = actions.slice(start, start + actionsPerPage)
  const lines = page.map((action) => lineOf(action, names))
  const range =
    page.length === 0
      ? 'Monitoring no longer has any actions for this alert.'
      : `Actions ${start + 1} to ${start + page.length} of ${actions.length}, oldest first`
  const [before, after] = [Math.max(0, start - actionsPerPage), start + page.length]
  const turns = [
    ...(start > 0 ? [button(pageActions.earlier, 'Show earlier', String(before))] : []),
    ...(after < actions.length ? [button(pageActions.later, 'Show later', String(after))] : []),
  ]
  return {
    type: 'modal',
    title: historyTitle,
    close: plain('Close'),
    private_metadata: JSON.stringify({ cardId }),
    blocks: [
      { type: 'section', text: mrkdwn(`*${title}*`) },
      { type: 'context', elements: [mrkdwn(range)] },
      ...(page.length === 0 ? [] : [drawList(lines, onPage.charactersEach)]),
      ...(turns.length === 0 ? [] : [{ type: 'actions' as const, elements: turns }]),
    ],
  }
}

/** The page that ends right before those that are shown already. @param older - How many are older than those. */
export function pageBefore(older: number): number {
  return Math.max(0, older - actionsPerPage)
}

/** The part of a reply that tells a change: “⬆️ CRITICAL → ALERT · Disk /var is 98 % full”. Undefined without one. */
function changePart(settings: SeverityNames, change: Change | undefined): Message | undefined {
  if (!isVisible(change)) return undefined
  const { message } = change
  const { what, said } = changeWords(settings, change)
  const elements: RichTextSection['elements'] = [{ type: 'text', text: what, style: { bold: true } }]
  if (message !== '') elements.push({ type: 'text', text: ` · ${message}` })
  return {
    text: escapeText(message === '' ? `${said}.` : `${said}: ${message}`),
    blocks: [richText(...elements)],
  }
}

/** On screen, and for notifications and screen readers. Raw. */
function changeWords(settings: SeverityNames, { from, severity }: Change) {
  const now = severityName(settings, severity)
  if (from === 'closed') return { what: `🔁 Open again · ${now}`, said: `Open again, ${now}` }
  const both = `${severityName(settings, from)} → ${now}`
  return severity < from
    ? { what: `⬆️ ${both}`, said: `Worse, ${both}` }
    : { what: `⬇️ ${both}`, said: `Better, ${both}` }
}
