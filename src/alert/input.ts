// Reads what somebody asks of `/alert`: a key, a link, another word. Pure.
import { escapeText } from '../slack/text/mrkdwn.ts'
import { nearestTo } from '../slack/text/nearest.ts'
import {
  hasUnseen,
  isBlank,
  looksLikeToken,
  quote,
  readLine,
  readWords,
  unquoted,
  type Word,
  withoutSecrets,
} from '../slack/text/typed.ts'
import { type AlertLink, keyInLink, looksLikeLink } from './link.ts'
import { type OpenAsk, readOpen } from './open-input.ts'
import { mannerWords, wordFor, wordsThere } from './words.ts'

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

/** Something else that may have been meant: another look-up, or a line of words that `/alert` knows. */
export type OtherAsk =
  | ({ readonly kind: 'look-up' } & Lookup)
  | { readonly kind: 'words'; readonly line: string }

/** What a key, or something in its place, asks for. */
export type KeyAsk =
  | ({ readonly kind: 'look-up' } & (Lookup | LinkAsk))
  | {
      readonly kind: 'problem'
      readonly problem: string
      /** What the line may have been, the nearest first; at least one. */
      readonly meant?: readonly OtherAsk[]
      /** A text that was on the line, for whoever typed it: it comes back. Raw. */
      readonly said?: string | undefined
    }

/** Something that is to be done to an alert. */
export interface ActAsk {
  readonly act: 'comment' | 'close'
  readonly which: { readonly ks: string } | { readonly link: AlertLink }
  /** Raw, as it was typed; empty only to close without a word. */
  readonly message: string
  readonly isSolution: boolean
}

export interface AssignAsk extends Pick<ActAsk, 'which' | 'message'> {
  /** Whoever asks, somebody in Slack, or a user of the service. */
  readonly to: 'me' | { readonly slackId: string } | { readonly userId: number }
}

export type AlertAsk =
  | { readonly kind: 'help' }
  | { readonly kind: 'connect' | 'disconnect' | 'form' | 'watches' | 'follows' | 'doctor' }
  /** Something that looks like a token is on the line: nothing of it is sent, kept or repeated. */
  | { readonly kind: 'token' }
  | ({ readonly kind: 'act' } & ActAsk)
  | ({ readonly kind: 'assign' } & AssignAsk)
  | ({ readonly kind: 'open' | 'follow' | 'unfollow' } & OpenAsk)
  | KeyAsk

/** Keys are short; longer ones are pasted by mistake and would not fit a request line. */
const longestKey = 500
const notAKey = 'That isn’t an alert key. Copy the key or the link from the alert.'
const unseenKey = 'That key has invisible characters in it. Type it, or copy it again from the alert.'
const helpWords = new Set(['help', '?', '-h', '--help'])

/**
 * @param alertUrl - The form of alerts' web links (MONITOR_ALERT_URL), when there is one.
 * @param canAct - Whether words that change an alert are offered for others.
 */
export function parseAlertLine(line: string, alertUrl: string | undefined, canAct = true): AlertAsk {
  const { words, after } = readLine(line)
  // A quoted text may hold one among its words.
  if (words.some(({ text }) => [text, ...text.split(/\s+/)].some(looksLikeToken))) return { kind: 'token' }
  const [first] = words
  if (first === undefined) return { kind: 'form' }
  const command = first.isQuoted ? '' : first.text.toLowerCase()
  if (helpWords.has(command)) return { kind: 'help' }
  if (command === 'token' || command === 'login') return problem(`Type /alert connect. ${tokenAdvice}`)
  switch (command) {
    case 'connect':
    case 'disconnect':
    case 'watches':
    case 'follows':
    case 'doctor':
      return words.length === 1 ? { kind: command } : problem(nothingAfter[command])
    case 'comment':
    case 'close':
      return readAct(command, words[1], after(2), alertUrl)
    case 'open':
    case 'list':
      return { kind: 'open', ...readOpen(words.slice(1)) }
    case 'follow':
    case 'unfollow':
      return { kind: command, ...readOpen(words.slice(1)) }
    case 'mine':
      return { kind: 'open', ...readOpen(words) }
    case 'assign':
      return readAssign(words[1], words[2], after(3), alertUrl)
  }
  return readLookup(words, () => after(1), alertUrl, canAct)
}

