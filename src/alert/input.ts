// Reads a line of `/alert`: an alert’s key or link, or a word such as `open` with what belongs to it. Pure.

import { piecesOf } from '../slack/text/markup.ts'
import { cut, escapeText, mentionLinks } from '../slack/text/mrkdwn.ts'
import {
  hasUnseen,
  looksLikeToken,
  nearestTo,
  quote,
  quoteLast,
  readId,
  readWords,
  unquoted,
  type Word,
  withoutSecrets,
} from '../slack/text/typed.ts'
import { type AlertLink, keyInLink, looksLikeLink } from './link.ts'
import { exactWord, fillers, mannerWords, wordMeant, wordsThere } from './words.ts'

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

/** The alert meant: by its key, or by a link that still has to be looked up. */
export type Which = Pick<Lookup, 'ks'> | Pick<LinkAsk, 'link'>

/** A suggestion, with its button. Verb and name are the button’s label, raw. */
export interface Meant {
  readonly verb: 'Look up' | 'Run'
  readonly name: string
  /** The line that the button runs, without `/alert`. */
  readonly line: string
}

interface InputProblem {
  readonly kind: 'problem'
  readonly problem: string
  readonly meant?: Meant | undefined
  /** The text of an act, or the whole line that was meant: shown to its writer, to be copied. Raw; may be empty. */
  readonly said?: string | undefined
}

export type KeyAsk = ({ readonly kind: 'look-up' } & (Lookup | LinkAsk)) | InputProblem

export interface ActAsk {
  readonly act: (typeof acts)[number]
  readonly which: Which
  /** The text of the act, raw. It may be empty: for a comment, a form then asks for it. */
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
  /** A container’s number or name, or the name of an asset; undefined if none was typed. */
  readonly container: number | string | undefined
  /** Number of one asset in the container; undefined for all. */
  readonly asset?: number | undefined
  /** Least severity, as typed: one of the operator’s names, or a number from 0 to 7. */
  readonly least: string | undefined
  readonly whose: 'mine' | 'unassigned' | undefined
  /** How many alerts stand on earlier pages of the list. */
  readonly after: number
  /** For a follow: whom it calls, who else is called at the third time, and the least severity that calls, as typed. */
  readonly call?:
    | (Somebody & {
        readonly third?: Somebody | undefined
        readonly from?: string | undefined
      })
    | undefined
  /** For a follow: when it posts how the night went, as typed: “weekdays 8:30 pm”, “daily off”, “daily”. */
  readonly daily?: string | undefined
}

/** Somebody to call. `who` is a person’s or group’s id in Slack, or `nobody`; undefined if no person or group was typed. */
export interface Somebody {
  readonly who?: string | undefined
  readonly name: string
}

export type AlertAsk =
  | { readonly kind: 'help' }
  | { readonly kind: 'form' | (typeof alone)[number] }
  /** A line that may hold a token: nothing of it is sent, kept or repeated. */
  | { readonly kind: 'token' }
  | ({ readonly kind: 'act' } & ActAsk)
  | ({ readonly kind: 'open' | 'follow' | 'unfollow' } & OpenAsk)
  /** The line behind the word, raw. */
  | { readonly kind: 'maintenance' | 'since'; readonly line: string }
  | KeyAsk

/** The most characters of a key: a longer one was pasted by mistake, and wouldn’t fit the line of a request. */
const longestKey = 500
const helpWords = new Set(['help', '?', '-h', '--help'])
const acts = ['assign', 'comment', 'close'] as const
/** Words behind which nothing goes. */
const alone = ['connect', 'disconnect', 'watches', 'follows', 'doctor'] as const

/**
 * @param hasAllOperations - If false, words that change alerts, or list several, are not suggested.
 * @param severityNames - The operator’s names; a line that has one asks for that severity and worse.
 */
