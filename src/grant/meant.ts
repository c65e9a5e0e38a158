// Rewrites a `/grant` line, as people type it, into the exact form that `parseGrant` reads: synonyms, words that carry
// nothing, names of containers in several words. Drops no word that it doesn’t know. Pure.
import { type KnownContainer, namedAmong } from '../names/containers.ts'
import { escapeText } from '../slack/text/mrkdwn.ts'
import { readId } from '../slack/text/typed.ts'
import { commandNear, commandOf, fillers, type GrantCommand, signs } from './grammar.ts'
import { type GrantAsk, parseGrant } from './line.ts'
import { nearestNames, readFlags, type Token } from './pieces.ts'
import type { GrantSettings } from './roles.ts'
import { withPlainDashes } from './until.ts'

/** A line in the exact form, but for the words that nobody knows yet. */
export interface Draft {
  readonly command: GrantCommand | undefined
  readonly people: readonly string[]
  /** All other words, in order, with their places: runs of unknown ones may be one name. */
  readonly words: readonly DraftWord[]
  /** `for 4h`, `until 2026-12-01 18:00`; empty where access doesn’t end. */
  readonly time: string
}

export interface DraftWord {
  readonly text: string
  readonly isQuoted: boolean
  readonly isUnknown: boolean
  /** Whether a flag here would be given or taken; empty outside of a change. */
  readonly sign: string
  readonly at: number
}

type AskOf<Kind extends GrantAsk['kind']> = Extract<GrantAsk, { readonly kind: Kind }>
type Problems = Pick<AskOf<'problems'>, 'kind' | 'problems'>

/** Something to do. `invite`: with the terms of a grant. `due`: of one person or container, where they are named. */
export type GrantMeant =
  | Exclude<GrantAsk, { readonly kind: 'problems' | 'due' }>
  | (Pick<AskOf<'grant'>, 'grantees' | 'request'> & { readonly kind: 'invite' })
  | {
      readonly kind: 'due'
      readonly containerId?: number | undefined
      readonly grantees?: readonly string[]
    }

/** One of several meanings. `line`: in the exact form, escaped. `said`: all of it, raw, as pressing sends it. */
export interface Choice {
  readonly label: string
  readonly line: string
  readonly said: string
}

/** @param time - In the exact form, taken out of the tokens before. */
export function draftOf(
  typed: readonly Token[],
  settings: GrantSettings,
  known: readonly KnownContainer[],
  time = '',
): Draft {
  const isFlag = (text: string) => readFlags(text, settings.roles) !== undefined
  const tokens = withNumbers(typed, known, isFlag)
  const { command: found, isCommand } = commandIn(tokens, isFlag)
  const isSigned = tokens.some(
    ({ text }) => /^[-+]./.test(plain(text)) && isFlag(plain(text).slice(1)),
  )
  const taken = tokens.some((token) => !isCommand(token) && !token.grantee && isFlag(token.text))
  const command = found === 'remove' && taken ? 'change' : (found ?? (isSigned ? 'change' : found))
  const words: DraftWord[] = []
  // Removing single flags is a change that takes them.
  let sign = found === 'remove' ? '-' : ''
  let isProvider = false
  for (const [at, token] of tokens.entries()) {
    const { text, isQuoted, grantee } = token
    const word = isQuoted ? '' : plain(text).toLowerCase()
    const isSign = command === 'change' && Object.hasOwn(signs, word) && found !== 'remove'
    if (grantee !== undefined || isCommand(token)) continue
    const isNamed = isProvider || isQuoted
    const isGiven = !isNamed && (isExtra(word) || isFlag(text))
    if (!isNamed && isSign) sign = signs[word] ?? ''
    else if (isNamed || isGiven || !fillers.has(word)) {
      const isUnknown = !isNamed && !isGiven && !isKnown(word, isFlag)
      words.push({ text: isGiven ? `${sign}${text}` : text, isQuoted, isUnknown, sign, at })
    }
    isProvider = word === 'via'
  }
  const people = tokens.flatMap(({ grantee }) => grantee ?? [])
  return { command, people, words, time }
}

const plain = withPlainDashes

const isExtra = (word: string) => word === 'member'

