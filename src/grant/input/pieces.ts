// Reads the pieces of a `/grant` line, in capitals or not: people, container, flags and roles. Reads pasted lists of
// addresses, too. Pure.
import { plainAddress } from '../../monitor/schema.ts'
import { containersCalled, type KnownContainer } from '../../names/containers.ts'
import { inList } from '../../slack/text/mrkdwn.ts'
import {
  hasUnseen,
  nearestTo,
  quote,
  readId,
  readWords,
  unbracketed,
  unmarked,
  type Word,
} from '../../slack/text/typed.ts'
import { mostPeople } from '../access.ts'
import { type Flag, flags, type GrantSettings, isFlag } from '../roles.ts'
import { withPlainDashes } from './until.ts'

/**
 * Finds the container that a line is about. A flag or a role isn’t taken for a container’s name.
 * @param words - All words of the line but people.
 * @returns `rest`: words that name no container.
 */
export function readContainer(
  words: readonly string[],
  known: readonly KnownContainer[],
  settings: GrantSettings,
) {
  const idsOf = (word: string) => {
    const id = readId(word)
    if (id !== undefined) return [id]

    return isTerm(word, settings) ? [] : containersCalled(word, known)
  }

  const ids = [...new Set(words.flatMap(idsOf))]
  const rest = words.filter((word) => idsOf(word).length === 0)
  const problems =
    ids.length > 1
      ? [`That’s ${ids.length} containers: ${ids.join(', ')}. Type the number of one.`]
      : []

  return {
    containerId: ids[0],
    rest,
    problems,
  }
}

const longestEmail = 254