export function parseAlertLine(
  line: string,
  alertUrl: string | undefined,
  hasAllOperations = true,
  severityNames: readonly string[] = [],
): AlertAsk {
  const words = readWords(line)
  // A quoted text is one word here, but may hold a token among others.
  if (words.some(({ text }) => [text, ...text.split(/\s+/)].some(looksLikeToken)))
    return { kind: 'token' }

  const [first, ...behind] = words
  if (!first) return { kind: 'form' }

  const command = plainly(first)
  if (helpWords.has(command)) return { kind: 'help' }

  const word = exactWord(command)
  const only = alone.find((one) => one === word)
  if (only) {
    // “unwatch 5HkX” lists all watches: each has a button that stops it.
    if (behind.length === 0 || command !== only) return { kind: only }

    return problem(`Nothing goes after /alert ${only}. ${seenToken}`)
  }

  if (word === 'mine') return { kind: 'open', ...readOpen(words, severityNames) }
  const read = readBehind(word, first, behind, alertUrl, severityNames)
  if (read && read.kind !== 'problem') return read

  const spoken = readInOtherWords(words, alertUrl, severityNames)
  return spoken ?? read ?? readLookup(words, alertUrl, hasAllOperations)
}

const plainly = (word?: Word) => (!word || word.isQuoted ? '' : word.text.toLowerCase())

/**
 * Reads what stands behind a word of `/alert`.
 * @param word - The exact word. @param first - As typed. @returns Undefined for a word that takes nothing.
 */
function readBehind(
  word: string | undefined,
  first: Word,
  behind: readonly Word[],
  alertUrl: string | undefined,
  severityNames: readonly string[],
): AlertAsk | undefined {
  if (word === 'open' || word === 'follow' || word === 'unfollow')
    return { kind: word, ...readOpen(behind, severityNames) }
  if (word === 'maintenance' || word === 'since') return { kind: word, line: first.rest() }
  if (word === 'show') return readLookup(behind, alertUrl, false)

  const act = acts.find((one) => one === word)
  const typed = plainly(first)
  // Words that mean `assign`, such as `take`, name nobody: they assign to whoever types them.
  const isToMe = typed !== act && exactWord(typed) === act
  return act && readAct(act, behind, alertUrl, isToMe ? 'me' : undefined)
}

/**
 * Reads a line with a synonym, a slip or fillers. A line that changes something comes back as the exact line, on a button.
 * @returns Undefined if the whole line may be a key, or may hold a secret.
 */
function readInOtherWords(
  words: readonly Word[],
  alertUrl: string | undefined,
  severityNames: readonly string[],
): AlertAsk | undefined {
  const [opening] = words
  const [first, ...behind] = words.slice(plainly(opening) === 'please' ? 1 : 0)
  const rest = behind.filter((word) => !fillers.has(plainly(word)))
  const [key, whom] = rest
  if (!opening || !first || !key) return undefined

  const typed = plainly(first)
  const [near] = nearestTo(typed, wordsThere(true))
  const word = wordMeant(typed) ?? near
  const ask = readBehind(word, first, rest, alertUrl, severityNames)
  const changes = ask?.kind === 'follow' || ask?.kind === 'unfollow' || ask?.kind === 'act'
  if (!changes) return ask

  // The line comes back to its writer, so it must hold nothing that may be a token.
  const said = first.rest()
  if (withoutSecrets(said) !== said) return undefined

  const meant = (corrected: string, line: string, message = '') => {
    const name = `/alert ${corrected}`
    const whole = cut(`${opening.text} ${opening.rest()}`, longestTyped)
    return {
      ...problem(`You typed “${whole}”.`),
      meant: { verb: 'Run', name, line },
      said: `${name} ${message}`.trim(),
    } as const
  }
  if (ask.kind !== 'act')
    return meant(`${word} ${said}`, [word, ...behind.map(asTypedAgain)].join(' '))

  const to = ask.to === 'me' ? ask.to : ask.to && whom && asShown(whom)
  const corrected = [ask.act, asShown(key), to].filter(Boolean).join(' ')
  return meant(corrected, actLine(ask, key.text), messageInLine(ask))
}

const longestTyped = 200
const asShown = ({ text }: Word) => (/\s/.test(text) ? `"${text}"` : text)

const seenToken = 'If you typed a token that others may have seen, revoke it in monitoring.'

