// Rewrites a `/grant` line, as people type it, into the exact form that `parseGrant` reads: synonyms become commands, names
// of containers become numbers, and fillers such as “please” are left out. Unknown words stay. Pure.
import { type KnownContainer, namedAmong } from '../../names/containers.ts'
import { escapeText } from '../../slack/text/mrkdwn.ts'
import { readId } from '../../slack/text/typed.ts'
import type { GrantSettings } from '../roles.ts'
import { commandNear, commandSaid, fillers, type GrantCommand, signSaid } from './grammar.ts'
import { isTerm, nearestNames, readFlags, type Token } from './pieces.ts'
import { withPlainDashes } from './until.ts'

/** A line in the exact form, apart from words whose meaning isn’t known yet. */
export interface Draft {
  /** Undefined for a grant. */
  readonly command: GrantCommand | undefined
  readonly words: readonly DraftWord[]
}

export interface DraftWord extends Token {
  /** True if the word isn’t a flag, a role, a person, a number or a filler. */
  readonly isUnknown?: boolean
  /** `+` or `-` if words before this one say that flags here are given or taken; otherwise empty. */
  readonly sign: string
}

/** @param typed - The words of a line, without its time. */
export function draftOf(
  typed: readonly Token[],
  settings: GrantSettings,
  known: readonly KnownContainer[],
): Draft {
  const isFlag = (text: string) => readFlags(text, settings.roles) !== undefined
  const isFree = ({ grantee, isQuoted, text }: Token) =>
    grantee === undefined && !isQuoted && !isFlag(text)

  const tokens = withNumbers(typed, known, isFree)
  const said = (token: Token) => (isFree(token) ? commandSaid(token.text) : undefined)
  const saying = tokens.filter(said)
  // “show roles” asks for roles, though “show” is a synonym of `who`: that command counts only if there is no other.
  const commandToken =
    saying.find((one) => said(one) !== 'who') ??
    saying[0] ??
    // A mistyped command counts only as the first word, and only if no other word is a command.
    tokens.slice(0, 1).find((one) => isFree(one) && commandNear(one.text))

  const typedCommand = commandToken && (said(commandToken) ?? commandNear(commandToken.text))

  // In “list who has access”, both “list” and “who” say `who`: they are left out.
  const others = tokens.filter((one) => one !== commandToken && said(one) !== 'who')
  const isSigned = others.some(
    ({ text }) => /^[-+]/.test(withPlainDashes(text)) && isTerm(text, settings),
  )
  // “remove BILLING from dave” takes a flag from somebody who stays on the container, which is a change.
  const isTaking = typedCommand === 'remove' && others.some(({ text }) => isFlag(text))
  const command = isTaking || (!typedCommand && isSigned) ? 'change' : typedCommand

  const words: DraftWord[] = []
  let sign = isTaking ? '-' : ''

  for (const [at, token] of others.entries()) {
    const word = withPlainDashes(token.text).toLowerCase()
    const isNamed = token.isQuoted || token.grantee !== undefined
    const isProvider = others[at - 1]?.text.toLowerCase() === 'via'
    const ownSign = command === 'change' && !isTaking && !isNamed ? signSaid(word) : undefined

    if (isNamed || isProvider) {
      words.push({ ...token, sign })
    } else if (word === 'member' || isFlag(word)) {
      words.push({ ...token, text: `${sign}${token.text}`, sign })
    } else if (ownSign !== undefined) {
      sign = ownSign
    } else if (!fillers.has(word)) {
      const isUnknown = readId(word) === undefined && !isTerm(word, settings)
      words.push({ ...token, isUnknown, sign })
    }
  }

  return { command, words }
}

/** Replaces the name of a known container by its number, unless the name is in quotes, or a flag or a role. */
function withNumbers(
  tokens: readonly Token[],
  known: readonly KnownContainer[],
  isFree: (token: Token) => boolean,
): readonly Token[] {
  const texts = tokens.map((token) => (isFree(token) ? token.text : '\0'))
  const named = namedAmong(texts, known)
  if (named === undefined) return tokens

  const { at, count, text, ids } = named
  // A name of several containers stays, in quotes: `parseGrant` says that it is several.
  const isOne = ids.length === 1

  return tokens.toSpliced(at, count, { text: isOne ? String(ids[0]) : text, isQuoted: !isOne })
}

/** A draft as a line, escaped as Slack would send it. @param time - In the exact form, such as `until 2026-12-01 18:00`. */
export function exactLine({ command, words }: Draft, time = ''): string {
  const isSaid = command !== 'grant'
  return [isSaid && command, ...words.map(tokenInLine), time].filter(Boolean).join(' ')
}

function tokenInLine({ grantee, text }: Token): string {
  if (grantee?.startsWith('@')) return `<${grantee}>`
  return escapeText(/\s/.test(text) ? `"${text}"` : text)
}

/** The container of a draft; undefined if it has none, or several. */
export function containerOfDraft({ words }: Draft): number | undefined {
  const [id, ...others] = new Set(words.flatMap(({ text }) => readId(text) ?? []))
  return others.length === 0 ? id : undefined
}

/** Flags and roles that a mistyped word may mean, with its sign. */
export function slipsOf({ text, sign }: DraftWord, settings: GrantSettings): readonly string[] {
  // A sign that is typed with the word wins over a sign that earlier words give it.
  const [, own = '', name = ''] = /^([-+]?)(.*)$/.exec(withPlainDashes(text)) ?? []
  const isWord = (one: string) => one === 'member' || readFlags(one, settings.roles) !== undefined

  return nearestNames(name, settings)
    .filter(isWord)
    .map((one) => `${own || sign}${one}`)
}

/** The draft with its meaning in place of unknown words. @param unknown - Words that have this meaning together. */
export function withMeant(draft: Draft, unknown: readonly DraftWord[], text: string): Draft {
  const [first] = unknown
  const words = draft.words.flatMap((one) => {
    if (one === first) return [{ ...one, text, isUnknown: false }]
    return unknown.includes(one) ? [] : [one]
  })

  return { ...draft, words }
}
