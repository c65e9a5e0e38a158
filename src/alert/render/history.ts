// Draws histories of alerts: actions as a reply in a thread, with what has changed, or as part of a card. Pure.
import type { RichTextBlock, RichTextSection } from '@slack/types'
import type { Action } from '../../monitor/schema.ts'
import { type Names, noNames } from '../../names/names.ts'
import {
  bold,
  describe,
  joined,
  type Line,
  type Message,
  note,
  section,
  words,
} from '../../slack/outbound/message.ts'
import { cut, escapeText, mentionLinks, richDate } from '../../slack/text/mrkdwn.ts'
import { type Change, isVisible, type Reply } from '../thread.ts'
import { type ActionWords, actionInWords, type SeverityNames, severityName } from './state.ts'

/** Limits that read well on a phone; Slack names none for rich text. */
const inReply = { actions: 15, characters: 4000, charactersEach: 600 }
export const inCard: typeof inReply = { actions: 8, characters: 2500, charactersEach: 400 }

type Happening = ActionWords & Pick<Action, 'timestamp'>

function happeningText({ what, details }: ActionWords) {
  return details === '' ? what : `${what}: ${details}`
}

function drawEntry({ what, details, timestamp }: Happening, most: number): RichTextSection {
  const shown = cut(details, most)
  const elements = [richDate(timestamp), words('  '), bold(cut(what, 150) || 'Action')]
  if (shown !== '') elements.push(words(`: ${shown}`))
  return { type: 'rich_text_section', elements }
}

function drawList(entries: readonly Happening[], most: number): RichTextBlock {
  const elements = entries.map((one) => drawEntry(one, most))
  // Bullets tell several entries apart; a single entry needs none.
  if (elements.length === 1) return { type: 'rich_text', elements }

  return { type: 'rich_text', elements: [{ type: 'rich_text_list', style: 'bullet', elements }] }
}

/** The newest actions that fit, oldest first; at least one, if there is any. */
function newest(actions: readonly Action[], names: Names, extent: typeof inReply) {
  let characters = 0
  const newestFirst: Happening[] = []
  for (const action of actions.slice(-extent.actions).reverse()) {
    const entry = { ...actionInWords(action, names), timestamp: action.timestamp }
    characters += Math.min(happeningText(entry).length, extent.charactersEach)
    if (characters > extent.characters && newestFirst.length > 0) break
    newestFirst.push(entry)
  }

  return newestFirst.reverse()
}

/** @param actions - Oldest first; may be empty. @param isNews - Leaves out the heading if all actions are shown whole. */
export function renderHistory(
  actions: readonly Action[],
  names: Names,
  extent = inReply,
  isNews = false,
): Message {
  const shown = newest(actions, names, extent)
  const last = shown.at(-1)
  if (!last) {
    const nothing = 'No actions on this alert yet.'
    return { text: nothing, blocks: [note(nothing)] }
  }

  const all = actions.length
  const isShortened = shown.some(({ details }) => details.length > extent.charactersEach)
  const isWhole = shown.length === all && !isShortened
  const count = all === 1 ? '1 action' : `${all} actions`
  const howMuch = shown.length === all ? count : `newest ${shown.length} of ${count}`
  const part = isWhole ? howMuch : `${howMuch} · the rest is in monitoring`
  const heading = isNews ? part : `*History* · ${part}`

  // Notifications can’t show times in the reader’s zone, so the text has none.
  const title = isNews ? '' : 'History: '
  const latest = all === 1 ? '' : `${howMuch}. Latest: `
  return {
    text: escapeText(`${title}${latest}${cut(happeningText(last), 400)}`),
    blocks: [...(isNews && isWhole ? [] : [note(heading)]), drawList(shown, extent.charactersEach)],
  }
}

/** How many mentions fit into one text. */
const mostMentioned = 150

export interface News extends Reply {
  /** Default: none. */
  readonly names?: Names | undefined
  /** Slack ids of people and groups to notify. */
  readonly mention?: readonly string[]
  /** The alert’s title, raw, if the thread is not the card’s own; else undefined. */
  readonly about?: string | undefined
  /** Set in the news that says that the alert flaps: how often it got worse or opened again, and within how long. */
  readonly flapping?: { readonly times: number; readonly minutes: number } | undefined
}

export function renderNews(
  settings: SeverityNames,
  { actions, names = noNames, ending, change, mention = [], about, flapping }: News,
): Message {
  // Mentions in markup notify each person, and are shorter than in rich text, which wouldn’t fit.
  const mentioned = mentionLinks(mention.slice(0, mostMentioned))
  const whose = about && `“${cut(about, 100)}”:`
  return joined([
    describe({
      lines: [whose, isVisible(change) ? changeLine(settings, change, flapping) : undefined],
    }),
    ...(actions.length === 0 ? [] : [renderHistory(actions, names, inReply, true)]),
    describe({ lines: [ending && [words(cut(ending.words, 600))]] }),
    ...(mention.length === 0 ? [] : [{ text: '', blocks: [section(mentioned)] }]),
  ])
}

const longestMessage = 200

/**
 * “⬆️ CRITICAL → ALERT · Disk /var is 98 % full”; notifications and screen readers get a word, as “Worse”, for the arrow.
 */
function changeLine(
  settings: SeverityNames,
  { from, alert }: Change,
  flapping: News['flapping'],
): Line {
  const message = cut(alert.lastMessage.replaceAll(/\s+/g, ' ').trim(), longestMessage)
  const now = severityName(settings, alert.lastSeverity)
  if (flapping) {
    const { times, minutes } = flapping
    const within = minutes === 1 ? '1 minute' : `${minutes} minutes`
    const text = `Flapping: ${message || now}, ${times} times in ${within}. More in the thread.`

    return [words(`🔁 ${text}`, text)]
  }

  const behind = message === '' ? [] : [words(` · ${message}`, `: ${message}`)]
  if (from === 'closed') return [bold(`🔁 Open again · ${now}`, `Open again, ${now}`), ...behind]

  const [mark, how] = alert.lastSeverity < from ? ['⬆️', 'Worse'] : ['⬇️', 'Better']
  const step = `${severityName(settings, from)} → ${now}`
  return [bold(`${mark} ${step}`, `${how}, ${step}`), ...behind]
}
