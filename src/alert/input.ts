// Reads `/alert` lines: a key, a link, another word. Pure.

import { type KnownContainer, namedAmong } from '../names/containers.ts'
import { escapeText, mentionLinks } from '../slack/text/mrkdwn.ts'
import {
  hasUnseen,
  looksLikeToken,
  nearestTo,
  quote,
  quoteLast,
  readId,
  readLine,
  readWords,
  unquoted,
  type Word,
  withoutSecrets,
} from '../slack/text/typed.ts'
import { type AlertLink, keyInLink, looksLikeLink } from './link.ts'
import { fillers, mannerWords, unknownYet, wordFor, wordMeant, wordsThere } from './words.ts'

interface Manner {
  readonly isPrivate: boolean
  readonly isWatched: boolean
}

export interface Lookup extends Manner {
  /** The alert’s key, as the service calls it. */
  readonly ks: string
}

export interface LinkAsk extends Manner {
  readonly link: AlertLink
}

/** A suggestion, as its button says it. Raw. */
export interface Meant {
  readonly verb: 'Look up' | 'Run'
  readonly name: string
  /** The line to run, behind `/alert`. */
  readonly line: string
}

interface InputProblem {
  readonly kind: 'problem'
  readonly problem: string
  readonly meant?: Meant | undefined
  /** Typed text, given back to its writer. Raw; may be empty. */
  readonly said?: string | undefined
}

export type KeyAsk = ({ readonly kind: 'look-up' } & (Lookup | LinkAsk)) | InputProblem

export interface ActAsk {
  readonly act: (typeof acts)[number]
  readonly which: { readonly ks: string } | { readonly link: AlertLink }
  /** Raw; may be empty: a comment is asked for then. */
  readonly message: string
  readonly isSolution?: boolean | undefined
  /** Assignee: the asker, somebody yet to choose, a person in Slack, or a user of the service. */
  readonly to?:
    | 'me'
    | 'somebody'
    | { readonly slackId: string }
    | { readonly userId: number }
    | undefined
}

export interface OpenAsk {
  /** Number or name. */
  readonly container: number | string | undefined
  /** Least severity, as typed: one of the operator’s names, or a number from 0 to 7. */
  readonly least: string | undefined
  readonly whose: 'mine' | 'unassigned' | undefined
  /** How many to skip, as they were shown before. */
  readonly after: number
  /** For a follow: whom it calls (id or `nobody`; undefined for anything else) and from which severity on, as typed. */
  readonly call?: {
    readonly who?: string | undefined
    readonly name: string
    readonly from?: string | undefined
  }
}

export type AlertAsk =
  | { readonly kind: 'help' }
  | { readonly kind: 'form' | (typeof alone)[number] }
  /** A line with something like a token: nothing of it is sent, kept or repeated. */
  | { readonly kind: 'token' }
  | ({ readonly kind: 'act' } & ActAsk)
  | ({ readonly kind: 'open' | 'follow' | 'unfollow' } & OpenAsk)
  | KeyAsk

/** Longer keys are pasted by mistake, and would not fit a request line. */
const longestKey = 500
const helpWords = new Set(['help', '?', '-h', '--help'])
const acts = ['assign', 'comment', 'close'] as const
/** Words that take nothing behind them. */
const alone = ['connect', 'disconnect', 'watches', 'follows', 'doctor'] as const

/**
 * @param hasAllOperations - Whether suggestions include words that need more of the service.
 * @param severityNames - The operator’s; one alone is the least severity asked for.
 * @param known - Containers that may be named; a name may hold words that mean something else.
 */
export function parseAlertLine(
  line: string,
  alertUrl: string | undefined,
  hasAllOperations = true,
  severityNames: readonly string[] = [],
  known: readonly KnownContainer[] = [],
): AlertAsk {
  const { words, after } = readLine(line)
  // Quoted texts may hold a token among their words.
  if (words.some(({ text }) => [text, ...text.split(/\s+/)].some(looksLikeToken)))
    return { kind: 'token' }
  const [first] = words
  if (first === undefined) return { kind: 'form' }
  const command = first.isQuoted ? '' : first.text.toLowerCase()
  if (helpWords.has(command)) return { kind: 'help' }
  const only = alone.find((word) => word === command)
  if (only !== undefined)
    return words.length === 1
      ? { kind: only }
      : problem(`Nothing goes after /alert ${only}. ${seenToken}`)
  const openOf = (named: readonly Word[]) => readOpen(withWholeName(named, known), severityNames)
  const act = acts.find((word) => word === command)
  if (act !== undefined) {
    const read = readAct(act, words, after, alertUrl)
    return (read.kind === 'problem' && readSpoken(words, after, alertUrl, openOf)) || read
  }
  if (command === 'take' || command === 'ack')
    return readAct('assign', words, after, alertUrl, 'me')
  // Each alert in that list has a button to stop.
  if (command === 'unwatch') return { kind: 'watches' }
  const behind = command === 'mine' ? words : words.slice(1)
  const open = () => openOf(behind)
  if (command === 'mine' || command === 'open' || command === 'list')
    return { kind: 'open', ...open() }
  if (command === 'follow' || command === 'unfollow') return { kind: command, ...open() }
  const before = command === 'show' || command === 'status' ? 1 : 0
  const spoken = before === 0 ? readSpoken(words, after, alertUrl, openOf) : undefined
  if (spoken !== undefined) return spoken
  return readLookup(words.slice(before), after(before + 1), alertUrl, hasAllOperations)
}

