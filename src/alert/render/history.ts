// Histories of alerts: their actions as a reply in a thread, with what has changed since, or as part of a card. Pure.
import type { KnownBlock, RichTextBlock, RichTextSection } from '@slack/types'
import type { Action } from '../../monitor/schema.ts'
import { type Names, noNames } from '../../names/names.ts'
import type { Message } from '../../slack/outbound/message.ts'
import { cut, escapeText, mentionLinks, mrkdwn, richDate } from '../../slack/text/mrkdwn.ts'
import { type Change, isVisible, type Reply } from '../thread.ts'
import { type ActionWords, actionInWords, paragraph, type SeverityNames, severityName } from './state.ts'

/** How much of a history is shown. Slack names no limit for rich text; these read well on a phone. */
interface Extent {
  readonly actions: number
  readonly characters: number
  readonly charactersEach: number
}

const inReply: Extent = { actions: 15, characters: 4000, charactersEach: 600 }
const inCard: Extent = { actions: 8, characters: 2500, charactersEach: 400 }

/** An action in words, and when it was. */
type Line = ActionWords & Pick<Action, 'timestamp'>

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
    const line = { ...actionInWords(action, names), timestamp: action.timestamp }
    characters += Math.min(words(line).length, extent.charactersEach)
    if (characters > extent.characters && newestFirst.length > 0) break
    newestFirst.push(line)
  }
  return newestFirst.reverse()
}

/** @param isNews - It needs no heading, unless some of them are left out. */
function story(actions: readonly Action[], extent: Extent, names: Names, isNews = false): Message {
  const shown = newest(actions, names, extent)
  const last = shown.at(-1)
  if (last === undefined) {
    const nothing = 'No actions on this alert yet.'
    return { text: nothing, blocks: [{ type: 'context', elements: [mrkdwn(nothing)] }] }
  }
  const all = actions.length
  const isShortened = shown.some(({ details }) => details.length > extent.charactersEach)
  const isWhole = shown.length === all && !isShortened
  const count = all === 1 ? '1 action' : `${all} actions`
  const howMuch = shown.length === all ? count : `newest ${shown.length} of ${count}`
  const heading = [
    ...(isNews ? [] : ['*History*']),
    ...(isNews && isWhole ? [] : [howMuch]),
    ...(isWhole ? [] : ['the rest is in monitoring']),
  ].join(' · ')
  return {
    // Times are in nobody's own zone there.
    text: escapeText(
      `${isNews ? '' : 'History: '}${all === 1 ? '' : `${howMuch}. Latest: `}${cut(words(last), 400)}`,
    ),
    blocks: [
      ...(heading === '' ? [] : [{ type: 'context' as const, elements: [mrkdwn(heading)] }]),
      drawList(shown, extent.charactersEach),
    ],
  }
}

/** The reply in the card's thread. @param actions - Oldest first; may be empty. */
export function renderHistory(actions: readonly Action[], names: Names): Message {
  return story(actions, inReply, names)
}

/** The history as part of a card that has no thread. */
export function historyBlocks(actions: readonly Action[], names: Names): readonly KnownBlock[] {
  return story(actions, inCard, names).blocks
}

/** As many as fit into one text. */
const mostMentioned = 150

/** A further reply in the thread: what it tells, and how. */
export interface News extends Reply {
  /** Those that may be shown there. Default: none. */
  readonly names?: Names | undefined
  /** Those to whom Slack is to point it out: Slack's ids. */
  readonly mention?: readonly string[]
  /** What the alert is called, raw, in a thread that is not its own. */
  readonly about?: string | undefined
  /** It has got worse, or opened again, so many times, and is told aloud no more for a while. */
  readonly flapping?: { readonly times: number; readonly minutes: number } | undefined
}

export function renderNews(
  settings: SeverityNames,
  { actions, names = noNames, ending, change, mention = [], about, flapping }: News,
): Message {
  const whose = about === undefined ? undefined : `“${cut(about, 100)}”:`
  const news = actions.length === 0 ? undefined : story(actions, inReply, names, true)
  const last = ending && cut(ending.words, 600)
  const changed = changePart(settings, change, flapping)
  // Notifies each of them.
  const mentioned = mentionLinks(mention.slice(0, mostMentioned))
  return {
    text: [whose && escapeText(whose), changed?.text, news?.text, last && escapeText(last)]
      .filter(Boolean)
      .join(' '),
    blocks: [
      ...(whose ? [paragraph({ type: 'text', text: whose })] : []),
      ...(changed?.blocks ?? []),
      ...(news?.blocks ?? []),
      ...(last ? [paragraph({ type: 'text', text: last })] : []),
      ...(mention.length > 0 ? [{ type: 'section' as const, text: mrkdwn(mentioned) }] : []),
    ],
  }
}

const longestMessage = 200

/** The part of a reply that tells a change: “⬆️ CRITICAL → ALERT · Disk /var is 98 % full”. Undefined without one. */
function changePart(
  settings: SeverityNames,
  change: Change | undefined,
  flapping: News['flapping'],
): Message | undefined {
  if (!isVisible(change)) return undefined
  const { from, alert } = change
  const message = cut(alert.lastMessage.replaceAll(/\s+/g, ' ').trim(), longestMessage)
  const now = severityName(settings, alert.lastSeverity)
  const step = from === 'closed' ? now : `${severityName(settings, from)} → ${now}`
  const [mark, how] =
    from === 'closed'
      ? ['🔁 Open again · ', 'Open again']
      : alert.lastSeverity < from
        ? ['⬆️ ', 'Worse']
        : ['⬇️ ', 'Better']
  if (flapping !== undefined) {
    const { times, minutes } = flapping
    const within = minutes === 1 ? '1 minute' : `${minutes} minutes`
    const text = `Flapping: ${message || now}, ${times} times in ${within}. More in the thread.`
    return { text: escapeText(text), blocks: [paragraph({ type: 'text', text: `🔁 ${text}` })] }
  }
  const behind = message === '' ? [] : [{ type: 'text' as const, text: ` · ${message}` }]
  return {
    // For notifications and screen readers in words.
    text: escapeText(`${how}, ${step}${message === '' ? '.' : `: ${message}`}`),
    blocks: [paragraph({ type: 'text', text: `${mark}${step}`, style: { bold: true } }, ...behind)],
  }
}
