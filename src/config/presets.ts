// How the settings that name flags are read: GRANT_PRESETS and APPROVAL_FLAGS.
import leven from 'leven'
import { z } from 'zod'
import { type Flag, flags, isFlag, type Presets } from '../grant/flags.ts'
import { Wrong } from './values.ts'

/** Words of `/grant` that a preset would hide, or that would hide it. */
const taken: ReadonlySet<string> = new Set(['help', 'presets', 'member', 'via'])

/** `{"viewer": ["READ", "API"]}`; flags in any spelling that `/grant` takes. */
export function readPresets(text: string): Presets {
  const parsed = presetsSchema.safeParse(entriesOf(text))
  if (!parsed.success) {
    throw new Wrong('must be JSON that names flags for each preset, as in {"viewer":["READ","API"]}.')
  }
  const presets = parsed.data.map(([name, words]) => ({ name: name.toLowerCase(), words }))
  const problems = presets.flatMap(({ name, words }, index) => [
    ...nameProblem(name),
    ...unknownFlags(words).map((problem) => `preset ${index + 1} of ${presets.length}, ${problem}`),
  ])
  if (new Set(presets.map(({ name }) => asFlag(name))).size < presets.length) {
    problems.push('two presets have the same name. Rename one.')
  }
  if (problems.length > 0) throw new Wrong(...problems)
  return Object.fromEntries(presets.map(({ name, words }) => [name, flagsOf(words)]))
}

/** Flags by comma, in any spelling that `/grant` takes; in the contract's order, without repeats. */
export function readFlags(text: string): readonly Flag[] {
  const words = text.split(',')
  const problems = unknownFlags(words)
  if (problems.length > 0) throw new Wrong(...problems)
  return flagsOf(words)
}

/** Entries, not an object: zod's records leave `__proto__` out without a word. */
const presetsSchema = z.array(z.tuple([z.string(), z.array(z.string()).min(1)]))

function entriesOf(text: string): unknown {
  try {
    const json: unknown = JSON.parse(text)
    return typeof json === 'object' && json !== null && !Array.isArray(json)
      ? Object.entries(json)
      : undefined
  } catch {
    return undefined
  }
}

function asFlag(word: string): string {
  return word.trim().toUpperCase().replaceAll('-', '_')
}

/** The contract's order, without repeats. */
function flagsOf(words: readonly string[]): readonly Flag[] {
  const wanted = new Set(words.map(asFlag))
  return flags.filter((flag) => wanted.has(flag))
}

function nameProblem(name: string): readonly string[] {
  if (!/^[a-z0-9][a-z0-9_-]{0,39}$/.test(name)) {
    return ['a preset has an odd name; it may have letters, digits, - and _, and up to 40 of them.']
  }
  if (taken.has(name)) return [`preset ${name}: /grant has another meaning for this word. Rename it.`]
  if (isFlag(asFlag(name))) return [`preset ${name}: this is the name of a flag. Rename it.`]
  return []
}

/** Their places, not the words: no problem repeats a value, which may be a secret put here by mistake. */
function unknownFlags(words: readonly string[]): readonly string[] {
  return words.flatMap((word, index) =>
    isFlag(asFlag(word)) ? [] : [`word ${index + 1} of ${words.length} is not a flag.${nearestFlag(word)}`],
  )
}

function nearestFlag(word: string): string {
  const ranked = flags.map((flag) => ({ flag, distance: leven(asFlag(word), flag) }))
  const [nearest] = ranked.sort((one, other) => one.distance - other.distance)
  return nearest !== undefined && nearest.distance <= 3 ? ` Did you mean ${nearest.flag}?` : ''
}