const notYet = 'I can’t set maintenance from here yet. Set it in monitoring.'

/**
 * Reads a line in other words than the exact ones: synonyms, slips, words that carry nothing. What only reads is done; what
 * changes something comes back as the exact line, on a button.
 * @returns Undefined where all of it may be a key.
 */
function readSpoken(
  words: readonly Word[],
  after: (count: number) => string,
  alertUrl: string | undefined,
  open: (words: readonly Word[]) => OpenAsk,
): AlertAsk | undefined {
  const begin = words[0]?.text.toLowerCase() === 'please' ? 1 : 0
  const first = words[begin]
  const typed = first?.isQuoted ? '' : (first?.text.toLowerCase() ?? '')
  const rest = [...words.entries()].slice(begin + 1).filter(([, word]) => !isFiller(word))
  const [[keyAt, key] = [], [whomAt, whom] = []] = rest
  if (first === undefined || key === undefined || keyAt === undefined) return undefined
  if (unknownYet.has(typed)) return rest.length === 1 ? problem(notYet) : undefined

  const [near = ''] = nearestTo(typed, wordsThere(true))
  const word = wordMeant(typed) ?? (wordFor(typed).takes === undefined ? near : typed)
  const others = rest.map(([, one]) => one)
  const said = after(begin + 1)
  if (word === 'open') return { kind: 'open', ...open(others) }
  if (word === 'show')
    return others.slice(1).every(isManner) ? readLookup(others, '', alertUrl, false) : undefined
  // What may hold a token is not repeated.
  if (withoutSecrets(said) !== said) return undefined
  const line = words.map(({ text }) => text).join(' ')
  const offered = { ...problem(`You typed ${quoteLast(line)}`), said }
  const meant = (name: string, exact = name) =>
    ({ ...offered, meant: { verb: 'Run', name: `/alert ${name}`, line: exact } }) as const
  if (word === 'follow' || word === 'unfollow') return meant(`${word} ${said}`)

  const act = acts.find((one) => one === word)
  if (act === undefined) return undefined
  const isAssigned = act === 'assign' && whomAt !== undefined && whom !== undefined
  // Without a text in quotes or a digit in the key, all of it may be a key of several words.
  const isWhole = isAssigned || whom === undefined || whom.isQuoted || /\d/.test(key.text)
  const named = isAssigned ? [key, whom] : [key]
  const behind = () => after((isAssigned ? whomAt : keyAt) + 1)
  const ask = readAct(act, [first, ...named], behind, alertUrl)
  if (!isWhole || ask.kind !== 'act') return undefined
  return meant([act, ...named.map(({ text }) => text)].join(' '), actLine(ask, key.text))
}

function isFiller({ text, isQuoted }: Word): boolean {
  return !isQuoted && fillers.has(text.toLowerCase())
}

const seenToken = 'If you typed a token that others may have seen, revoke it in monitoring.'

/** @param words - At least one. @param behind - The line behind the first word, raw. */
function readLookup(
  words: readonly Word[],
  behind: string,
  alertUrl: string | undefined,
  hasAllOperations: boolean,
): KeyAsk {
  const how = words.filter(isManner).map(({ text }) => text.toLowerCase())
  const key = words.filter((word) => !isManner(word))
  const [first, ...others] = key
  if (first === undefined) return problem(`Which alert? Type /alert <key> ${how.join(' ')}.`)
  const isKey = first.isQuoted || others.length === 0
  const meant = isKey ? undefined : wordNear(first.text, hasAllOperations)
  if (meant === undefined) {
    const manner = { isPrivate: how.includes('private'), isWatched: how.includes('watch') }
    return readKey(key.map(({ text }) => text).join(' '), alertUrl, manner)
  }
  // The rest may be a token, so it is not repeated, unless it is a text, which took time to type.
  const rest = wordFor(meant.line).acts ? behind : ''
  const said = withoutSecrets(rest) === rest ? rest : undefined
  return { kind: 'problem', problem: `/alert doesn’t know ${quoteLast(first.text)}`, meant, said }
}