/** A number, a flag with its sign, a word of the exact form, or one that was meant for Slack. */
function isKnown(word: string, isFlag: (text: string) => boolean): boolean {
  if (/^[-+]?\d[\d.e]*$/.test(word) || /^(?:@|#.)/.test(word) || word.includes('@')) return true
  if (/^(?:via|not-member|for|until)$/.test(word)) return true
  return /^[-+]/.test(word) && (isFlag(word.slice(1)) || isExtra(word.slice(1)))
}

/** Puts the number for the name of a known container. One in quotes, or that is a flag or a role, is for `parseGrant`. */
function withNumbers(
  tokens: readonly Token[],
  known: readonly KnownContainer[],
  isFlag: (text: string) => boolean,
): readonly Token[] {
  const isOther = ({ grantee, isQuoted, text }: Token) =>
    grantee !== undefined || isQuoted || isFlag(text)
  const texts = tokens.map((token) => (isOther(token) ? '\0' : token.text))
  const named = namedAmong(texts, known)
  if (named === undefined) return tokens
  const [id, ...others] = named.ids
  const name = texts.slice(named.at, named.at + named.count).join(' ')
  const isOne = id !== undefined && others.length === 0
  const word = isOne ? { text: String(id), isQuoted: false } : { text: name, isQuoted: true }
  return tokens.toSpliced(named.at, named.count, word)
}

/** The word of the grammar that a line begins with, fillers apart; else the only one in it. */
function commandIn(tokens: readonly Token[], isFlag: (text: string) => boolean) {
  const isPlain = ({ isQuoted, grantee, text }: Token) =>
    !isQuoted && grantee === undefined && !isFlag(text)
  const found = tokens.filter((token) => isPlain(token) && commandOf(token.text) !== undefined)
  const [first, second] = found
  // “show roles”, “list pending”.
  const asks = ['roles', 'due', 'help']
  const isAsking = first && second && commandOf(first.text) === 'who'
  const other = isAsking ? commandOf(second.text) : undefined
  if (other !== undefined && asks.includes(other))
    return { command: other, isCommand: (one: Token) => one === first || one === second }
  if (first !== undefined)
    return { command: commandOf(first.text), isCommand: (one: Token) => one === first }
  const begin = tokens.find((token) => isPlain(token) && !fillers.has(token.text.toLowerCase()))
  const near = begin === tokens[0] && begin ? commandNear(begin.text) : undefined
  return { command: near, isCommand: (one: Token) => near !== undefined && one === begin }
}

/** The line, escaped as Slack would send it. */
export function lineOf({ command, people, words, time }: Draft): string {
  const isSaid = command !== undefined && command !== 'grant' && command !== 'invite'
  const whom = people.map((one) => (one.startsWith('@') ? `<${one}>` : escapeText(one)))
  const others = words.map(({ text, isQuoted }) =>
    escapeText(isQuoted || /\s/.test(text) ? `"${text}"` : text),
  )
  const numbers = others.filter((word) => readId(word) !== undefined)
  const rest = others.filter((word) => readId(word) === undefined)
  return [isSaid ? command : '', ...numbers, ...whom, ...rest, time].filter(Boolean).join(' ')
}

/** The only container of a draft; undefined for none, or several. */
export function containerOfDraft({ words }: Draft): number | undefined {
  const ids = words.flatMap(({ text, isQuoted }) => (isQuoted ? [] : (readId(text) ?? [])))
  return new Set(ids).size === 1 ? ids[0] : undefined
}

/** True where a line asks for something on a container, and names none. */
export function lacksContainer(draft: Draft): boolean {
  const isAbout = draft.command !== 'due' && draft.command !== 'roles' && draft.command !== 'help'
  return isAbout && containerOfDraft(draft) === undefined
}

/** Runs of unknown words, each perhaps one name. */
export function unknownRuns({ words }: Draft): readonly (readonly DraftWord[])[] {
  const runs: DraftWord[][] = []
  for (const word of words.filter(({ isUnknown }) => isUnknown)) {
    const last = runs.at(-1)
    if (last?.at(-1)?.at === word.at - 1) last?.push(word)
    else runs.push([word])
  }
  return runs
}

/** Flags and roles that a word may be a slip of. */
export function slipsOf({ text }: DraftWord, settings: GrantSettings): readonly string[] {
  const name = plain(text).replace(/^[-+]/, '')
  return nearestNames(name, settings).filter(
    (one) => readFlags(one, settings.roles) !== undefined || isExtra(one),
  )
}

/** The draft with a flag or a role in place of a slip. */
export function withName(draft: Draft, slip: DraftWord, name: string): Draft {
  const sign = /^[-+]/.exec(plain(slip.text))?.[0] ?? slip.sign
  const words = draft.words.map((one) =>
    one.at === slip.at ? { ...one, text: `${sign}${name}`, isUnknown: false } : one,
  )
  return { ...draft, words }
}

/** The draft with somebody in place of their name. */
export function withPerson(draft: Draft, name: readonly DraftWord[], email: string): Draft {
  const words = draft.words.filter(({ at }) => !name.some((one) => one.at === at))
  return { ...draft, words, people: [...draft.people, email] }
}

/** What a grant’s form can be filled in with: nothing that nobody knows, and nothing that is taken. */
export function forForm(draft: Draft): Draft {
  const words = draft.words
    .filter(({ text, isUnknown }) => !isUnknown && !plain(text).startsWith('-'))
    .map((one) => ({ ...one, text: one.text.replace(/^\+/, '') }))
  return { ...draft, command: undefined, words }
}

/** Something to do, or why it can’t be read. */
export function meaningOf(
  settings: GrantSettings,
  draft: Draft,
  known: readonly KnownContainer[],
): GrantMeant | Problems {
  const { command, people, words } = draft
  if (command === 'help' || command === 'roles') return { kind: command }
  if (command === 'due') {
    const ids = words.map(({ text }) => readId(text))
    const isFew = ids.length <= 1 && !ids.includes(undefined)
    if (isFew && settings.hasAllOperations)
      return { kind: 'due', containerId: ids[0], grantees: people }
    return {
      kind: 'problems',
      problems: ['Type /grant due, with one container or person for fewer.'],
    }
  }
  const ask = parseGrant(lineOf(draft), settings, known)
  if (command !== 'invite' || ask.kind !== 'grant') return ask
  if (ask.ends === undefined) return { ...ask, kind: 'invite' }
  return { kind: 'problems', problems: ['An invitation can’t end by itself. Leave the time out.'] }
}
