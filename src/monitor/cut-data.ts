// Cuts what an action holds to what people can read, so that nothing that comes of it takes long. Pure.

export type Data = Readonly<Record<string, unknown>>

/** Values in one action's data, those within others too. A modal shows some hundred names of them. */
export const mostValues = 1_000
/** Levels of values within values. */
export const deepest = 20
/** Characters of one text; a modal shows 2,500. */
export const longestText = 20_000

/** Stands for what was left out; as a name, with the number of names that were. */
export const leftOut = '…'

/** What sentences are made of (alert/render/history.ts): kept, wherever among the names it stands. */
const keptNames = ['message', 'ownerId', 'userId']

/**
 * The data itself where it is no larger than that, as nearly all is. Of larger data, the names that sort first: which
 * they are does not hang on the order in which the service writes them.
 */
export function cutData(data: Data): Data {
  const seen = { values: 0 }
  return isSmall(data, 0, seen) ? data : cutObject(data, 0, { values: mostValues })
}

interface Count {
  values: number
}

/** Looks at no more values than the limit, and one. */
function isSmall(value: unknown, depth: number, seen: Count): boolean {
  if (typeof value === 'string') return value.length <= longestText
  if (typeof value !== 'object' || value === null) return true
  if (depth > deepest) return false
  const inside = Array.isArray(value) ? value : Object.keys(value)
  seen.values += inside.length
  if (seen.values > mostValues) return false
  return Object.values(value).every((one) => isSmall(one, depth + 1, seen))
}

function cutValue(value: unknown, depth: number, left: Count): unknown {
  if (typeof value === 'string') {
    return value.length <= longestText ? value : value.slice(0, longestText).toWellFormed() + leftOut
  }
  if (typeof value !== 'object' || value === null) return value
  if (depth > deepest) return leftOut
  if (!Array.isArray(value)) return cutObject(value, depth, left)
  const kept = value.slice(0, take(left, value.length)).map((one: unknown) => cutValue(one, depth + 1, left))
  return kept.length === value.length ? kept : [...kept, leftOut]
}

function cutObject(value: object, depth: number, left: Count): Data {
  const names = Object.keys(value)
  const kept = depth === 0 ? keptNames.filter((name) => Object.hasOwn(value, name)) : []
  const chosen = new Set([...kept, ...firstOf(names, take(left, names.length))])
  const entries = [...chosen].map((name) => [name, cutValue(Reflect.get(value, name), depth + 1, left)])
  const missing = names.length - chosen.size
  return Object.fromEntries(missing === 0 ? entries : [...entries, [leftOut, missing]])
}

/** As many as are left of what was wanted. */
function take(left: Count, wanted: number): number {
  const taken = Math.min(left.values, wanted)
  left.values -= taken
  return taken
}

/** The names that sort first, sorted; of many names, without sorting them all. */
function firstOf(names: readonly string[], most: number): readonly string[] {
  if (most === 0) return []
  let kept: string[] = []
  let last: string | undefined
  for (const name of names) {
    if (last !== undefined && name >= last) continue
    kept.push(name)
    if (kept.length < 2 * most) continue
    kept = kept.sort().slice(0, most)
    last = kept.at(-1)
  }
  return kept.sort().slice(0, most)
}
