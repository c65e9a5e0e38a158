// The size of all blocks of a message together, and the fullest of several ways to show something that fits. Pure.
import type { KnownBlock } from '@slack/types'
import { limits } from '../text/limits.ts'

/** Of a name or value: its quotes, and a colon or comma. */
const punctuation = 3

/**
 * Characters of blocks as they are sent: every name and value, without the backslashes of JSON.
 *
 * More than Slack counts, which it does not say: texts, and something for each block and element. It refused messages
 * from some 13,200 on (slackapi/bolt-js#2509), and one of rich text whose texts alone were 11,341 (#2867).
 */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length + punctuation
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + sizeOf(item), punctuation)
  if (typeof value !== 'object' || value === null) return String(value).length + 1
  return Object.entries(value).reduce(
    (sum, [name, item]) => (item === undefined ? sum : sum + name.length + punctuation + sizeOf(item)),
    punctuation,
  )
}

/** True when Slack takes these blocks in one message. */
export function fits(blocks: readonly KnownBlock[]): boolean {
  return blocks.length <= limits.messageBlocks && sizeOf(blocks) <= limits.messageSize
}

/** The first that fits into a message, of ways to show the same, the fullest first; the last when none does. */
export function fullest(ways: readonly (() => KnownBlock[])[]): KnownBlock[] {
  for (const way of ways) {
    const blocks = way()
    if (fits(blocks)) return blocks
  }
  return ways.at(-1)?.() ?? []
}