/** @param words - At least one. */
function readLookup(
  words: readonly Word[],
  alertUrl: string | undefined,
  hasAllOperations: boolean,
): KeyAsk {
  const key = words.filter((word) => !isManner(word))
  const [first, ...others] = key
  if (!first) return problem(`Which alert? Type /alert <key> ${textOf(words)}.`)

  const isKey = first.isQuoted || others.length === 0
  const meant = isKey ? undefined : wordNear(first.text, hasAllOperations)
  if (!meant) {
    const has = (manner: string) => words.some((word) => plainly(word) === manner)
    return readKey(textOf(key), alertUrl, { isPrivate: has('private'), isWatched: has('watch') })
  }

  // The words behind it are not repeated: they may be a token.
  return { ...problem(`/alert doesn’t know ${quoteLast(first.text)}`), meant }
}

const textOf = (words: readonly Word[]) => words.map(({ text }) => text).join(' ')

/** Suggests the word of `/alert` that is nearest to this one; undefined if none is near. */
export function wordNear(ks: string, hasAllOperations: boolean): Meant | undefined {
  const [line] = nearestTo(ks, wordsThere(hasAllOperations))
  return line === undefined ? undefined : { verb: 'Run', name: `/alert ${line}`, line }
}

const examples: Readonly<Record<ActAsk['act'], string>> = {
  assign: '/alert assign <key> me, or name somebody in place of “me”',
  comment: '/alert comment <key> "text"',
  close: '/alert close <key> "what it was"',
}

/**
 * @param words - Behind the act: the key, then the assignee if the act takes one.
 * @param whom - The assignee, if the word itself says it, as `take` does.
 */
function readAct(
  act: ActAsk['act'],
  words: readonly Word[],
  alertUrl: string | undefined,
  whom?: 'me',
): AlertAsk {
  const [key, who] = words
  const example = `Type ${examples[act]}.`
  if (!key) return problem(`Which alert? ${example}`)

  const isNamed = act === 'assign' && !whom
  const rest = ((isNamed && who) || key).rest()
  const which = readKey(key.text, alertUrl)
  if (which.kind === 'problem') return { ...which, said: rest }

  if (act === 'assign') {
    if (!who && isNamed) return problem(`Who gets it? ${example}`)

    const to = whom ?? (who && readAssignee(who))
    if (to) return { kind: 'act', act, which, to, message: plainText(rest) }

    const ways = 'Name one person, as @person or by their user ID in monitoring. Nothing was sent.'
    return {
      ...problem(`/alert assign doesn’t know ${quote(who?.text ?? '')}. ${ways}`),
      said: rest,
    }
  }

  const text = act === 'close' ? readClosing(rest) : { message: plainText(rest) }
  return { kind: 'act', act, which, ...text }
}

/**
 * Reads the text of a closing. The word “solution” at its end says that the text is the solution, if the text is in quotes
 * or missing. Behind a text without quotes, the word belongs to the text.
 */
function readClosing(rest: string) {
  const [, before] = /^(.*?)\s*\bsolution$/is.exec(rest) ?? []
  const isSolution = before === '' || (before !== undefined && unquoted(before) !== undefined)
  return { message: plainText(isSolution ? before : rest), isSolution }
}

function plainText(said: string) {
  return (unquoted(said) ?? said).trim()
}

function readAssignee({ text, isQuoted, mentions }: Word): ActAsk['to'] {
  const [, written] = /^@([UW][A-Z0-9]{5,20})$/.exec(text) ?? []
  const slackId = mentions ?? written
  if (slackId) return { slackId }
  if (isQuoted) return undefined
  if (text.toLowerCase() === 'me') return 'me'

  const userId = readId(text)
  return userId === undefined ? undefined : { userId }
}

/** “12” is container 12; “12/34” is asset 34 in it, as buttons write it. */
const numbers = /^(\d{1,15})(?:\/(\d{1,15}))?$/

