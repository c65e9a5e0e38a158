// The bot's messages and views, as renders make them and outbound sends them. Pure.
import type {
  Button,
  InputBlock,
  KnownBlock,
  ModalView,
  MrkdwnElement,
  Overflow,
  PlainTextElement,
  PlainTextInput,
  RichTextBlockElement,
  RichTextElement,
  RichTextText,
} from '@slack/types'
import { cut, escapeText, limits, literal, mentionLinks, mrkdwn, plain } from '../text/mrkdwn.ts'

/** `text` is for the notification and screen readers: a complete sentence in mrkdwn, already escaped. */
export interface Message {
  readonly text: string
  readonly blocks: readonly KnownBlock[]
}

export interface Posted {
  readonly channelId: string
  readonly ts: string
  /** The thread's parent, when this is a reply: Slack takes no reply to a reply. */
  readonly threadTs?: string | undefined
}

export type View = ModalView

/** Makes a message of one line, which says this; the caller posts it. @param text - Raw; cut to fit. */
export function say(text: string, more: Omit<Described, 'lines'> = {}): Message {
  return describe({ lines: [[words(cut(text, limits.sectionText))]], ...more })
}

/** @param text - mrkdwn, short enough for a section. */
export function sayMarked(text: string): Message {
  return { text, blocks: [section(text)] }
}

/** Raw text, in which Slack interprets nothing. Long strings are cut, elements are not. */
export type Line = string | readonly (string | LineElement)[]
/** `said`: words for the notification. By default those that are shown, and times in UTC. */
export type LineElement = RichTextElement & { readonly said?: string }

/** A message's blocks and notification are both made from this. Whatever is undefined, false or empty is left out. */
export interface Described {
  /** Strings become bold. */
  readonly headline?: Line | undefined
  readonly lines?: readonly (Line | undefined)[]
  /** Somebody's words, raw. */
  readonly quote?: string | undefined
  /** A command, or the reader's own text to use again. Raw. */
  readonly toCopy?: string | undefined
  /** Grey lines, not in the notification. */
  readonly notes?: readonly (Marked | undefined)[]
  readonly buttons?: readonly (Button | Overflow | false | undefined)[]
}

/** A string is mrkdwn, escaped. */
export type Marked = string | MrkdwnElement | PlainTextElement

/** Characters of a string in a line: enough for the longest address, while twenty people with a line each fit a message. */
const longestLine = 400
const longestSentence = 3_900

/** Makes a message from its parts: each is shown in blocks, and said in the notification unless it is a note. */
export function describe({
  headline,
  lines = [],
  quote,
  toCopy,
  notes = [],
  buttons = [],
}: Described): Message {
  const heading =
    headline && [headline].flat().map((part) => (typeof part === 'string' ? bold(part) : part))
  const told = [heading, ...lines]
    .map((line) => [line ?? []].flat().filter((part) => part !== ''))
    .filter((parts) => parts.length > 0)
  const spoken = [...told.map(inWords), quote && `“${quote}”`, toCopy].filter(Boolean)
  const pressed = buttons.filter((one) => one !== undefined && one !== false)
  const elements = told.flatMap((parts) => [words('\n'), ...parts.map(asElement)]).slice(1)
  const rich: RichTextBlockElement[] = []
  if (elements.length > 0) rich.push({ type: 'rich_text_section', elements })
  if (quote) rich.push({ type: 'rich_text_quote', elements: [asElement(quote)] })
  if (toCopy) {
    // Controls become one sign each: Slack counts characters of JSON, which writes six for a control.
    const copied = toCopy.replaceAll(/(?![\n\t])\p{Cc}/gu, '\uFFFD')
    const element = words(cut(copied, limits.sectionText))
    rich.push({ type: 'rich_text_preformatted', elements: [element] })
  }
  const blocks: KnownBlock[] = rich.length === 0 ? [] : [{ type: 'rich_text', elements: rich }]
  blocks.push(...notes.filter((one) => one !== undefined).map((one) => note(one)))
  if (pressed.length > 0) blocks.push({ type: 'actions', elements: pressed })
  return { text: escapeText(cut(spoken.join('\n'), longestSentence)), blocks }
}

