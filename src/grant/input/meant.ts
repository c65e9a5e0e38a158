// Rewrites a `/grant` line, as people type it, into the exact form that `parseGrant` reads: synonyms, words that carry
// nothing, names of containers in several words. Drops no word that it doesn’t know. Pure.
import { type KnownContainer, namedAmong } from '../../names/containers.ts'
import { escapeText } from '../../slack/text/mrkdwn.ts'
import { readId } from '../../slack/text/typed.ts'
import type { GrantSettings } from '../roles.ts'
import { commandNear, commandOf, fillers, type GrantCommand, signs } from './grammar.ts'
import { type GrantAsk, type Prefill, parseGrant } from './line.ts'
import { nearestNames, readFlags, readPieces, type Token } from './pieces.ts'
import { withPlainDashes } from './until.ts'

/** A line in the exact form, but for words that nobody knows yet. */
export interface Draft {
  /** Undefined for a grant. */
  readonly command: GrantCommand | undefined
  readonly words: readonly DraftWord[]
  /** `for 4h`, `until 2026-12-01 18:00`; empty where access doesn’t end. */
  readonly time: string
}

export interface DraftWord {
  /** As it stands in a line, escaped. */
  readonly text: string
  readonly isUnknown: boolean
  /** Whether a flag here would be given or taken; empty outside of a change. */
  readonly sign: string
}

type AskOf<Kind extends GrantAsk['kind']> = Extract<GrantAsk, { readonly kind: Kind }>

/** Something to do. `invite`: with the terms of a grant. `due`: of one person or container, where they are named. */
export type GrantMeant =
  | Exclude<GrantAsk, { readonly kind: 'problems' | 'due' }>
  | (Pick<AskOf<'grant'>, 'grantees' | 'request'> & { readonly kind: 'invite' })
  | {
      readonly kind: 'due'
      readonly containerId?: number | undefined
      readonly grantees?: readonly string[]
    }

/** @param time - In the exact form, taken out of the tokens before. */
export function draftOf(
  typed: readonly Token[],
  settings: GrantSettings,
  known: readonly KnownContainer[],
  time = '',
): Draft {
  const isFlag = (text: string) => readFlags(text, settings.roles) !== undefined
  const isGiven = (word: string) => word === 'member' || isFlag(word)
  const isFree = ({ grantee, isQuoted, text }: Token) =>
    grantee === undefined && !isQuoted && !isFlag(text)
  const tokens = withNumbers(typed, known, isFree)
  const said = (token: Token) => (isFree(token) ? commandOf(token.text) : undefined)
  const [begin] = tokens
  // “show roles” asks for roles.
  const first = tokens.find((one) => !['who', undefined].includes(said(one))) ?? tokens.find(said)
  const isSlip = !first && begin && isFree(begin) && !fillers.has(begin.text.toLowerCase())
  const near = isSlip ? commandNear(begin.text) : undefined
  const typedCommand = near ?? (first && said(first))
  const isCommand = (token: Token) =>
    token === first || said(token) === 'who' || (near !== undefined && token === begin)
  const others = tokens.filter((token) => !isCommand(token))

  const isSigned = others.some(
    ({ text }) => /^[-+]/.test(plain(text)) && isGiven(plain(text).slice(1)),
  )
  // Removing single flags is a change that takes them.
  const isTaking = typedCommand === 'remove' && others.some(({ text }) => isFlag(text))
  const command = isTaking || (!typedCommand && isSigned) ? 'change' : typedCommand
  const words: DraftWord[] = []
  let sign = isTaking ? '-' : ''
  let isProvider = false
  for (const { text, isQuoted, grantee } of others) {
    const word = plain(text).toLowerCase()
    const isNamed = isProvider || isQuoted
    const own = { isUnknown: false, sign }
    if (grantee !== undefined) words.push({ ...own, text: inLine(grantee) })
    else if (isNamed) words.push({ ...own, text: escapeText(/\s/.test(text) ? `"${text}"` : text) })
    else if (isGiven(word)) words.push({ ...own, text: `${sign}${text}` })
    else if (command === 'change' && !isTaking && Object.hasOwn(signs, word))
      sign = signs[word] ?? ''
    else if (!fillers.has(word)) {
      const isKnown = isExact.test(word) || (/^[-+]/.test(word) && isGiven(word.slice(1)))
      words.push({ text: escapeText(text), isUnknown: !isKnown, sign })
    }
    isProvider = word === 'via' && !isQuoted
  }
  return { command, words, time }
}

const plain = withPlainDashes

