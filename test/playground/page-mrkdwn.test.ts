// mrkdwn taken apart for the page: hostile text stays text, and no link does anything but lead away.
import { describe, expect, test } from 'vitest'
import { safeAddress } from '../../playground/page/blocks/text/address.ts'
import { type Piece, readMrkdwn } from '../../playground/page/blocks/text/mrkdwn-tree.ts'

const text = (words: string): Piece => ({ is: 'text', text: words })

describe('addresses', () => {
  test.each([
    'https://example.com/?a=1&b=2',
    'http://127.0.0.1:1',
    'mailto:dave@example.com',
    'tel:112',
  ])('%s leads somewhere', (url) => {
    expect(safeAddress(url)).toBe(url)
  })

  test.each([
    'javascript:alert(1)',
    'java\tscript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'file:///etc/passwd',
    '//example.com',
    '/act',
    '',
  ])('%j does not', (url) => {
    expect(safeAddress(url)).toBeUndefined()
  })
})

describe('mrkdwn', () => {
  test.each<[string, readonly Piece[]]>([
    ['a &lt;b&gt; &amp;amp; c', [text('a <b> &amp; c')]],
    ['*bold*', [{ is: 'bold', pieces: [text('bold')] }]],
    ['`&lt;key&gt; *x*`', [{ is: 'code', text: '<key> *x*' }]],
    ['a*b*c', [text('a*b*c')]],
    ['```\nif (a &lt; b)\n```\ntwo', [{ is: 'preformatted', text: 'if (a < b)' }, text('two')]],
    [
      '<!date^1^{date}|Feb 18>',
      [{ is: 'date', timestamp: 1, format: '{date}', url: undefined, fallback: 'Feb 18' }],
    ],
    ['&gt; one\n&gt; two', [{ is: 'quote', pieces: [text('one\n'), text('two')] }]],
    [
      '<https://a.example/?x=1&amp;y=2|see *it*>',
      [
        {
          is: 'link',
          url: 'https://a.example/?x=1&y=2',
          pieces: [text('see '), { is: 'bold', pieces: [text('it')] }],
        },
      ],
    ],
    [
      '<mailto:dave@example.com>',
      [{ is: 'link', url: 'mailto:dave@example.com', pieces: [text('dave@example.com')] }],
    ],
    ['<javascript:alert(1)|click>', [text('<javascript:alert(1)|click>')]],
    ['<@U1>', [{ is: 'user', id: 'U1', label: undefined }]],
    ['<#C1|shop>', [{ is: 'channel', id: 'C1', label: 'shop' }]],
    ['<!here>', [{ is: 'broadcast', range: 'here' }]],
    [':tada: 12:30:45', [text(':tada:'), text(' 12'), text(':30:'), text('45')]],
    ['<', [text('<')]],
    ['<b onclick=alert(1)>', [text('<b onclick=alert(1)>')]],
    ['', []],
  ])('%j', (source, pieces) => {
    expect(readMrkdwn(source)).toEqual(pieces)
  })

  test.each(['&gt;a\n', '*a ` ` ', '<', '_*~', '```', '&gt;', ':a'])(
    '%j, over and over',
    (part) => {
      expect(() => readMrkdwn(part.repeat(12_000 / part.length))).not.toThrow()
    },
  )
})