function asElement(part: string | LineElement): RichTextElement {
  if (typeof part === 'string') return words(cut(part, longestLine))
  const { said: _, ...element } = part
  return element
}

function inWords(parts: readonly (string | LineElement)[]): string {
  const said = parts.map((part) => {
    if (typeof part === 'string') return part
    if (part.said !== undefined) return part.said
    if (part.type === 'date') return part.fallback
    return 'text' in part ? part.text : ''
  })
  return said.join('')
}

/** Raw text that is not cut. @param said - For the notification. */
export function words(text: string, said = text): RichTextText & LineElement {
  return { type: 'text', text, ...(said !== text && { said }) }
}

export function bold(text: string, said = text): RichTextText & LineElement {
  return { ...words(text, said), style: { bold: true } }
}

export function joined(parts: readonly Message[]): Message {
  const said = parts.map(({ text }) => text).filter((text) => text !== '')
  return { text: said.join(' '), blocks: parts.flatMap(({ blocks }) => blocks) }
}

/** The message with a mention above it. */
export function calling({ text, blocks }: Message, mention: string | undefined): Message {
  if (mention === undefined) return { text, blocks }
  const link = mentionLinks([mention])
  return { text: `${link} ${text}`, blocks: [section(link), ...blocks] }
}

export function formView(
  callbackId: string,
  title: string,
  privateMetadata: string,
  blocks: View['blocks'],
  submit = title,
): View {
  return {
    type: 'modal',
    callback_id: callbackId,
    private_metadata: privateMetadata,
    title: plain(title),
    submit: plain(submit),
    close: plain('Cancel'),
    blocks,
  }
}

export function noticeView(title: string, blocks: View['blocks']): View {
  return { type: 'modal', title: plain(title), close: plain('Close'), blocks }
}

export function section(text: Marked, accessory?: Button | Overflow): KnownBlock {
  return { type: 'section', text: markedText(text), ...(accessory && { accessory }) }
}

export function note(...parts: Marked[]): KnownBlock {
  return { type: 'context', elements: parts.map(markedText) }
}

function markedText(text: Marked): MrkdwnElement | PlainTextElement {
  return typeof text === 'string' ? mrkdwn(text) : text
}

export function button(
  id: string,
  label: string,
  value: string,
  style?: 'primary' | 'danger',
): Button {
  return { type: 'button', action_id: id, text: plain(label), value, ...(style && { style }) }
}

/** @param id - The block's id. @param how.hint - Raw; Slack shows it below the input. */
export function input(
  id: string,
  label: string,
  element: InputBlock['element'],
  { hint, isOptional = false }: { readonly hint?: string; readonly isOptional?: boolean } = {},
): InputBlock {
  const more = { ...(hint && { hint: literal(hint) }), ...(isOptional && { optional: true }) }
  return { type: 'input', block_id: id, label: plain(label), element, ...more }
}

/** @param begun - Initial text, raw. */
export function textElement(
  actionId: string,
  begun: string | undefined,
  more: Pick<PlainTextInput, 'multiline' | 'max_length' | 'focus_on_load' | 'placeholder'>,
): PlainTextInput {
  return {
    type: 'plain_text_input',
    action_id: actionId,
    ...(begun && { initial_value: begun }),
    ...more,
  }
}

/** A menu behind three dots, or, with too few options for Slack, buttons that send the same action and value. */
export function menu(actionId: string, options: Overflow['options']): (Button | Overflow)[] {
  if (options.length >= limits.leastOverflowOptions) {
    return [{ type: 'overflow', action_id: actionId, options }]
  }
  return options.map((option) => ({
    ...option,
    type: 'button',
    action_id: actionId,
    text: option.text,
  }))
}
