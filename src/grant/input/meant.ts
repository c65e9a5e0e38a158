// Rewrites a `/grant` line, as people type it, into the exact form that `parseGrant` reads: synonyms, words that carry
// nothing, names of containers in several words. Drops no word that it doesn’t know. Pure.
import { type KnownContainer, namedAmong } from '../../names/containers.ts'
import { escapeText } from '../../slack/text/mrkdwn.ts'
import { readId } from '../../slack/text/typed.ts'
import type { GrantSettings } from '../roles.ts'
import { commandNear, commandSaid, fillers, type GrantCommand, signSaid } from './grammar.ts'
import { nearestNames, readFlags, readTerms, type Token } from './pieces.ts'
import { withPlainDashes } from './until.ts'

/** A line in the exact form, except for words whose meaning isn’t known yet. */
export interface Draft {
  /** Undefined for a grant. */
  readonly command: GrantCommand | undefined
  readonly words: readonly DraftWord[]
}

export interface DraftWord extends Token {
  /** True if the word is no flag, role, person, number or filler. */
  readonly isUnknown?: boolean
  /** `+` or `-` if a flag in this place would be given or taken; empty if nothing says so. */
  readonly sign: string
}

/** @param typed - All of a line but its time. */
export function draftOf(
  typed: readonly Token[],
  settings: GrantSettings,
  known: readonly KnownContainer[],
): Draft {
  const isFlag = (text: string) => readFlags(text, settings.roles) !== undefined
  const isKnown = (text: string) => readTerms([text], settings).unknown.length === 0
  const isFree = ({ grantee, isQuoted, text }: Token) =>
    grantee === undefined && !isQuoted && !isFlag(text)

  const tokens = withNumbers(typed, known, isFree)
  const said = (token: Token) => (isFree(token) ? commandSaid(token.text) : undefined)
  // Words for `who`, such as “show”, come second: “show roles” asks for roles.
  const commandToken =
    tokens.find((one) => !['who', undefined].includes(said(one))) ??
    tokens.find(said) ??
    // A mistyped command counts only as the first word, and only if no other word is a command.
    tokens.slice(0, 1).find((one) => isFree(one) && commandNear(one.text))

  const typedCommand = commandToken && (said(commandToken) ?? commandNear(commandToken.text))

  // “list who” is one command, though both words say it: further words for `who` are left out.
  const others = tokens.filter((one) => one !== commandToken && said(one) !== 'who')
  const isSigned = others.some(({ text }) => /^[-+]/.test(plain(text)) && isKnown(text))
  // Removing single flags is a change that takes them.
  const isTaking = typedCommand === 'remove' && others.some(({ text }) => isFlag(text))
  const command = isTaking || (!typedCommand && isSigned) ? 'change' : typedCommand

  const words: DraftWord[] = []
  let sign = isTaking ? '-' : ''

  for (const [at, token] of others.entries()) {
    const word = plain(token.text).toLowerCase()
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
      const isUnknown = readId(word) === undefined && !isKnown(word)
      words.push({ ...token, isUnknown, sign })
    }
  }

  return { command, words }
}

const plain = withPlainDashes

/** Replaces a known container’s name by its number. Names in quotes, flags and roles are left for `parseGrant`. */
function withNumbers(
  tokens: readonly Token[],
  known: readonly KnownContainer[],
  isFree: (token: Token) => boolean,
): readonly Token[] {
  const texts = tokens.map((token) => (isFree(token) ? token.text : '\0'))
  const { at = 0, count = 0, text = '', ids = [] } = namedAmong(texts, known) ?? {}
  if (count === 0) return tokens

  const isOne = ids.length === 1

  return tokens.toSpliced(at, count, { text: isOne ? String(ids[0]) : text, isQuoted: !isOne })
}

/** A draft as a line, escaped as Slack would send it. @param time - In the exact form, as in `until 2026-12-01 18:00`. */
export function exactLine({ command, words }: Draft, time = ''): string {
  const isSaid = command !== 'grant'
  return [isSaid && command, ...words.map(tokenInLine), time].filter(Boolean).join(' ')
}

function tokenInLine({ grantee, text }: Token): string {
  if (grantee?.startsWith('@')) return `<${grantee}>`
  return escapeText(/\s/.test(text) ? `"${text}"` : text)
}

/** The only container of a draft; undefined for none, or several. */
export function containerOfDraft({ words }: Draft): number | undefined {
  const [id, ...others] = new Set(words.flatMap(({ text }) => readId(text) ?? []))
  return others.length === 0 ? id : undefined
}

/** Flags and roles that a word may be a slip of, as they would stand in its place. */
export function slipsOf({ text, sign }: DraftWord, settings: GrantSettings): readonly string[] {
  // A sign typed with the word wins over the sign of the words in front of it.
  const [, own = '', name = ''] = /^([-+]?)(.*)$/.exec(plain(text)) ?? []
  const isWord = (one: string) => one === 'member' || readFlags(one, settings.roles) !== undefined

  return nearestNames(name, settings)
    .filter(isWord)
    .map((one) => `${own || sign}${one}`)
}

/** The draft with a text in place of these unknown words, which together mean that text. */
export function withMeant(draft: Draft, unknown: readonly DraftWord[], text: string): Draft {
  const [first] = unknown
  const words = draft.words.flatMap((one) => {
    if (one === first) return [{ ...one, text, isUnknown: false }]
    return unknown.includes(one) ? [] : [one]
  })

  return { ...draft, words }
}
