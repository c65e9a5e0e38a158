// Words and keys that are near to one that was typed, the nearest first: for “Did you mean …?”. Pure.
import leven from 'leven'

/** What is longer is no typing mistake, and takes time to compare. */
const longestTypo = 100
const mostOffered = 2

/**
 * Those of `known` that differ from the word in few letters, capitals apart, or begin with it.
 * @param known - Without repeats; the first of several that are equally near counts for more.
 */
export function nearestTo(word: string, known: readonly string[]): readonly string[] {
  if (word.length > longestTypo) return []
  const typed = word.toLowerCase()
  return known
    .filter((name) => name !== word && name.length <= longestTypo)
    .map((name) => ({ name, distance: distanceOf(typed, name.toLowerCase()) }))
    .filter(({ distance }) => distance <= furthestFor(typed))
    .toSorted((one, other) => one.distance - other.distance)
    .slice(0, mostOffered)
    .map(({ name }) => name)
}

function distanceOf(typed: string, name: string): number {
  if (typed.length >= 3 && name.startsWith(typed)) return typed === name ? 0 : 1
  return isSwapped(typed, name) ? 1 : leven(typed, name)
}

/** Of two words that are equal but for two letters beside each other: the commonest mistake, which counts as one. */
function isSwapped(typed: string, name: string): boolean {
  if (typed.length !== name.length) return false
  let at = 0
  while (at < typed.length && typed[at] === name[at]) at += 1
  const swapped = `${typed[at + 1]}${typed[at]}`
  return swapped === name.slice(at, at + 2) && typed.slice(at + 2) === name.slice(at + 2)
}

function furthestFor({ length }: string): number {
  return length <= 5 ? 1 : Math.max(2, Math.floor(length / 4))
}
