// Flags and roles as people type them, in any case, with `-` or `_`; and what they may have meant. Pure.
import { nearestTo, quote } from '../slack/text/typed.ts'
import { type Flag, flags, type GrantSettings, isFlag } from './roles.ts'

export function readFlags(text: string, roles: GrantSettings['roles']): readonly Flag[] | undefined {
  // Letters that only become plain ones in capitals, such as ſ and ı, are others.
  if (/[^\x20-\x7e]/.test(text)) return undefined
  const flag = text.toUpperCase().replaceAll('-', '_')
  if (isFlag(flag)) return [flag]
  const name = Object.keys(roles).find((one) => plainName(one) === plainName(text))
  return name === undefined ? undefined : roles[name]
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll('-', '_')
}

/** “Password, Google or Microsoft”. */
export const oneOf = new Intl.ListFormat('en-GB', { type: 'disjunction' })

/** @returns `mayName`: an unknown word may be the name of a container. */
export function problemsOf(unknown: readonly string[], settings: GrantSettings) {
  const { near = [], lost = [] } = Object.groupBy(new Set(unknown), (word) =>
    nearestNames(word, settings).length > 0 ? 'near' : 'lost',
  )
  const problems = near.map((word) => didYouMean(word, nearestNames(word, settings)))
  if (lost.length > 0) problems.push(nothingKnown(lost))
  return { problems, mayName: lost.length > 0 }
}

function didYouMean(word: string, names: readonly string[]): string {
  return `${quote(word)} isn’t a flag or a role. Did you mean ${oneOf.format(names)}?`
}

function nothingKnown(words: readonly string[]): string {
  const are = words.length === 1 ? 'isn’t' : 'aren’t'
  const named = words.slice(0, 5).map(quote).join(', ')
  return `${named} ${are} a flag, a role, an email address or a container I’ve seen. For a person, type @ and pick the name from Slack’s list. For roles, see /grant roles.`
}

/** Flags, roles and words of the line that begin with a word, else those that somebody may have meant by it. */
function nearestNames(text: string, { roles }: GrantSettings): readonly string[] {
  const names = [...flags, ...Object.keys(roles), 'member', 'via', 'help', 'roles']
  const word = plainName(text)
  const begun = word.length < 3 ? [] : names.filter((name) => name.toLowerCase().startsWith(word))
  return begun.length > 0 ? begun.slice(0, 3) : nearestTo(word, names, word.length <= 3 ? 1 : 2)
}
