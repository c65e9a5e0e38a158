import type { KnownBlock } from '@slack/types'
import { describe, expect, it } from 'vitest'
import { withoutLinks } from '../../src/slack/outbound/readably.ts'
import { linkTo, webAddress } from '../../src/slack/text/mrkdwn.ts'

const url = 'https://m.example/a'
const plain = (text: string) => ({ type: 'plain_text' as const, text })
const button = (label: string, more: object = {}) => ({
  type: 'button' as const,
  action_id: label,
  text: plain(label),
  ...more,
})
const option = (label: string, more: object = {}) => ({ text: plain(label), value: label, ...more })
const mrkdwn = (text: string) => ({ type: 'mrkdwn' as const, text })
/** What nobody can press, in words. */
const leadsTo = (label: string): KnownBlock => ({
  type: 'context',
  elements: [{ ...plain(`${label}: open ${url} in your browser.`), emoji: false }],
})
const section = (text: string): KnownBlock => ({ type: 'section', text: mrkdwn(text) })

describe('blocks without their links', () => {
  const rows: readonly (readonly [string, readonly KnownBlock[], readonly KnownBlock[]])[] = [
    [
      'keep the buttons that ask the bot, and say below them where the others lead',
      [{ type: 'actions', elements: [button('Connect', { url }), button('Refresh')] }],
      [{ type: 'actions', elements: [button('Refresh')] }, leadsTo('Connect')],
    ],
    [
      'say where a button leads that stands alone',
      [{ type: 'actions', elements: [button('Connect', { url })] }],
      [leadsTo('Connect')],
    ],
    [
      'say where a button beside text leads',
      [{ type: 'section', text: mrkdwn('Disk'), accessory: button('Connect', { url }) }],
      [section('Disk'), leadsTo('Connect')],
    ],
    [
      'lose a menu of nothing but links',
      [
        {
          type: 'actions',
          elements: [{ type: 'overflow', action_id: 'more', options: [option('Open', { url })] }],
        },
      ],
      [],
    ],
    [
      'keep what else a menu offers',
      [
        {
          type: 'actions',
          elements: [
            {
              type: 'overflow',
              action_id: 'more',
              options: [option('Open', { url }), option('A'), option('B')],
            },
          ],
        },
      ],
      [
        {
          type: 'actions',
          elements: [{ type: 'overflow', action_id: 'more', options: [option('A'), option('B')] }],
        },
      ],
    ],
    [
      'have a button for what is left of a menu',
      [
        {
          type: 'actions',
          elements: [
            { type: 'overflow', action_id: 'more', options: [option('Open', { url }), option('A')] },
          ],
        },
      ],
      [{ type: 'actions', elements: [{ ...button('more'), text: plain('A'), value: 'A' }] }],
    ],
    [
      'keep the words of links, mentions and dates',
      [section(`<${url}|Disk> of <@U1> <!date^1^{time}|then> at <${url}>`)],
      [section(`Disk of <@U1> <!date^1^{time}|then> at ${url}`)],
    ],
    [
      'keep the words of links in lists',
      [
        {
          type: 'rich_text',
          elements: [
            {
              type: 'rich_text_list',
              style: 'bullet',
              elements: [{ type: 'rich_text_section', elements: [{ type: 'link', url, text: 'Disk' }] }],
            },
          ],
        },
      ],
      [
        {
          type: 'rich_text',
          elements: [
            {
              type: 'rich_text_list',
              style: 'bullet',
              elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'Disk' }] }],
            },
          ],
        },
      ],
    ],
  ]
  it.each(rows)('%s', (_name, blocks, bare) => {
    expect(withoutLinks(blocks)).toEqual(bare)
  })

  it('are the same when there are none', () => {
    const blocks = [
      section('Disk'),
      { type: 'divider' as const },
      { type: 'actions' as const, elements: [button('A')] },
    ]
    expect(withoutLinks(blocks)).toEqual(blocks)
  })
})

describe('a web address', () => {
  it.each([
    ['https://m.example/a?b=1&c=2#d', 'https://m.example/a?b=1&c=2#d'],
    ['https://überwachung.example/störung', 'https://xn--berwachung-8db.example/st%C3%B6rung'],
    ['http://monitor:3000/a b|c>d', 'http://monitor:3000/a%20b%7Cc%3Ed'],
    ['javascript:alert(1)', undefined],
    ['monitor', undefined],
    [`https://m.example/${'x'.repeat(3_000)}`, undefined],
  ])('of %s', (text, address) => {
    expect(webAddress(text)).toBe(address)
  })

  it('has words that cannot end its link', () => {
    expect(linkTo('https://m.example/?a=1&b=2', 'x|y > z')).toBe(
      '<https://m.example/?a=1&amp;b=2|x¦y &gt; z>',
    )
  })
})
