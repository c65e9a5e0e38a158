// Turns what a person writes into the `rich_text` block that Slack's clients send with it.
import { tokensOf } from '../check/mrkdwn.ts'
import type { Json } from '../model/json.ts'
import { unescaped } from './plain.ts'

export function richTextOf(source: string, blockId: string): Json {
  const elements: Json[] = []
  let from = 0
  const say = (words: string) => {
    if (words !== '') elements.push({ type: 'text', text: unescaped(words) })
  }
  // Dates and groups are for apps to write.
  const typed = tokensOf(source).filter(({ target }) => !/^!(date|subteam)/.test(target))
  for (const { kind, target, label, raw } of typed) {
    const at = source.indexOf(raw, from)
    say(source.slice(from, at))
    from = at + raw.length
    elements.push(elementOf(kind, target, label))
  }
  say(source.slice(from))
  return {
    type: 'rich_text',
    block_id: blockId,
    elements: [{ type: 'rich_text_section', elements }],
  }
}

function elementOf(kind: string, target: string, label: string | undefined): Json {
  if (kind === 'user') return { type: 'user', user_id: target.slice(1) }
  if (kind === 'channel') return { type: 'channel', channel_id: target.slice(1) }
  if (kind === 'special') return { type: 'broadcast', range: target.slice(1) }
  return {
    type: 'link',
    url: unescaped(target),
    ...(label === undefined ? {} : { text: unescaped(label) }),
  }
}
