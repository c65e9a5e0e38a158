// Answers to an alert that was asked for and not shown: what may have been meant, or another try, each with a button.
// Pure.
import type { Button, KnownBlock } from '@slack/types'
import type { Message } from '../../slack/outbound/message.ts'
import { cut, escapeText, literal, mrkdwn, plain } from '../../slack/text/mrkdwn.ts'
import { quote, withoutSecrets } from '../../slack/text/typed.ts'
import type { Lookup, Meaning, OtherAsk } from '../input.ts'

/** Action ids of these buttons: Slack wants each in a row to have its own. */
export const askAgainActions = ['alert.ask-again', 'alert.ask-again-other'] as const

const longestName = 60

/** Of a button’s value: `line watches`, or `key p- disk-full` for a private look-up and `key -w …` for a live card. */
const readValue = /^(?:line ([^\n]{1,1000})|key ([p-])([w-]) ([\s\S]{1,500}))$/

function buttonValue(ask: OtherAsk): string {
  if (ask.kind === 'words') return `line ${ask.line}`
  return `key ${ask.isPrivate ? 'p' : '-'}${ask.isWatched ? 'w' : '-'} ${ask.ks}`
}

/** Nothing in it is believed: anybody could type the same. Undefined when it is no value of these buttons’. */
export function readAskAgain(value: string): OtherAsk | undefined {
  const [, line, secretly, live, ks] = readValue.exec(value) ?? []
  if (line !== undefined) return { kind: 'words', line }
  if (ks === undefined) return undefined
  return { kind: 'look-up', ks, isPrivate: secretly === 'p', isWatched: live === 'w' }
}

/** A key in a sentence, raw: shortened, and without what may be a secret. */
export function keyInWords(ks: string): string {
  return cut(withoutSecrets(ks), longestName)
}

/** As it is typed, raw. */
function lineOf(ask: OtherAsk): string {
  if (ask.kind === 'words') return `/alert ${ask.line}`
  const key = /\s/.test(ask.ks) ? `"${keyInWords(ask.ks)}"` : keyInWords(ask.ks)
  return `/alert ${key}${ask.isPrivate ? ' private' : ''}${ask.isWatched ? ' watch' : ''}`
}

/** How something that may have been meant is called: by its key alone, or as the line that asks for it. */
type Naming = 'key' | 'line'

function nameOf(ask: OtherAsk, naming: Naming): string {
  return ask.kind === 'look-up' && naming === 'key'
    ? escapeText(keyInWords(ask.ks))
    : `\`${escapeText(lineOf(ask)).replaceAll('`', '’')}\``
}

function buttonFor(ask: OtherAsk, naming: Naming, at: number): Button {
  const label =
    ask.kind === 'look-up' && naming === 'key' ? `Look up ${keyInWords(ask.ks)}` : `Run ${lineOf(ask)}`
  return {
    type: 'button',
    action_id: askAgainActions[at] ?? askAgainActions[0],
    text: literal(cut(label, 75)),
    value: buttonValue(ask),
  }
}

function withButtons(text: string, elements: Button[]): Message {
  const buttons: KnownBlock[] = elements.length === 0 ? [] : [{ type: 'actions', elements }]
  return { text, blocks: [{ type: 'section', text: mrkdwn(text) }, ...buttons] }
}

function meantSentence(meant: readonly OtherAsk[], naming: Naming): string {
  return `Did you mean ${meant.map((ask) => nameOf(ask, naming)).join(' or ')}?`
}

const offered = (meant: readonly OtherAsk[]) => meant.slice(0, askAgainActions.length)

/** A line that `/alert` cannot read, and may know what was meant. @param problem - Raw. */
export function renderMistyped(problem: string, { asks, hint }: Meaning): Message {
  const some = offered(asks)
  const rest = hint === undefined ? '' : ` ${escapeText(hint)}`
  const text = `${escapeText(problem)} ${meantSentence(some, 'line')}${rest}`
  return withButtons(
    text,
    some.map((ask, at) => buttonFor(ask, 'line', at)),
  )
}

/** Why no alert is shown: the service knows none by this key (404), or does not take it for a key at all (400). */
export type NoAlert = 'not-found' | 'bad-request'

/** For the form, and as the beginning of the message. Raw. */
function noAlertSentence(ks: string, why: NoAlert): string {
  return why === 'not-found' ? `There’s no alert ${quote(ks)}.` : `${quote(ks)} isn’t an alert key.`
}

const advice: Readonly<Record<NoAlert, string>> = {
  'not-found': 'Check the key, capitals included.',
  'bad-request': 'Copy the key or the link from the alert.',
}

/** In the form, where nothing can be pressed but the form’s own button. Raw. */
export function noAlertInForm(ks: string, why: NoAlert, meant: readonly OtherAsk[]): string {
  const keys = meant.flatMap((ask) => (ask.kind === 'look-up' ? [keyInWords(ask.ks)] : []))
  const rest = keys.length === 0 ? advice[why] : `Did you mean ${keys.join(' or ')}?`
  return `${noAlertSentence(ks, why)} ${rest}`
}

/** @param meant - What may have been meant instead, the nearest first. */
export function renderNoAlert(ks: string, why: NoAlert, meant: readonly OtherAsk[]): Message {
  const some = offered(meant)
  const rest = some.length === 0 ? advice[why] : meantSentence(some, 'key')
  return withButtons(
    `${escapeText(noAlertSentence(ks, why))} ${rest}`,
    some.map((ask, at) => buttonFor(ask, 'key', at)),
  )
}

/** To whoever asked while the service could not answer. @param problem - One sentence or two, raw. */
export function renderTryAgain(problem: string, lookup: Lookup): Message {
  const value = buttonValue({ kind: 'look-up', ...lookup })
  const again: Button = {
    type: 'button',
    action_id: askAgainActions[0],
    text: plain('Try again'),
    value,
  }
  return withButtons(escapeText(problem), [again])
}
