// Extras of a `/grant` line as they are typed: flags, presets, `member` and `via`; and hints for unknown words. Pure.
import leven from 'leven'
import { quote, type Word } from '../../slack/text/typed.ts'
import { type Flag, flags, isFlag, type Presets } from '../flags.ts'

/** What the operator decides about granting. */
export interface GrantSettings {
  readonly presets: Presets
  /** As the service spells them. */
  readonly authProviders: readonly string[]
}

/** What stands behind container and person. */
export interface Extras {
  readonly permissions: readonly Flag[]
  readonly member: boolean
  readonly authProvider: string | undefined
  readonly problems: readonly string[]
}

/** Flags, presets, `member` and `via <provider>`, in any order. */
export function readExtras(words: readonly Word[], settings: GrantSettings): Extras {
  const texts = words
    .flatMap(({ text }) => text.split(','))
    .map((text) => text.trim())
    .filter((text) => text !== '')
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
      authProvider = settings.authProviders.find((one) => one.toLowerCase() === named?.toLowerCase())
      if (authProvider === undefined) problems.push(unknownProvider(named, settings))
    } else {
      const found = readFlags(text, settings.presets)
      if (found === undefined) unknown.push(text)
      for (const flag of found ?? []) wanted.add(flag)
    }
  }
  return {
    permissions: inOrder(wanted),
    member,
    authProvider,
    problems: [...unknownWords(unknown, settings), ...problems],
  }
}

/** Whether a word means something behind `/grant` by itself. */
export function isKnownWord({ text, isQuoted }: Word, { presets }: GrantSettings): boolean {
  if (isQuoted) return false
  return ['member', 'via'].includes(text.toLowerCase()) || readFlags(text, presets) !== undefined
}

/** The contract's order, without repeats. */
export function inOrder(wanted: ReadonlySet<Flag>): readonly Flag[] {
  return flags.filter((flag) => wanted.has(flag))
}

function readFlags(text: string, presets: Presets): readonly Flag[] | undefined {
  // Letters that only become plain ones in capitals, such as ſ and ı, are others.
  if (!isPlain(text) && !Object.hasOwn(presets, text)) return undefined
  const flag = text.toUpperCase().replaceAll('-', '_')
  if (isFlag(flag)) return [flag]
  const name = Object.keys(presets).find((one) => plainName(one) === plainName(text))
  return name === undefined ? undefined : presets[name]
}

function isPlain(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text)
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll('-', '_')
}

/** Each with its nearest names; those without any in one sentence. */
function unknownWords(words: readonly string[], { presets }: GrantSettings): readonly string[] {
  const hints = words.map((word, index) => ({
    word,
    nearest: index < mostHints ? nearestNames(word, presets) : [],
  }))
  const hinted = hints
    .filter(({ nearest }) => nearest.length > 0)
    .map(
      ({ word, nearest }) =>
        `${quote(word)} is not a flag or a preset. Did you mean ${nearest.join(' or ')}?`,
    )
  const lost = hints.filter(({ nearest }) => nearest.length === 0).map(({ word }) => quote(word))
  if (lost.length === 0) return hinted
  const are = lost.length === 1 ? 'is not a flag or a preset' : 'are not flags or presets'
  return [
    ...hinted,
    `${lost.slice(0, 5).join(', ')} ${are}. See /grant presets, or /grant alone for every flag.`,
  ]
}

/** More words than somebody mistypes: the others are named without a hint. */
const mostHints = 20
/** What is longer differs from each flag, and from each preset that a line can name, by more than a third of it. */
const longestTypo = 60

/** Names that begin with the word, and names that differ in few letters; the nearest first. */
function nearestNames(text: string, presets: Presets): readonly string[] {
  if (text.length > longestTypo) return []
  const word = text.toUpperCase().replaceAll('-', '_')
  const furthest = text.length <= 3 ? 1 : Math.max(2, Math.floor(text.length / 3))
  return [...flags, ...Object.keys(presets), 'member', 'via']
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
  const choices = authProviders.join(', ')
  if (named === undefined) return `After “via” comes how the person signs in: ${choices}.`
  return `${quote(named)} is not a sign-in provider. There are: ${choices}.`
}
