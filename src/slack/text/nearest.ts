// Names that somebody may have meant who mistyped one. Pure.
import leven from 'leven'

/** What is longer is no typing mistake, and takes time to compare. */
const longestTypo = 100

/**
 * Those of `known` that differ from the word in a letter or two, capitals apart; the nearest first, two at most.
 * @param known - Without repeats; the first of several that are equally near counts for more.
 * @param furthest - In letters.
 */
export function nearestTo(
  word: string,
  known: readonly string[],
  furthest = word.length <= 5 ? 1 : 2,
): readonly string[] {
  if (word.length > longestTypo) return []
  const typed = word.toLowerCase()
  return known
    .filter((name) => name !== word && name.length <= longestTypo)
    .map((name) => ({ name, distance: leven(typed, name.toLowerCase()) }))
    .filter(({ distance }) => distance <= furthest)
    .toSorted((one, other) => one.distance - other.distance)
    .slice(0, 2)
    .map(({ name }) => name)
}
