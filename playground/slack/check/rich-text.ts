// The rich_text block and its parts. Source: docs.slack.dev/reference/block-kit/blocks/rich-text-block.
import { boolean, byType, integer, listOf, object, oneOf, pattern, type Rule, string } from './rules.ts'

const textStyle = object({
  optional: {
    bold: boolean,
    italic: boolean,
    strike: boolean,
    code: boolean,
    underline: boolean,
    highlight: boolean,
    client_highlight: boolean,
    unlink: boolean,
  },
})

const address: Rule = (value, at, report) => {
  const isAddress = typeof value === 'string' && /^(https?:\/\/|mailto:|tel:|slack:\/\/)[!-~]+$/i.test(value)
  if (!isAddress) report.fail('invalid url', at)
}

const styled = { style: textStyle }
const textElement = { required: { text: string() }, optional: styled }
const linkElement = {
  required: { url: address },
  optional: { ...styled, text: string(), unsafe: boolean },
}

const inline = byType({
  text: textElement,
  link: linkElement,
  user: { required: { user_id: pattern(/^[UW][A-Z0-9]+$/, 'invalid user id') }, optional: styled },
  usergroup: {
    required: { usergroup_id: pattern(/^S[A-Z0-9]+$/, 'invalid usergroup id') },
    optional: styled,
  },
  channel: { required: { channel_id: pattern(/^[CDG][A-Z0-9]+$/, 'invalid channel id') }, optional: styled },
  team: { required: { team_id: pattern(/^T[A-Z0-9]+$/, 'invalid team id') }, optional: styled },
  broadcast: { required: { range: oneOf(['here', 'channel', 'everyone']) }, optional: styled },
  color: { required: { value: string() }, optional: styled },
  emoji: {
    required: { name: string() },
    optional: { ...styled, unicode: string(), url: string(), skin_tone: integer({ min: 1, max: 6 }) },
  },
  date: {
    required: { timestamp: integer(), format: string() },
    optional: { ...styled, url: address, fallback: string() },
  },
})

const border = integer({ min: 0, max: 1 })
// Empty ones are refused: slack-go/slack#1412, #1446.
const section = { required: { elements: listOf(inline) } }

export const richTextElements = listOf(
  byType({
    rich_text_section: section,
    rich_text_quote: { required: { elements: listOf(inline) }, optional: { border } },
    rich_text_preformatted: {
      required: { elements: listOf(byType({ text: textElement, link: linkElement })) },
      optional: { border, language: string() },
    },
    rich_text_list: {
      required: {
        style: oneOf(['bullet', 'ordered']),
        elements: listOf(byType({ rich_text_section: section })),
      },
      optional: { indent: integer({ min: 0, max: 8 }), offset: integer({ min: 0 }), border },
    },
  }),
)
