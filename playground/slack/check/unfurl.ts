// Checks what chat.unfurl attaches to links: blocks, and a sentence where these can’t be shown. Stricter than Slack says of menus, which it was seen to refuse.
// Source: docs.slack.dev/reference/methods/chat.unfurl, /messaging/unfurling-links-in-messages (no rich text).

import { isRecord, type Json, parsed } from '../model/json.ts'
import { checkBlocks, collect } from './blocks.ts'
import { limits } from './limits.ts'
import { Refused } from './refused.ts'
import { object, type Rule, string } from './rules.ts'

/** Blocks are checked apart: what is wrong with them is another error. */
const anything: Rule = () => {}

const attachment = object({
  required: { blocks: anything },
  optional: { fallback: string({ max: limits.sectionText }) },
})

/** URL → attachment. @throws Refused for the whole of it. */
export function readUnfurls(given: unknown): ReadonlyMap<string, Json> {
  const unfurls = parsed(given)
  if (!isRecord(unfurls)) throw new Refused('invalid_unfurls_format')
  const read = new Map<string, Json>()
  for (const [address, one] of Object.entries(unfurls)) {
    const at = `/unfurls/${address}`
    const errors = collect('unfurl', (report) => attachment(one, at, report))
    if (!isRecord(one) || errors.length > 0) throw new Refused('cannot_parse_attachment', errors)
    const wrong = collect('unfurl', (report) => checkBlocks(one.blocks, `${at}/blocks`, report))
    if (wrong.length > 0) throw new Refused('invalid_blocks', wrong)
    read.set(address, one)
  }
  if (read.size === 0) throw new Refused('missing_unfurls')
  return read
}
