// The headline of an alert: the first line of its message, and the rest, which follows as text. Pure.

/** Raw. */
export interface Headline {
  readonly headline: string
  /** Empty when the headline says it all. */
  readonly rest: string
}

const longestHeadline = 150
/** A word that is longer than this is cut in two. */
const longestWord = 40

/** Of a message without any words, the headline says so. */
export function headlineOf(message: string): Headline {
  const text = message.toWellFormed().trim()
  if (text === '') return { headline: '(no message)', rest: '' }
  const end = text.search(/[\r\n\v\f\u0085\u2028\u2029]/)
  const line = end === -1 ? text : text.slice(0, end).trimEnd()
  const below = end === -1 ? '' : text.slice(end).trim()
  if (line.length <= longestHeadline) return { headline: line, rest: below }
  const at = placeToCut(line)
  const continued = `… ${line.slice(at).trimStart()}`
  return {
    headline: `${line.slice(0, at).trimEnd()} …`,
    rest: below === '' ? continued : `${continued}\n${below}`,
  }
}

/** Between two words where there are two, and never inside a character. */
function placeToCut(line: string): number {
  const most = longestHeadline - ' …'.length
  const space = line.slice(0, most + 1).search(/\s\S*$/)
  if (space > most - longestWord) return space
  const isInside = /[\ud800-\udbff]/.test(line[most - 1] ?? '')
  return isInside ? most - 1 : most
}
