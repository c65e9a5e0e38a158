// Faults of blocks and views, in Slack's words. Pure: no server. What Slack takes, the gallery shows, and each story.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { blockErrors } from '../../playground/slack/check/blocks.ts'
import { escapedLength } from '../../playground/slack/check/rules.ts'
import { viewErrors } from '../../playground/slack/check/view.ts'
import { modal, section } from './pieces.ts'

const plain = (text: string) => ({ type: 'plain_text', text })
const button = (more = {}) => ({ type: 'button', text: plain('Go'), action_id: 'go', ...more })
const actions = (...elements: unknown[]) => ({ type: 'actions', elements })
const option = (text: string) => ({ text: plain(text), value: text })
const options = (count: number) => Array.from({ length: count }, (_, index) => option(`o${index}`))

describe('blocks that Slack refuses', () => {
  const rows: [string, unknown[], string][] = [
    [
      'empty text',
      [section('')],
      'must be more than 0 characters [json-pointer:/blocks/0/text/text]',
    ],
    [
      'a header too long once escaped',
      [{ type: 'header', text: plain('&'.repeat(31)) }],
      'must be less than 151 characters [json-pointer:/blocks/0/text/text]',
    ],
    [
      'too many blocks',
      Array.from({ length: 51 }, () => section('x')),
      'no more than 50 items allowed [json-pointer:/blocks]',
    ],
    [
      'a block of no kind',
      [{ type: 'sektion' }],
      'unsupported type: sektion [json-pointer:/blocks/0/type]',
    ],
    [
      'a menu of one entry',
      [actions({ type: 'overflow', action_id: 'o', options: options(1) })],
      'no fewer than 2 items allowed [json-pointer:/blocks/0/elements/0/options]',
    ],
    [
      'an address that is not ASCII',
      [actions(button({ url: 'https://überwachung.example/alert/5HkX' }))],
      'invalid url [json-pointer:/blocks/0/elements/0/url]',
    ],
    [
      'the same action twice',
      [actions(button(), button())],
      '`action_id` must be unique within a block [json-pointer:/blocks/0/elements/1/action_id]',
    ],
    [
      'a menu without options',
      [actions({ type: 'static_select' })],
      'missing required field: options [json-pointer:/blocks/0/elements/0]',
    ],
    [
      'a token of no kind',
      [section('<foo>')],
      'must be escaped or a known token: <foo> [json-pointer:/blocks/0/text/text]',
    ],
    [
      'a response_url_enabled menu in a message',
      [actions({ type: 'conversations_select', response_url_enabled: true })],
      '`response_url_enabled` is only allowed in modal input blocks [json-pointer:/blocks/0/elements/0/response_url_enabled]',
    ],
  ]
  it.each(rows)('%s', (_name, blocks, complaint) => {
    expect(blockErrors(blocks)).toContain(complaint)
  })
})

describe('views', () => {
  const picker = {
    type: 'conversations_select',
    action_id: 'c',
    response_url_enabled: true,
    default_to_current_conversation: true,
  }
  const input = { type: 'input', label: plain('Post to'), element: picker }

  const rows: [string, unknown, string][] = [
    [
      'a long title',
      { ...modal(), title: plain('x'.repeat(25)) },
      'must be less than 25 characters [json-pointer:/view/title/text]',
    ],
    [
      'inputs without submit',
      { ...modal(), submit: undefined },
      'must define `submit` to use `input` block [json-pointer:/view/blocks/0/input]',
    ],
    [
      'an initial value longer than its limit',
      {
        ...modal(),
        blocks: [
          { ...input, element: { type: 'plain_text_input', max_length: 2, initial_value: 'abc' } },
        ],
      },
      'must be less than 3 characters [json-pointer:/view/blocks/0/element/initial_value]',
    ],
  ]
  it.each(rows)('refuses %s', (_name, view, complaint) => {
    expect(viewErrors(view, 'modal')).toContain(complaint)
  })
})

it('counts a text as long as it is once escaped', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
      return escapedLength(text) === escaped.length
    }),
  )
})

it('survives whatever is sent as blocks', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      blockErrors(value)
      viewErrors(value, 'modal')
    }),
  )
})
