// Reads what somebody asks of `/alert`: a key, a link, another word. Pure.

import { escapeText } from '../slack/text/mrkdwn.ts'
import { hasUnseen, quote, readWords, type Word, withoutSecrets } from '../slack/text/typed.ts'
import { type Style, styles } from '../slack/workspace/channels.ts'
import { type AlertLink, holdsKey, readAlertLink } from './link.ts'

export interface Lookup {
  /** The alert's key; the service calls it `ks`, and so does everything here. */
  readonly ks: string
  readonly isPrivate: boolean
  /** The card is to stay live. */
  readonly isWatched: boolean
}

/** The same by a link that holds no key. */
export interface LinkAsk extends Omit<Lookup, 'ks'> {
  readonly link: AlertLink
}

/** What a key, or something in its place, asks for. */
export type KeyAsk =
  | ({ readonly kind: 'look-up' } & (Lookup | LinkAsk))
  | { readonly kind: 'problem'; readonly problem: string }

export type AlertAsk =
  | { readonly kind: 'help' | 'connect' | 'disconnect' | 'form' | 'watches' | 'doctor' | 'settings' }
  /** Undefined asks which one it is. */
  | { readonly kind: 'style'; readonly style: Style | undefined }
  | KeyAsk

/** Keys are short; longer ones are pasted by mistake and would not fit a request line. */
const longestKey = 500
const notAKey = 'That is not an alert key. Copy the key or the link from the alert.'
const unseenKey =
  'That key has characters in it that cannot be seen. Type it, or copy it again from the alert.'
/** Words that are no keys when they come first. */
export const commandWords: ReadonlySet<string> = new Set([
  ...['connect', 'disconnect', 'token', 'login', 'watches', 'style', 'doctor', 'settings'],
])
const helpWords = new Set(['help', '?', '-h', '--help'])

/** @param alertUrl - The form of alerts' web links (MONITOR_ALERT_URL), when there is one. */
export function parseAlertLine(line: string, alertUrl: string | undefined): AlertAsk {
  const words = readWords(line)
  const [first] = words
  if (first === undefined) return { kind: 'form' }
  const command = first.isQuoted ? '' : first.text.toLowerCase()
  if (helpWords.has(command)) return { kind: 'help' }
  if (command === 'token' || command === 'login') return problem(`Use /alert connect. ${tokenAdvice}`)
  if (command === 'connect' || command === 'disconnect') {
    // Whoever types a token here must not see it repeated.
    return words.length === 1
      ? { kind: command }
      : problem(`/alert ${command} takes nothing after it. ${tokenAdvice}`)
  }
  if (command === 'watches' || command === 'doctor' || command === 'settings') {
    return words.length === 1 ? { kind: command } : problem(`/alert ${command} takes nothing after it.`)
  }
  if (command === 'style') return readStyle(words.slice(1))
  const how = words.filter(isManner).map(({ text }) => text.toLowerCase())
  const [key, ...unknown] = words.filter((word) => !isManner(word))
  const manner = { isPrivate: how.includes('private'), isWatched: how.includes('watch') }
  if (key === undefined) return problem(`Which alert? Type /alert <key> ${how.join(' ')}.`)
  if (unknown.length > 0) return problem(tooManyWords(key, unknown, how))
  return readKey(key.text, alertUrl, manner)
}

function readStyle([word, ...others]: readonly Word[]): AlertAsk {
  if (word === undefined) return { kind: 'style', style: undefined }
  const style = styles.find((one) => one === word.text.toLowerCase())
  if (style === undefined || others.length > 0)
    return problem('Type /alert style thread, or /alert style quiet.')
  return { kind: 'style', style }
}

type Manner = Pick<Lookup, 'isPrivate' | 'isWatched'>

const tokenAdvice =
  'It opens a form for the token. If you typed a token here, others may have seen it: revoke it at the service.'

/** The key in a modal's field: as on the line, but spaces need no quotes. */
export function parseKey(typed: string, alertUrl: string | undefined): KeyAsk {
  // What is typed into a modal is not escaped.
  const words = readWords(escapeText(typed))
  const [only] = words
  if (only === undefined) return problem('Type the alert key, or paste the link of the alert.')
  const manner = { isPrivate: false, isWatched: false }
  return readKey(words.length === 1 ? only.text : typed.trim(), alertUrl, manner)
}