/** @param words - Behind `open`, in any order. Words without a meaning of their own are the name of a container or asset. */
function readOpen(words: readonly Word[], severityNames: readonly string[] = []): OpenAsk {
  const names = severityNames.map((name) => name.toLowerCase())
  const named: string[] = []
  let least: string | undefined
  let whose: OpenAsk['whose']
  let call: OpenAsk['call']
  let daily: OpenAsk['daily']
  let after = 0
  const left = [...words]
  for (let one = left.shift(); one; one = left.shift()) {
    const word = plainly(one)
    const next = left[0]?.text
    if (word === 'mine' || word === 'unassigned') whose = word
    else if (names.includes(word)) least = word
    else if (word === 'min' && next) least = left.shift()?.text
    else if (word === 'call') call = somebodyIn(left.shift())
    else if (call && word === 'then') call = { ...call, third: somebodyIn(left.shift()) }
    // One person or group can be called. If a second one is typed, `who` becomes undefined: neither is chosen.
    else if (call && (one.isNamed || word === 'and')) call = { ...call, who: undefined }
    else if (word === 'daily' || word === 'weekdays') daily = dailyIn(word, left)
    else if (call && word === 'from') call = { ...call, from: left.shift()?.text }
    else if (word === 'after' && next && readId(next)) after = Number(left.shift()?.text)
    else if (word !== 'all' && word !== 'from') named.push(one.text)
  }

  const name = named.join(' ')
  const [, id, onAsset] = numbers.exec(name) ?? []
  const container = id === undefined ? name || undefined : Number(id)
  const asset = onAsset === undefined ? undefined : Number(onAsset)

  return {
    container,
    asset,
    least,
    whose,
    after,
    call,
    daily,
  }
}

/** Words that belong to a time behind its first word, as in “8:30 pm UTC”. */
const timeTail = /^(?:[ap]m|UTC|\w+\/[\w/+-]+)$/i

/** Reads when a daily message comes. @param left - Words behind `word`: those that belong to the time are taken out. */
function dailyIn(word: string, left: Word[]): string {
  const typed = [word]
  for (let next = left.shift(); next; next = left.shift()) {
    if (plainly(next) !== 'at') typed.push(next.text)
    if (typed.length > 1 && !timeTail.test(left[0]?.text ?? '')) break
  }
  return typed.join(' ')
}

/** Reads the person or group to call. In a button’s line, a mention is raw text, such as `<@U1|alice>`. */
function somebodyIn(word: Word | undefined): Somebody {
  const { text = '', mentions, group } = word ?? {}
  if (text.toLowerCase() === 'nobody') return { who: 'nobody', name: '' }

  const [piece] = piecesOf(text)
  const isSomebody = piece?.kind === 'person' || piece?.kind === 'group'
  const who = mentions ?? group ?? (isSomebody ? piece.target : undefined)

  return { who, name: who ? piece?.typed || text : '' }
}

export function readOpenLine(line: string): OpenAsk {
  return readOpen(readWords(line).slice(1))
}

/** The line that asks for this, without `/alert`, as buttons carry it. Raw. */
export function openLine({ container, asset, least, whose, after, call, daily }: OpenAsk): string {
  const there = asset === undefined ? container : `${container}/${asset}`
  const named = typeof container === 'string' ? `"${container}"` : there
  const { third, from } = call ?? {}
  const whom = call && somebodyInLine(call)
  const next = third && somebodyInLine(third)
  const words = [
    'open',
    named,
    least && `min ${least}`,
    whose,
    after > 0 && `after ${after}`,
    whom && `call ${whom}`,
    whom && next && `then ${next}`,
    from && `from ${from}`,
    daily,
  ]

  return words.filter(Boolean).join(' ')
}

function somebodyInLine({ who, name }: Somebody) {
  return who === 'nobody' ? who : who && mentionNamed(who, name)
}

/** A mention in Slack’s own form: `<!subteam^S1|@oncall>` for a group, `<@U1|alice>` for a person. */
function mentionNamed(id: string, name: string) {
  const label = name.replaceAll(/[<>|]/g, '').replace(/^@/, id.startsWith('S') ? '@' : '')
  return mentionLinks([id]).replace('>', `|${label}>`)
}

function asTypedAgain({ text, isQuoted, mentions, group }: Word) {
  const id = mentions ?? group
  if (id !== undefined) return mentionNamed(id, text)

  return isQuoted ? `"${text}"` : text
}