/** Suggests a word for one that is no key. */
export function wordNear(ks: string, hasAllOperations: boolean): Meant | undefined {
  const [line] = nearestTo(ks, wordsThere(hasAllOperations))
  return line === undefined ? undefined : { verb: 'Run', name: `/alert ${line}`, line }
}

const examples: Readonly<Record<ActAsk['act'], string>> = {
  assign: '/alert assign <key> me, or name somebody in place of “me”',
  comment: '/alert comment <key> "text"',
  close: '/alert close <key> "what it was"',
}

function readAct(
  act: ActAsk['act'],
  words: readonly Word[],
  after: (count: number) => string,
  alertUrl: string | undefined,
  whom?: 'me',
): AlertAsk {
  const [, key, who] = words
  const example = `Type ${examples[act]}.`
  if (key === undefined) return problem(`Which alert? ${example}`)
  const rest = after(act === 'assign' && whom === undefined ? 3 : 2)
  const found = readKey(key.text, alertUrl)
  if (found.kind === 'problem') return { ...found, said: rest }
  if (act === 'assign') {
    if (who === undefined && whom === undefined) return problem(`Who gets it? ${example}`)
    const to = whom ?? (who && readAssignee(who))
    const ways = 'Name one person, as @person or by their user ID in monitoring.'
    const sentence = `/alert assign doesn’t know ${quote(who?.text ?? '')}. ${ways} Nothing was sent.`
    if (to === undefined) return { ...problem(sentence), said: rest }
    return { kind: 'act', act, which: found, to, message: plainText(rest) }
  }
  // “solution” behind a text without quotes is a word of that text.
  const [, solution] = (act === 'close' && /^(.*?)\s*\bsolution$/is.exec(rest)) || []
  const isSolution = solution === '' || (solution !== undefined && unquoted(solution) !== undefined)
  const message = plainText(isSolution ? solution : rest)
  return { kind: 'act', act, which: found, message, isSolution }
}

function plainText(said: string): string {
  return (unquoted(said) ?? said).trim()
}

function readAssignee({ text, isQuoted, mentions }: Word): ActAsk['to'] {
  if (mentions !== undefined) return { slackId: mentions }
  if (text.toLowerCase() === 'me' && !isQuoted) return 'me'
  const [, slackId] = /^@([UW][A-Z0-9]{5,20})$/.exec(text) ?? []
  if (slackId !== undefined) return { slackId }
  const userId = isQuoted ? undefined : readId(text)
  return userId === undefined ? undefined : { userId }
}

const number = /^\d{1,15}$/

/** @param words - Behind `open`, in any order; any other words are the container’s name. */
function readOpen(words: readonly Word[], severityNames: readonly string[] = []): OpenAsk {
  const names = severityNames.map((name) => name.toLowerCase())
  const named: string[] = []
  let least: string | undefined
  let whose: OpenAsk['whose']
  let call: OpenAsk['call']
  let after = 0
  for (let at = 0; at < words.length; at += 1) {
    const { text = '', isQuoted = false, isNamed = false } = words[at] ?? {}
    const word = isQuoted ? '' : text.toLowerCase()
    const { text: next, mentions, group } = words[at + 1] ?? {}
    if (word === 'mine' || word === 'unassigned') whose = word
    else if (names.includes(word)) least = word
    else if (word === 'min' && next !== undefined) {
      least = next
      at += 1
    } else if (word === 'call') {
      const who = next?.toLowerCase() === 'nobody' ? 'nobody' : (mentions ?? group)
      call = { who, name: (mentions || group) && next ? next : '', from: call?.from }
      at += 1
    } else if (call !== undefined && (isNamed || word === 'and')) {
      // One alone is called: which of two is for nobody to guess.
      call = { ...call, who: undefined }
    } else if (word === 'from' && next !== undefined && call !== undefined) {
      call = { ...call, from: next }
      at += 1
    } else if (word === 'after' && next !== undefined && number.test(next)) {
      after = Number(next)
      at += 1
    } else if (word !== 'all') named.push(text)
  }
  const name = named.join(' ')
  const container = named.length === 1 && number.test(name) ? Number(name) : name || undefined
  return { container, least, whose, after, ...(call && { call }) }
}

/** Turns the first known container’s name, as long as possible, into one quoted word. */
function withWholeName(words: readonly Word[], known: readonly KnownContainer[]): readonly Word[] {
  const texts = words.map(({ text }) => text)
  const { at = 0, count = 0, text = '' } = namedAmong(texts, known) ?? {}
  const first = words[at]
  if (first === undefined || count === 0) return words
  return words.toSpliced(at, count, { ...first, text, isQuoted: true })
}