/**
 * @param words - At least one.
 * @param behind - What stands behind the first, raw.
 */
function readLookup(
  words: readonly Word[],
  behind: () => string,
  alertUrl: string | undefined,
  canAct: boolean,
): KeyAsk {
  const how = words.filter(isManner).map(({ text }) => text.toLowerCase())
  const [key, ...unknown] = words.filter((word) => !isManner(word))
  if (key === undefined) return problem(`Which alert? Type /alert <key> ${how.join(' ')}.`)
  if (unknown.length === 0) return readKey(key.text, alertUrl, mannerOf(how))
  const meant = key.isQuoted ? [] : wordsNear(key.text, canAct)
  if (meant.length === 0) return problem(tooManyWords(key, unknown, how))
  // What follows may be a token, so that nothing more of the line is repeated; but for a text, which took time to type.
  const isText = meant.some((ask) => ask.kind === 'words' && wordFor(ask.line).acts === true)
  const rest = isText ? behind() : ''
  const said = isText && withoutSecrets(rest) === rest ? rest : undefined
  return { kind: 'problem', problem: `/alert doesn’t know ${quote(key.text)}.`, meant, said }
}

/**
 * Words that may have been meant by one that is no key, the nearest first.
 * @param ks - As it was typed.
 * @param canAct - As above.
 */
export function wordsNear(ks: string, canAct: boolean): readonly OtherAsk[] {
  return nearestTo(ks, wordsThere(canAct)).map((line) => ({ kind: 'words', line }))
}

function readAct(
  act: ActAsk['act'],
  key: Word | undefined,
  rest: string,
  alertUrl: string | undefined,
): AlertAsk {
  const example = act === 'comment' ? `/alert comment <key> "text"` : `/alert close <key> "what it was"`
  if (key === undefined) return problem(`Which alert? Type ${example}.`)
  const found = readWhich(key, rest, alertUrl)
  if ('problem' in found) return found
  const before = act === 'close' && /(?:^|\s)solution$/i.test(rest) ? rest.slice(0, -8).trim() : undefined
  const isSolution = before !== undefined
  if (isSolution && before !== '' && unquoted(before) === undefined) {
    const advice = 'Put the text in quotes, so that it’s clear whether “solution” is part of it.'
    return givingBack(problem(`${advice} Nothing was sent.`), rest)
  }
  const message = plainText(before ?? rest)
  if (act === 'comment' && isBlank(message)) return problem(`What is the comment? Type ${example}.`)
  return { kind: 'act', act, ...found, message, isSolution }
}

function readAssign(
  key: Word | undefined,
  who: Word | undefined,
  rest: string,
  alertUrl: string | undefined,
): AlertAsk {
  const example = 'Type /alert assign <key> me, or name somebody in place of “me”.'
  if (key === undefined) return problem(`Which alert? ${example}`)
  if (who === undefined) return problem(`Who gets it? ${example}`)
  const found = readWhich(key, rest, alertUrl)
  if ('problem' in found) return found
  const to = readAssignee(who)
  if (to === undefined) {
    const ways = 'Name the person as @person, or by their user ID in monitoring.'
    const sentence = `/alert assign doesn’t know ${quote(who.text)}. ${ways} Nothing was sent.`
    return givingBack(problem(sentence), rest)
  }
  return { kind: 'assign', ...found, to, message: plainText(rest) }
}

/** Which alert something is to be done to. @param rest - What somebody wants to say: it comes back with a problem. */
function readWhich(key: Word, rest: string, alertUrl: string | undefined): Pick<ActAsk, 'which'> | Problem {
  const found = readKey(key.text, alertUrl, mannerOf([]))
  if (found.kind === 'problem') return givingBack(found, rest)
  return { which: 'link' in found ? { link: found.link } : { ks: found.ks } }
}

/** Without the quotes around all of it. */
function plainText(said: string): string {
  return (unquoted(said) ?? said).trim()
}

function readAssignee({ text, isQuoted, mentions }: Word): AssignAsk['to'] | undefined {
  if (mentions !== undefined) return { slackId: mentions }
  if (isQuoted) return undefined
  if (text.toLowerCase() === 'me') return 'me'
  return /^[1-9]\d{0,14}$/.test(text) ? { userId: Number(text) } : undefined
}