/** A look-up for everybody who sees the answer. */
export function lookUpFor(ks: string): Lookup {
  return { ks, isPrivate: false, isWatched: false }
}

function problem(sentence: string): KeyAsk {
  return { kind: 'problem', problem: sentence }
}

/** How the card is to be shown, rather than which one. */
function isManner(word: Word): boolean {
  return !word.isQuoted && /^(private|watch)$/i.test(word.text)
}

function tooManyWords(key: Word, unknown: readonly Word[], how: readonly string[]): string {
  const rest = quote(unknown.map(({ text }) => text).join(' '))
  if (key.isQuoted) return `/alert takes nothing but “private” and “watch” after the key, so not ${rest}.`
  const whole = [key, ...unknown].map(({ text }) => text.replaceAll(/["“”„]/g, '')).join(' ')
  if (withoutSecrets(whole) !== whole) return 'A key with spaces goes in quotes, as in /alert "disk full".'
  return `A key with spaces goes in quotes: /alert "${quote(whole).slice(1, -1)}"${how.map((word) => ` ${word}`).join('')}`
}

function readKey(text: string, alertUrl: string | undefined, manner: Manner): KeyAsk {
  const bare = withoutMarks(text)
  const found = looksLikeLink(bare, alertUrl) ? keyInLink(bare, alertUrl) : { ks: bare }
  if ('problem' in found) return problem(found.problem)
  if ('link' in found) return { kind: 'look-up', link: found.link, ...manner }
  const { ks } = found
  if (ks.trim() === '' || ks === '.' || ks === '..' || !ks.isWellFormed() || ks.length > longestKey) {
    return problem(notAKey)
  }
  if (hasUnseen(ks) || ks.includes('\ufffd')) return problem(unseenKey)
  return { kind: 'look-up', ks, ...manner }
}

/** A key copied from a chat may come in its backticks. */
function withoutMarks(text: string): string {
  return /^`[^`]+`$/.test(text) ? text.slice(1, -1) : text
}

const withoutScheme = (link: string) => link.replace(/^https?:\/\//i, '')

/** Also without its scheme, as some browsers copy it. */
function looksLikeLink(text: string, alertUrl: string | undefined): boolean {
  if (/^https?:\/\//i.test(text)) return true
  const host = withoutScheme(alertUrl ?? '').split('/', 1)[0]
  return host !== undefined && host !== '' && text.toLowerCase().startsWith(`${host.toLowerCase()}/`)
}

const elsewhere = 'That link does not lead to an alert. Copy the link of the alert itself.'

/** What an alert's web link has before and after the key. */
function partsOf(alertUrl: string): { readonly before: string; readonly after: string } {
  const [before = '', after = ''] = withoutScheme(alertUrl).split('{ks}')
  return { before, after }
}

/** As browsers send it: the host in punycode, the rest in percent signs but for the place of the key. */
function asciiUrl(url: string): string {
  return URL.parse(url)?.href.replace('%7Bks%7D', '{ks}') ?? url
}

/** Reads an alert's web link: its key, or what it holds in place of one. It is never fetched. */
export function keyInLink(
  link: string,
  alertUrl: string | undefined,
): { readonly ks: string } | { readonly link: AlertLink } | { readonly problem: string } {
  if (alertUrl === undefined) {
    const remedy = 'Use the alert key, or ask whoever runs Bellhop.'
    return { problem: `Links are not set up here (MONITOR_ALERT_URL). ${remedy}` }
  }
  if (!holdsKey(alertUrl)) {
    const read = readAlertLink(link, alertUrl)
    return read === undefined ? { problem: elsewhere } : { link: read }
  }
  const typed = withoutScheme(link)
  const begins = (path: string, before: string) => path.toLowerCase().startsWith(before.toLowerCase())
  const asSet = partsOf(alertUrl)
  // Buttons of cards lead to the same address in ASCII.
  const { before, after } = begins(typed, asSet.before) ? asSet : partsOf(asciiUrl(alertUrl))
  const path = begins(typed, before) ? typed : withoutScheme(asciiUrl(link))
  const isOurs = begins(path, before)
  // What follows the key may go on with a query or fragment that the browser added.
  const [encoded = ''] = isOurs ? path.slice(before.length).split(after === '' ? /[/?#&]/ : after) : []
  if (encoded === '') return { problem: elsewhere }
  try {
    return { ks: decodeURIComponent(encoded) }
  } catch {
    return { problem: 'That link is broken. Copy it again from the alert.' }
  }
}