/** How many links a line may have to be read as one line for each link. */
const mostLinks = 5

/** One line for each link, if a line has several links, and at most “private”, “watch” or “and” besides. Escaped. */
export function linesOfLinks(line: string): readonly string[] {
  // Most lines have one link or none. For these, the words needn’t be read.
  if (line.split('://').length <= 2) return []

  const words = readWords(line)
  const links = words.filter(isLink)
  if (links.length < 2 || links.length > mostLinks) return []

  // “<link> and <link>” are two links.
  const isBetween = (at: number) => isLink(words[at - 1]) && isLink(words[at + 1])
  const isFine = (word: Word, at: number) =>
    isLink(word) || isManner(word) || (!word.isQuoted && isBetween(at))
  if (!words.every(isFine)) return []

  const how = textOf(words.filter(isManner))
  return links.map(({ text }) => escapeText(`"${text}" ${how}`))
}

function isLink(word?: Word) {
  return word !== undefined && looksLikeLink(word.text)
}

/** Reads a key or link that stands alone, as in the field of a form. A key with spaces needs no quotes there. */
export function parseKey(typed: string, alertUrl: string | undefined): KeyAsk {
  // Slack doesn’t escape what is typed in a form.
  const words = readWords(escapeText(typed))
  const [only, ...others] = words
  if (!only) return problem('Type the alert’s key, or paste its link.')
  if (words.some(({ text }) => looksLikeToken(text))) return problem(tokenForKey)

  return readKey(others.length > 0 ? typed.trim() : only.text, alertUrl)
}

/** Answers a token that was typed as a key. Raw. */
export const tokenForKey =
  'That looks like an API token, so I didn’t look it up or store it. If others may have seen it, revoke it in monitoring. A token goes into the form that /alert connect opens.'

export const tokenInText =
  'That holds what looks like an API token, so nothing was sent or stored. Take it out of the text.'

const forAll: Manner = { isPrivate: false, isWatched: false }

export function lookUpFor(ks: string): Lookup {
  return { ks, ...forAll }
}

/** The line of a look-up, without `/alert`, as buttons carry it. Raw. */
export function lineFor({ ks, isPrivate, isWatched }: Lookup): string {
  return [`"${ks}"`, isPrivate && 'private', isWatched && 'watch'].filter(Boolean).join(' ')
}

function whomInLine(to: ActAsk['to']) {
  if (typeof to !== 'object') return to

  return 'userId' in to ? to.userId : `@${to.slackId}`
}

/** The line of an act on the alert with this key, without `/alert`, as buttons carry it. Raw. */
export function actLine(ask: ActAsk, ks: string): string {
  const { act, to } = ask
  return [act, `"${ks}"`, whomInLine(to), messageInLine(ask)].filter(Boolean).join(' ')
}

function messageInLine({ message, isSolution }: ActAsk) {
  const quoted = message && `"${message}"`
  if (isSolution) return `${quoted} solution`
  // The text goes without quotes if it holds quotes that would be read as the end.
  return unquoted(quoted) === message ? quoted : message
}

function problem(sentence: string): InputProblem {
  return { kind: 'problem', problem: sentence }
}

export function isManner(word: Word): boolean {
  return mannerWords.has(plainly(word))
}

function readKey(text: string, alertUrl: string | undefined, manner = forAll): KeyAsk {
  const found = looksLikeLink(text, alertUrl) ? keyInLink(text, alertUrl) : { ks: text }
  if ('problem' in found) return problem(found.problem)
  if ('link' in found) return { kind: 'look-up', ...found, ...manner }

  const { ks } = found
  // A key isn’t blank. It isn’t “.” or “..” either: in the address of a request, these would lead elsewhere.
  const isNoKey = /^(\s*|\.\.?)$/.test(ks)
  if (isNoKey || ks.length > longestKey || hasUnseen(ks) || ks.includes('\ufffd'))
    return problem('That isn’t an alert key. Copy the key or the link from the alert.')

  return { kind: 'look-up', ks, ...manner }
}
