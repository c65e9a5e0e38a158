// Which command somebody means who writes to the bot. Pure.

/** The words behind the command are as Slack sends them, escaped. */
export type Meant =
  | { readonly kind: 'alert' | 'grant'; readonly line: string }
  | { readonly kind: 'help' }
  | { readonly kind: 'unknown' }

/** Words of `/alert` that mean the same without it. */
const alone = new Set(['connect', 'disconnect', 'watches', 'style', 'doctor'])
const longestLine = 3_000

/** @param text - A message, with the mention of the bot when there is one. */
export function parseSaid(text: string, botUserId: string): Meant {
  const line = lineFor(text, botUserId).slice(0, longestLine)
  const [, first = '', rest = ''] = /^\/?(\S*)\s*([\s\S]*)$/.exec(line) ?? []
  const word = first.toLowerCase().replace(/[:,.!?]+$/, '')
  if (word === 'alert' || word === 'grant') return { kind: word, line: rest }
  if (word === 'help' || first === '?' || line === '') return { kind: 'help' }
  if (alone.has(word) && (rest === '' || word === 'style')) return { kind: 'alert', line: `${word} ${rest}` }
  return { kind: 'unknown' }
}

/** What is said to the bot: behind its mention, or before when nothing is behind, on that line alone. */
function lineFor(text: string, botUserId: string): string {
  const mention = new RegExp(`<@${botUserId}(?:\\|[^>]*)?>`)
  const line = text.split('\n').find((one) => mention.test(one)) ?? text.trim().split('\n')[0] ?? ''
  const [before = '', behind = ''] = line.split(mention).map((part) => part.replace(/^[\s:,]+|\s+$/g, ''))
  return behind === '' ? before : behind
}
