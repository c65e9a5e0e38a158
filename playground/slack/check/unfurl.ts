// Checks what chat.unfurl attaches to links: blocks, and a sentence where these can’t be shown. Stricter than Slack says of menus, which it was seen to refuse.
// Source: docs.slack.dev/reference/methods/chat.unfurl, /messaging/unfurling-links-in-messages (no rich text).

import { isRecord, type Json, parseJson } from '../model/json.ts'
import { checkBlocks, collect } from './blocks.ts'
import { limits } from './limits.ts'
import type { Refusal } from './message.ts'
import { object, type Rule, string } from './rules.ts'

/** Blocks are checked apart: what is wrong with them is another error. */
const anything: Rule = () => {}

const attachment = object({
  required: { blocks: anything },
  optional: { fallback: string({ max: limits.sectionText }) },
})

/** URL → attachment, or why Slack refuses the whole of it. */
export function readUnfurls(given: unknown): ReadonlyMap<string, Json> | Refusal {
  const unfurls = typeof given === 'string' ? parseJson(given) : given
  if (!isRecord(unfurls)) return { error: 'invalid_unfurls_format', errors: [] }
  const read = new Map<string, Json>()
  for (const [address, one] of Object.entries(unfurls)) {
    const at = `/unfurls/${address}`
    const errors = collect('unfurl', (report) => attachment(one, at, report))
    if (!isRecord(one) || errors.length > 0) return { error: 'cannot_parse_attachment', errors }
    const wrong = collect('unfurl', (report) => checkBlocks(one.blocks, `${at}/blocks`, report))
    if (wrong.length > 0) return { error: 'invalid_blocks', errors: wrong }
    read.set(address, one)
  }
  return read.size === 0 ? { error: 'missing_unfurls', errors: [] } : read
}