export function readOpenLine(line: string): OpenAsk {
  return readOpen(readWords(line).slice(1))
}

/** The line behind `/alert` for this ask, for buttons and what waits for an account. */
export function openLine({ container, least, whose, after, call }: OpenAsk): string {
  const named = typeof container === 'string' ? `"${container}"` : container
  const words = ['open', named, least && `min ${least}`, whose, after > 0 && `after ${after}`]
  const { who = '', name = '', from } = call ?? {}
  // Slack’s own form: a group is “@oncall”, a person “alice”.
  const label = `|${name.replaceAll(/[<>|]/g, '').replace(/^@/, who.startsWith('S') ? '@' : '')}>`
  const whom = who === 'nobody' ? who : mentionLinks([who]).replace('>', label)
  return [...words, who && `call ${whom}`, from && `from ${from}`].filter(Boolean).join(' ')
}

/** Messages with more links are no question. */
const mostLinks = 5

const noWord = { text: '' }

/** A line for each of several links; none for any other line. Escaped. */
export function linesOfLinks(line: string): readonly string[] {
  // Most lines have none, and are read only once then.
  if (line.split('://').length <= 2) return []
  const words = readWords(line)
  const isLink = ({ text }: Pick<Word, 'text'>) => looksLikeLink(text, undefined)
  // “<link> and <link>” are two links.
  const isBetween = (at: number) =>
    isLink(words[at - 1] ?? noWord) && isLink(words[at + 1] ?? noWord)
  const links = words.filter(
    (word, at) => !isManner(word) && (word.isQuoted || !isBetween(at) || isLink(word)),
  )
  const how = words.filter(isManner).map(({ text }) => text)
  const areLinks = links.every(isLink)
  const areSeveral = areLinks && links.length > 1 && links.length <= mostLinks
  return areSeveral ? links.map(({ text }) => escapeText([`"${text}"`, ...how].join(' '))) : []
}

/** Spaces need no quotes in a modal’s field. */
export function parseKey(typed: string, alertUrl: string | undefined): KeyAsk {
  // Modals don’t escape what is typed.
  const words = readWords(escapeText(typed))
  const [only] = words
  if (only === undefined) return problem('Type the alert’s key, or paste its link.')
  if (words.some(({ text }) => looksLikeToken(text))) return problem(tokenForKey)
  return readKey(words.length === 1 ? only.text : typed.trim(), alertUrl)
}

/** Shown for a token in place of a key. Raw. */
export const tokenForKey =
  'That looks like an API token, so I didn’t look it up or store it. If others may have seen it, revoke it in monitoring. A token goes into the form that /alert connect opens.'

export const tokenInText =
  'That holds what looks like an API token, so nothing was sent or stored. Take it out of the text.'

const forAll: Manner = { isPrivate: false, isWatched: false }

export function lookUpFor(ks: string): Lookup {
  return { ks, ...forAll }
}

/** The line behind `/alert` for buttons. Raw. */
export function lineFor({ ks, isPrivate, isWatched }: Lookup): string {
  return [`"${ks}"`, isPrivate && 'private', isWatched && 'watch'].filter(Boolean).join(' ')
}

type Assignee = Extract<ActAsk['to'], object>

function personTyped(to: Assignee): string {
  return 'userId' in to ? String(to.userId) : `@${to.slackId}`
}

/** The line behind `/alert` for buttons, with this key. Raw. */
export function actLine({ act, to, message, isSolution }: ActAsk, ks: string): string {
  const whom = typeof to === 'object' ? personTyped(to) : to
  const quoted = message && `"${message}"`
  // Quotes around a text that holds quotes may not read as a pair.
  const text = isSolution || unquoted(quoted) === message ? quoted : message
  return [act, `"${ks}"`, whom, text, isSolution && 'solution'].filter(Boolean).join(' ')
}

function problem(sentence: string): InputProblem {
  return { kind: 'problem', problem: sentence }
}

export function isManner({ text, isQuoted }: Word): boolean {
  return !isQuoted && mannerWords.has(text.toLowerCase())
}

function readKey(text: string, alertUrl: string | undefined, manner = forAll): KeyAsk {
  const found = looksLikeLink(text, alertUrl) ? keyInLink(text, alertUrl) : { ks: text }
  if ('problem' in found) return problem(found.problem)
  if ('link' in found) return { kind: 'look-up', link: found.link, ...manner }
  const { ks } = found
  const isPath = ks.trim() === '' || ks === '.' || ks === '..'
  if (
    isPath ||
    !ks.isWellFormed() ||
    ks.length > longestKey ||
    hasUnseen(ks) ||
    ks.includes('\ufffd')
  )
    return problem('That isn’t an alert key. Copy the key or the link from the alert.')
  return { kind: 'look-up', ks, ...manner }
}
