// The rich_text block and those of its parts that Bellhop may use. Source: docs.slack.dev/reference/block-kit/blocks/rich-text-block.
import {
  boolean,
  byType,
  integer,
  listOf,
  object,
  oneOf,
  pattern,
  type Rule,
  string,
} from './rules.ts'

const textStyle = object({
  optional: {
    bold: boolean,
    italic: boolean,
    code: boolean,
  },
})

const address: Rule = (value, at, report) => {
  const isAddress =
    typeof value === 'string' && /^(https?:\/\/|mailto:|tel:|slack:\/\/)[!-~]+$/i.test(value)
  if (!isAddress) report.fail('invalid url', at)
}

const styled = { style: textStyle }
const textElement = { required: { text: string() }, optional: styled }
const linkElement = { required: { url: address }, optional: { ...styled, text: string() } }

const inline = byType({
  text: textElement,
  link: linkElement,
  user: { required: { user_id: pattern(/^[UW][A-Z0-9]+$/, 'invalid user id') }, optional: styled },
  usergroup: {
    required: { usergroup_id: pattern(/^S[A-Z0-9]+$/, 'invalid usergroup id') },
    optional: styled,
  },
  channel: {
    required: { channel_id: pattern(/^[CDG][A-Z0-9]+$/, 'invalid channel id') },
    optional: styled,
  },
  broadcast: { required: { range: oneOf(['here', 'channel', 'everyone']) }, optional: styled },
  date: {
    required: { timestamp: integer(), format: string() },
    optional: { ...styled, url: address, fallback: string() },
  },
})

// Empty ones are refused: slack-go/slack#1412, #1446.
const section = { required: { elements: listOf(inline) } }

export const richTextElements = listOf(
  byType({
    rich_text_section: section,
    rich_text_quote: section,
    rich_text_preformatted: {
      required: { elements: listOf(byType({ text: textElement, link: linkElement })) },
    },
    rich_text_list: {
      required: {
        style: oneOf(['bullet', 'ordered']),
        elements: listOf(byType({ rich_text_section: section })),
      },
    },
  }),
)