type Manner = Pick<Lookup, 'isPrivate' | 'isWatched'>

const seenToken = 'If you typed a token that others may have seen, revoke it in monitoring.'
const tokenAdvice = `It opens a form for your token. ${seenToken}`
/** Whoever types a token there must not see it repeated. */
const nothingAfter = {
  connect: `Nothing goes after /alert connect. ${tokenAdvice}`,
  disconnect: `Nothing goes after /alert disconnect. ${seenToken}`,
  watches: 'Nothing goes after /alert watches.',
  follows: 'Nothing goes after /alert follows.',
  doctor: 'Nothing goes after /alert doctor.',
} as const

/** The key in a modal's field: as on the line, but spaces need no quotes. */
export function parseKey(typed: string, alertUrl: string | undefined): KeyAsk {
  // What is typed into a modal is not escaped.
  const words = readWords(escapeText(typed))
  const [only] = words
  if (only === undefined) return problem('Type the alert’s key, or paste its link.')
  if (words.some(({ text }) => looksLikeToken(text))) return problem(tokenForKey)
  return readKey(words.length === 1 ? only.text : typed.trim(), alertUrl, mannerOf([]))
}

/** In a form whose key looks like a token, or is the asker's own. Raw. */
const tokenForKey =
  'That looks like an API token, so I didn’t look it up or store it. To connect your account, type /alert connect.'

/** In a form whose text holds one. Raw. */
export const tokenInText =
  'That holds what looks like an API token, so nothing was sent or stored. Take it out of the text.'

/** A look-up for everybody who sees the answer. */
export function lookUpFor(ks: string): Lookup {
  return { ks, isPrivate: false, isWatched: false }
}

type Problem = Extract<KeyAsk, { kind: 'problem' }>

function problem(sentence: string): Problem {
  return { kind: 'problem', problem: sentence }
}

/** @param rest - Behind what cannot be read, raw: what somebody wants to say. */
function givingBack(found: Problem, rest: string): Problem {
  return rest === '' ? found : { ...found, said: rest }
}

/** How the card is to be shown, rather than which one. */
function isManner({ text, isQuoted }: Word): boolean {
  return !isQuoted && mannerWords.has(text.toLowerCase())
}

function mannerOf(how: readonly string[]): Manner {
  return { isPrivate: how.includes('private'), isWatched: how.includes('watch') }
}

function tooManyWords(key: Word, unknown: readonly Word[], how: readonly string[]): string {
  const rest = quote(unknown.map(({ text }) => text).join(' '))
  if (key.isQuoted) return `After the key, /alert takes only “private” and “watch”, not ${rest}.`
  const whole = [key, ...unknown].map(({ text }) => text.replaceAll(/["'“”„‘’]/g, '')).join(' ')
  if (withoutSecrets(whole) !== whole) return 'A key with spaces goes in quotes, as in /alert "disk full".'
  return `A key with spaces goes in quotes: /alert "${quote(whole).slice(1, -1)}"${how.map((word) => ` ${word}`).join('')}`
}

function readKey(text: string, alertUrl: string | undefined, manner: Manner): KeyAsk {
  const key = withoutBrackets(text, alertUrl)
  const found = looksLikeLink(key, alertUrl) ? keyInLink(key, alertUrl) : { ks: key }
  if ('problem' in found) return problem(found.problem)
  if ('link' in found) return { kind: 'look-up', link: found.link, ...manner }
  const { ks } = found
  if (ks.trim() === '' || ks === '.' || ks === '..' || !ks.isWellFormed() || ks.length > longestKey) {
    return problem(notAKey)
  }
  if (hasUnseen(ks) || ks.includes('\ufffd')) return problem(unseenKey)
  return { kind: 'look-up', ks, ...manner }
}

/** A link copied from a chat may come in angle brackets, with Slack's own inside. */
function withoutBrackets(text: string, alertUrl: string | undefined): string {
  const link = /^<{1,2}([^<>|]+)(?:\|[^<>]*)?>{1,2}$/.exec(text)?.[1]
  return link !== undefined && looksLikeLink(link, alertUrl) ? link : text
}
