// Finds the command that somebody means who writes to the bot. Pure.

/** The words behind the command are as Slack sends them, escaped. */
export type Meant =
  | { readonly kind: 'alert' | 'grant'; readonly line: string }
  | { readonly kind: 'help' }
  | { readonly kind: 'unknown' }

/**
 * @param text - A message, with the mention of the bot when there is one.
 * @param alertWords - Words of `/alert` that mean the same without it.
 */
export function parseMention(text: string, botUserId: string, alertWords: ReadonlySet<string>): Meant {
  const line = lineFor(text, botUserId)
  const [, first = '', rest = ''] = /^\/?(\S*)\s*([\s\S]*)$/.exec(line) ?? []
  const word = withoutEnd(first.toLowerCase(), ':,.!?')
  if (word === 'alert' || word === 'grant') return { kind: word, line: rest }
  if (word === 'help' || first === '?' || line === '') return { kind: 'help' }
  if (alertWords.has(word)) return { kind: 'alert', line: `${word} ${rest}` }
  return { kind: 'unknown' }
}

/**
 * What is said to the bot: behind its mention, or before when nothing is behind, on that line alone. Who quotes
 * somebody says nothing.
 */
function lineFor(text: string, botUserId: string): string {
  const mention = new RegExp(`<@${botUserId}(?:\\|[^<>]*)?>`)
  const lines = text.split('\n').filter((line) => !/^\s*&gt;/.test(line) && line.trim() !== '')
  const line = lines.find((one) => mention.test(one)) ?? lines[0] ?? ''
  const [before = '', behind = ''] = line.split(mention).map((part) => part.replace(/^[\s:,]+/, '').trimEnd())
  return behind === '' ? before : behind
}

/** @param signs - One character each. */
function withoutEnd(text: string, signs: string): string {
  let length = text.length
  while (length > 0 && signs.includes(text[length - 1] ?? '')) length -= 1
  return text.slice(0, length)
}
