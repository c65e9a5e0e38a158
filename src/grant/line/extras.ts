// Extras of a `/grant` line as they are typed: flags, roles, `member` and `via`; and hints for unknown words. Pure.
import leven from 'leven'
import { quote, type Word } from '../../slack/text/typed.ts'
import { type Flag, flags, inOrder, isFlag } from '../flags.ts'
import type { GrantSettings, Roles } from '../roles.ts'

/** What stands behind container and person. */
export interface Extras {
  readonly permissions: readonly Flag[]
  readonly member: boolean
  readonly authProvider: string | undefined
  readonly problems: readonly string[]
}

/** Flags, roles, `member` and `via <provider>`, in any order. */
export function readExtras(words: readonly Word[], settings: GrantSettings): Extras {
  const texts = words
    .flatMap(({ text }) => text.split(','))
    .map((text) => text.trim())
    .filter((text) => text !== '')
  const wanted = new Set<Flag>()
  const unknown: string[] = []
  const unknownProviders: (string | undefined)[] = []
  let member = false
  let authProvider: string | undefined
  for (let index = 0; index < texts.length; index += 1) {
    const text = texts[index] ?? ''
    const lower = text.toLowerCase()
    if (lower === 'member') {
      member = true
    } else if (lower === 'via') {
      index += 1
      const named = texts[index]
      authProvider = settings.authProviders.find((one) => one.toLowerCase() === named?.toLowerCase())
      if (authProvider === undefined) unknownProviders.push(named)
    } else {
      const found = readFlags(text, settings.roles)
      if (found === undefined) unknown.push(text)
      for (const flag of found ?? []) wanted.add(flag)
    }
  }
  return {
    permissions: inOrder(wanted),
    member,
    authProvider,
    problems: [
      ...unknownWords(unknown, settings),
      ...unknownProviders.map((named) => unknownProvider(named, settings)),
    ],
  }
}

/** Whether a word means something behind `/grant` by itself. */
export function isKnownWord({ text, isQuoted }: Word, { roles }: GrantSettings): boolean {
  if (isQuoted) return false
  return ['member', 'via'].includes(text.toLowerCase()) || readFlags(text, roles) !== undefined
}

function readFlags(text: string, roles: Roles): readonly Flag[] | undefined {
  // Letters that only become plain ones in capitals, such as ſ and ı, are others.
  if (!isPlain(text) && !Object.hasOwn(roles, text)) return undefined
  const flag = text.toUpperCase().replaceAll('-', '_')
  if (isFlag(flag)) return [flag]
  const name = Object.keys(roles).find((one) => plainName(one) === plainName(text))
  return name === undefined ? undefined : roles[name]
}

function isPlain(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text)
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll('-', '_')
}

/** Each with its nearest names; those without any in one sentence. */
function unknownWords(words: readonly string[], settings: GrantSettings): readonly string[] {
  const hints = words.map((word, index) => ({
    word,
    nearest: index < mostHints ? nearestNames(word, settings) : [],
  }))
  const hinted = hints
    .filter(({ nearest }) => nearest.length > 0)
    .map(({ word, nearest }) => `${quote(word)} isn’t a flag or a role. ${didYouMean(nearest)}`)
  const lost = hints.filter(({ nearest }) => nearest.length === 0).map(({ word }) => quote(word))
  if (lost.length === 0) return hinted
  const are = lost.length === 1 ? 'isn’t a flag or a role' : 'aren’t flags or roles'
  return [
    ...hinted,
    `${lost.slice(0, 5).join(', ')} ${are}. See /grant roles, or type /grant alone for every flag.`,
  ]
}

function didYouMean(names: readonly string[]): string {
  return `Did you mean ${oneOf(names)}?`
}

/** “Password, Google or Microsoft”. */
function oneOf(names: readonly string[]): string {
  return [...names.slice(0, -2), names.slice(-2).join(' or ')].join(', ')
}

/** More words than somebody mistypes: the others are named without a hint. */
const mostHints = 20
/** What is longer differs from each flag, and from each role that a line can name, by more than a third of it. */
const longestTypo = 60

/** Flags, roles and words of the line that somebody may have meant; the likeliest first. */
export function nearestNames(text: string, { roles }: GrantSettings): readonly string[] {
  return nearestOf(text, [...flags, ...Object.keys(roles), 'member', 'via'])
}

/** A word that somebody wrote alone behind `/grant`, in place of one of these; undefined when it is near none. */
export function nearestWord(text: string, words: readonly string[]): string | undefined {
  return nearestOf(text, words)[0]
}

/** Names that begin with the word, and names that differ in few letters; the nearest first, three at most. */
function nearestOf(text: string, names: readonly string[]): readonly string[] {
  if (text.length > longestTypo) return []
  const word = text.toUpperCase().replaceAll('-', '_')
  const furthest = text.length <= 3 ? 1 : Math.max(2, Math.floor(text.length / 3))
  return names
    .map((name) => {
      const begins = word.length >= 3 && name.toUpperCase().startsWith(word)
      return { name, distance: begins ? 0 : leven(word, name.toUpperCase()) }
    })
    .filter(({ distance }) => distance <= furthest)
    .sort((one, other) => one.distance - other.distance)
    .slice(0, 3)
    .map(({ name }) => name)
}

function unknownProvider(named: string | undefined, { authProviders }: GrantSettings): string {
  const choices = oneOf(authProviders)
  if (named === undefined) return `After “via”, say how the person signs in: ${choices}.`
  const nearest = nearestOf(named, authProviders)
  if (nearest.length > 0) return `${quote(named)} isn’t a sign-in provider. ${didYouMean(nearest)}`
  return `${quote(named)} isn’t a sign-in provider. Choose one of these: ${choices}.`
}