/** A number, a word of the exact form, or a channel. */
const isExact = /^(?:[-+]?\d[\d.e]*|via|not-member|for|until|#.+)$/

const inLine = (grantee: string) => (grantee.startsWith('@') ? `<${grantee}>` : escapeText(grantee))

/** Puts the number for the name of a known container. One in quotes, or that is a flag or a role, is for `parseGrant`. */
function withNumbers(
  tokens: readonly Token[],
  known: readonly KnownContainer[],
  isFree: (token: Token) => boolean,
): readonly Token[] {
  const texts = tokens.map((token) => (isFree(token) ? token.text : '\0'))
  const { at = 0, count = 0, text = '', ids = [] } = namedAmong(texts, known) ?? {}
  const isOne = ids.length === 1
  if (count === 0) return tokens
  return tokens.toSpliced(at, count, { text: isOne ? String(ids[0]) : text, isQuoted: !isOne })
}

/** The line, escaped as Slack would send it. */
export function lineOf({ command, words, time }: Draft): string {
  const isSaid = command !== 'grant' && command !== 'invite'
  return [isSaid && command, ...words.map(({ text }) => text), time].filter(Boolean).join(' ')
}

/** Something to do, or why it can’t be read. */
export function meaningOf(
  settings: GrantSettings,
  draft: Draft,
  known: readonly KnownContainer[],
): GrantMeant | AskOf<'problems'> {
  const { command, words: others } = draft
  if ((command === 'help' || command === 'roles') && others.length === 0) return { kind: command }
  const ask = parseGrant(lineOf(draft), settings, known)
  if (command === 'due' && settings.hasAllOperations) {
    const { grantees, words } = readPieces(lineOf(draft))
    const [id, ...more] = words.slice(1).map(readId)
    const isFew = more.length === 0 && (id !== undefined || words.length === 1)
    return isFew ? { kind: 'due', containerId: id, grantees } : problem(justOne)
  }
  if (command !== 'invite' || ask.kind !== 'grant') return ask
  return ask.ends === undefined ? { ...ask, kind: 'invite' } : problem(neverEnds)
}

const problem = (sentence: string) => ({ kind: 'problems', problems: [sentence] }) as const
const justOne = 'Type /grant due, with one container or person for fewer.'
const neverEnds = 'An invitation can’t end by itself. Leave the time out.'

/** The only container of a draft; undefined for none, or several. */
export function containerOfDraft({ words }: Draft): number | undefined {
  const ids = new Set(words.flatMap(({ text }) => readId(text) ?? []))
  return ids.size === 1 ? [...ids][0] : undefined
}

/** True where a line asks for something on a container, and names none. */
export function lacksContainer(draft: Draft): boolean {
  const isAbout = draft.command !== 'due' && draft.command !== 'roles' && draft.command !== 'help'
  return isAbout && containerOfDraft(draft) === undefined
}

/** Flags and roles that a word may be a slip of, as they would stand in its place. */
export function slipsOf({ text, sign }: DraftWord, settings: GrantSettings): readonly string[] {
  const [, own = '', name = ''] = /^([-+]?)([^@]*)$/.exec(plain(text)) ?? []
  const isWord = (one: string) => one === 'member' || readFlags(one, settings.roles) !== undefined
  return nearestNames(name, settings)
    .filter(isWord)
    .map((one) => `${own || sign}${one}`)
}

/** @param text - What was meant by these words, one after the other. */
export function withMeant(draft: Draft, unknown: readonly DraftWord[], text: string): Draft {
  const [first] = unknown
  const words = draft.words.flatMap((one) => {
    if (one === first) return [{ ...one, text, isUnknown: false }]
    return unknown.includes(one) ? [] : [one]
  })
  return { ...draft, words }
}

/** What a grant’s form can be filled in with: nothing that nobody knows, and nothing that is taken. */
export function prefillOf(settings: GrantSettings, draft: Draft): Partial<Prefill> {
  const words = draft.words
    .filter(({ text, isUnknown }) => !isUnknown && !plain(text).startsWith('-'))
    .map((one) => ({ ...one, text: one.text.replace(/^\+/, '') }))
  for (const time of [draft.time, '']) {
    const ask = parseGrant(lineOf({ command: undefined, words, time }), settings)
    if (ask.kind === 'form') return ask.prefill
    if (ask.kind !== 'grant') continue
    const { containerId, member = false, permissions, authProvider } = ask.request
    const { grantees, ends } = ask
    const container = String(containerId)
    return { container, grantees, member, permissions, authProvider, ends }
  }
  return {}
}