/** An address, without the quotes, brackets and colons that may stand around it. Its domain is in any script, with a dot. */
const address = /^[^\s@<>()[\]\\,;:"\ufffd]+@[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)+$/u

export function isEmail(text: string): boolean {
  return text.length <= longestEmail && !hasUnseen(text) && address.test(text)
}

/** One word of a line, which may be a person. Raw. */
export interface Token {
  readonly text: string
  readonly isQuoted: boolean
  /** An address, or somebody of this Slack as `@U1`. */
  readonly grantee?: string | undefined
}

/** An address such as `o'hara@example.com`, of which Slack links only what is behind the apostrophe. */
const halfLinked = /(?<![^\s,;"“„«])([\p{L}\p{N}.+-]+['’])<mailto:([^<>|]+)\|\2>/gu

/** Splits a line into words, in order. @param typed - As Slack sends it: escaped. */
export function readTokens(typed: string): readonly Token[] {
  const apart = unbracketed(typed)
    .replaceAll(halfLinked, '$1$2')
    // “24.12.” is put in quotes, or its last dot would be taken for the end of a sentence.
    .replaceAll(/(?<=\s)\d{1,2}\.\d{1,2}\.(?=[\s,;]|$)/g, '"$&"')
    // A blank goes between a comma or semicolon and the link, mention or quoted text that it touches.
    .replaceAll(/([>"”»][*_~`]*)(?=[,;])/g, '$1 ')
    .replaceAll(/([,;])(?=[*_~`]*[<"“„«])/g, '$1 ')

  return readWords(apart).flatMap(tokensOf)
}

/** A line’s people, and its other words. @param typed - As Slack sends it: escaped. */
export function readPieces(typed: string) {
  const tokens = readTokens(typed)
  const grantees = tokens.flatMap(({ grantee }) => grantee ?? [])
  const words = tokens.flatMap(({ grantee, text }) => (grantee === undefined ? text : []))

  return { grantees: eachOnce(grantees), words }
}

function tokensOf({ text, mentions, isQuoted, isPartlyLinked }: Word): readonly Token[] {
  if (mentions !== undefined) return [{ text, isQuoted, grantee: `@${mentions}` }]

  const tokens = text
    .split(isQuoted ? /[\s,;]+/ : /[,;]/)
    .filter((part) => part !== '')
    .map((part): Token => {
      const word = unmarked(part)
      // If Slack links only a part of a word, the word is no address: nobody can say which part was meant.
      const grantee = isPartlyLinked && !isQuoted ? undefined : emailIn(word)

      return {
        text: word,
        isQuoted,
        grantee,
      }
    })

  // A quoted text stays one word unless all its parts are people: it may be the name of a container.
  const isList = isQuoted && tokens.some(({ grantee }) => grantee === undefined)

  return isList ? [{ text, isQuoted }] : tokens
}

/** The address that a text is; undefined if it is none. Curly apostrophes, as phones type them, become straight. */
function emailIn(text: string): string | undefined {
  const linked = /^<([^<>|]+)>$/.exec(text)?.[1] ?? text
  // Only brackets around all of the text are dropped. Brackets inside hold the address that another address links to:
  // either of them may be meant, so such a text is no address.
  const email = linked
    .replace(/^mailto:/i, '')
    .replace(/[.!?]{1,3}$/, '')
    .replaceAll(/[’‘]/g, "'")
    .replace(/^'([^']+)'$/, '$1')

  return isEmail(email) ? email : undefined
}

/** How many wrong entries a problem names: nobody mends more at once. */
const mostNamed = 10

/**
 * Reads a list of addresses, as somebody pastes it from a mail program.
 * @param text - Raw. Entries with names, such as “Doe, Jane <jane@example.com>”, end with a semicolon or the line.
 * @returns `problem`: all that is wrong with the list.
 */
export function readEmails(text: string) {
  const words = text.split(/[;\r\n]+/).flatMap(withoutNames)
  const emails = eachOnce(words.flatMap((word) => emailIn(word) ?? []))
  if (emails.length === 0)
    return { emails, problem: 'Type an email address, such as dave@example.com.' }

  const wrong = words.filter((word) => emailIn(word) === undefined).slice(0, mostNamed)
  const are = wrong.length === 1 ? 'isn’t an email address' : 'aren’t email addresses'
  const problems = wrong.length === 0 ? [] : [`${inList(wrong.map(quote))} ${are}.`]

  return { emails, problem: [...problems, ...tooMany(emails)].join(' ') || undefined }
}

/** The words of an entry, without the name that stands before an “<address>”. */
function withoutNames(entry: string): readonly string[] {
  const words = entry.split(/[\s,<>"]+/).filter((word) => word !== '')
  return /<[^<>]*@[^<>]*>/.test(entry) ? words.filter((word) => word.includes('@')) : words
}

/** All grantees, each once. Addresses that differ only in capitals are one person’s. */
function eachOnce(grantees: readonly string[]): readonly string[] {
  return [...Map.groupBy(grantees, plainAddress).values()].flatMap(([first = '']) => first)
}

export function tooMany({ length }: readonly unknown[]): readonly string[] {
  if (length <= mostPeople) return []
  return [`That’s ${length} people. You can grant access to ${mostPeople} at a time.`]
}

export function readFlags(
  text: string,
  roles: GrantSettings['roles'],
): readonly Flag[] | undefined {
  // A flag or role has no letters such as ſ and ı, which become S and I in capitals.
  if (/[^\x20-\x7e]/.test(text)) return undefined

  const name = plainName(text)
  const flag = name.toUpperCase()
  if (isFlag(flag)) return [flag]

  return Object.entries(roles).find(([role]) => plainName(role) === name)?.[1]
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll('-', '_')
}

/** True for a flag, a role, `member` or `via`, with a sign or without. */
export function isTerm(word: string, settings: GrantSettings): boolean {
  return readTerms([word], settings).unknown.length === 0
}

/**
 * Reads flags, roles, `member` and `via <provider>`, in any order. All but `via` may have a sign, `+` or `-`.
 * @param words - Raw; each may be a list with commas.
 * @returns Flags in four lists: `gives` (typed with `+`), `takes` (typed with `-`), `plain` (flags typed without a
 * sign), `roles` (the flags of roles typed without a sign). Words as typed in two lists: `signed` (words with a sign),
 * `unknown` (words that are none of these).
 */
export function readTerms(words: readonly string[], { roles, authProviders }: GrantSettings) {
  const left = words.flatMap((word) => word.split(',').map((text) => text.trim())).filter(Boolean)
  const read = {
    roles: [] as Flag[],
    plain: [] as Flag[],
    gives: [] as Flag[],
    takes: [] as Flag[],
    signed: [] as string[],
    unknown: [] as string[],
    problems: [] as string[],
  }

  let member: boolean | undefined
  let authProvider: string | undefined

  for (let typed = left.shift(); typed !== undefined; typed = left.shift()) {
    if (typed.toLowerCase() === 'via') {
      const way = left.shift()?.toLowerCase()
      authProvider = authProviders.find((one) => one.toLowerCase() === way)
      if (authProvider === undefined)
        read.problems.push(
          `After “via”, say how the person signs in: ${inList(authProviders, 'or')}.`,
        )
      continue
    }

    const withSign = withPlainDashes(typed).replace(/^not-member$/i, '-member')
    const [, sign = '', name = ''] = /^([+-]?)(.*)$/s.exec(withSign) ?? []
    const isMember = name.toLowerCase() === 'member'
    const found = isMember ? [] : readFlags(name, roles)
    if (found === undefined) {
      read.unknown.push(typed)
      continue
    }

    if (isMember) member = sign !== '-'
    if (sign !== '') read.signed.push(typed)

    const unsigned = isFlag(plainName(name).toUpperCase()) ? read.plain : read.roles
    const list = { '': unsigned, '+': read.gives, '-': read.takes }[sign]
    list?.push(...found)
  }

  return {
    ...read,
    member,
    authProvider,
  }
}

export function problemsOf(unknown: readonly string[], settings: GrantSettings): readonly string[] {
  const problems: string[] = []
  const lost: string[] = []

  for (const word of new Set(unknown)) {
    const near = nearestNames(word, settings)
    if (near.length === 0) lost.push(quote(word))
    else problems.push(`${quote(word)} isn’t a flag or a role. Did you mean ${inList(near, 'or')}?`)
  }

  const named = lost.slice(0, 5).join(', ')
  const are = lost.length === 1 ? 'isn’t' : 'aren’t'
  if (lost.length > 0)
    problems.push(
      `${named} ${are} a flag, a role, an email address or a container I’ve seen. For a person, type @ and pick the name from Slack’s list. For roles, see /grant roles.`,
    )

  return problems
}

/** Flags, roles, and words such as `via`, that begin with a text; if there are none, those that it may be a slip of. */
export function nearestNames(text: string, { roles }: GrantSettings): readonly string[] {
  // A word with an @ is a part of an address.
  if (text.includes('@')) return []

  const names = [...flags, ...Object.keys(roles), 'member', 'via', 'help', 'roles']
  const word = plainName(text)
  const begun = word.length < 3 ? [] : names.filter((name) => name.toLowerCase().startsWith(word))
  if (begun.length > 0) return begun.slice(0, 3)

  return nearestTo(word, names, word.length <= 3 ? 1 : 2)
}
