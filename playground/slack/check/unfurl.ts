// Checks what chat.unfurl attaches to links. Stricter than Slack says of menus, which it was seen to refuse.
// Source: docs.slack.dev/reference/methods/chat.unfurl, /messaging/unfurling-links-in-messages (no rich text).
import { limits } from '../../../src/slack/text/limits.ts'
import { isRecord, type Json, parseJson } from '../model/json.ts'
import { checkBlocks, collect } from './blocks.ts'
import { plainText } from './composition.ts'
import type { Refusal } from './message.ts'
import { boolean, listOf, object, oneOf, type Rule, string, url } from './rules.ts'

const words = string({ max: limits.sectionText })
const link = url(limits.buttonUrl)

const field = object({ required: { title: string({ min: 0 }), value: words }, optional: { short: boolean } })

/** Shown in the message composer alone. */
const preview = object({
  optional: { title: plainText(limits.headerText), subtitle: plainText(limits.headerText), icon_url: link },
})

/** Blocks are checked apart: what is wrong with them is another error. */
const anything: Rule = () => {}

const attachment = object({
  optional: {
    ...{ fallback: words, color: string(), pretext: words, text: words, fields: listOf(field) },
    ...{ author_name: words, author_link: link, author_icon: link, title: words, title_link: link },
    ...{ footer: words, footer_icon: link, image_url: link, thumb_url: link, ts: string() },
    mrkdwn_in: listOf(oneOf(['pretext', 'text', 'fields'])),
    blocks: anything,
    preview,
  },
  also: (value, at, report) => {
    if (Object.keys(value).every((name) => name === 'preview')) report.fail('must hold something to show', at)
  },
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
    if (one.blocks !== undefined) {
      const wrong = collect('unfurl', (report) => checkBlocks(one.blocks, `${at}/blocks`, report))
      if (wrong.length > 0) return { error: 'invalid_blocks', errors: wrong }
    }
    read.set(address, one)
  }
  return read.size === 0 ? { error: 'missing_unfurls', errors: [] } : read
}
