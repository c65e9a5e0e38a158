// Extras of a `/grant` line as they are typed: flags, roles, `member` and `via`; and hints for unknown words. Pure.
import { nearestTo } from '../../slack/text/nearest.ts'
import { quote } from '../../slack/text/typed.ts'
import { type Flag, flags, inOrder, isFlag } from '../flags.ts'
import type { GrantSettings, Roles } from '../roles.ts'

/** What stands behind container and person. */
export interface Extras {
  readonly permissions: readonly Flag[]
  readonly member: boolean
  readonly authProvider: string | undefined
  /** Words that are nothing of all this. */
  readonly unknown: readonly string[]
  /** With `via`: a sentence each, raw. */
  readonly problems: readonly string[]
}

/** Flags, roles, `member` and `via <provider>`, in any order. @param words - Raw; each may be a list with commas. */
export function readExtras(words: readonly string[], { roles, authProviders }: GrantSettings): Extras {
  const texts = words.flatMap((word) => word.split(',').map((text) => text.trim())).filter(Boolean)
  const wanted = new Set<Flag>()
  const unknown: string[] = []
  const problems: string[] = []
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
      authProvider = authProviders.find((one) => one.toLowerCase() === named?.toLowerCase())
      if (authProvider === undefined) problems.push(unknownProvider(named, authProviders))
    } else {
      const found = readFlags(text, roles)
      if (found === undefined) unknown.push(text)
      for (const flag of found ?? []) wanted.add(flag)
    }
  }
  return { permissions: inOrder(wanted), member, authProvider, unknown, problems }
}

function readFlags(text: string, roles: Roles): readonly Flag[] | undefined {
  // Letters that only become plain ones in capitals, such as ſ and ı, are others.
  if (!/^[\x20-\x7e]*$/.test(text)) return Object.hasOwn(roles, text) ? roles[text] : undefined
  const flag = text.toUpperCase().replaceAll('-', '_')
  if (isFlag(flag)) return [flag]
  const name = Object.keys(roles).find((one) => plainName(one) === plainName(text))
  return name === undefined ? undefined : roles[name]
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll('-', '_')
}

/** More words than somebody mistypes: the others are named without a hint. */
const mostHints = 20

interface Guess {
  readonly word: string
  /** What somebody may have meant by it. */
  readonly nearest: readonly string[] | undefined
}

export function guessed(words: readonly string[], settings: GrantSettings): readonly Guess[] {
  return words.map((word, index) => ({
    word,
    nearest: index < mostHints ? nearestNames(word, settings) : undefined,
  }))
}

/** Each with its nearest names; those without any in one sentence. */
export function unknownWords(guesses: readonly Guess[]): readonly string[] {
  const hinted = guesses.flatMap(({ word, nearest }) =>
    nearest?.length ? [`${quote(word)} isn’t a flag or a role. Did you mean ${oneOf(nearest)}?`] : [],
  )
  const lost = guesses.flatMap(({ word, nearest }) => (nearest?.length ? [] : [quote(word)]))
  if (lost.length === 0) return hinted
  const are = lost.length === 1 ? 'isn’t a flag or a role' : 'aren’t flags or roles'
  return [
    ...hinted,
    `${lost.slice(0, 5).join(', ')} ${are}. See /grant roles, or type /grant alone for every flag.`,
  ]
}

/** Flags, roles and words of the line that begin with a word, else those that somebody may have meant by it. */
function nearestNames(text: string, { roles }: GrantSettings): readonly string[] {
  const names = [...flags, ...Object.keys(roles), 'member', 'via', 'help', 'roles']
  const word = plainName(text)
  const begun = word.length < 3 ? [] : names.filter((name) => name.toLowerCase().startsWith(word))
  return begun.length > 0 ? begun.slice(0, 3) : nearestTo(word, names, word.length <= 3 ? 1 : 2)
}

/** “Password, Google or Microsoft”. */
function oneOf(names: readonly string[]): string {
  return [...names.slice(0, -2), names.slice(-2).join(' or ')].join(', ')
}

function unknownProvider(named: string | undefined, providers: readonly string[]): string {
  const choices = oneOf(providers)
  return named === undefined
    ? `After “via”, say how the person signs in: ${choices}.`
    : `${quote(named)} isn’t a sign-in provider. Choose one of these: ${choices}.`
}
