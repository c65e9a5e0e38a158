// A card’s look: headline, state, marks, buttons, and the sentence that stands for it.
import type { KnownBlock, RichTextBlock } from '@slack/types'
import { describe, expect, it } from 'vitest'
import { readUnfurls } from '../../playground/slack/check/unfurl.ts'
import {
  type CardView,
  readMenuChoice,
  readPress,
  renderCard,
  renderUnfurl,
} from '../../src/alert/render/card.ts'
import { headlineOf } from '../../src/alert/render/state.ts'
import type { Alert } from '../../src/monitor/schema.ts'
import { settings } from './settings.ts'

const linkless = { ...settings, alertUrl: undefined }
const hour = 3_600
const opened = 1_700_000_000
const asOf = opened + 2 * hour

const once: Alert = {
  ks: 'disk-full',
  message: 'Disk /var is 96 % full',
  severity: 2,
  timestamp: opened,
  lastMessage: 'Disk /var is 96 % full',
  lastSeverity: 2,
  lastTimestamp: opened,
  ownerId: null,
  closedTimestamp: null,
  actions: [],
}
const closedAt = opened + 2 * hour - 300

function closed(kind: string, data: Record<string, unknown> | null = null): Alert {
  return { ...once, closedTimestamp: closedAt, actions: [{ kind, timestamp: closedAt, data }] }
}

function drawn(
  alert: Partial<Alert>,
  changes: Partial<CardView> = {},
  how: typeof settings | typeof linkless = settings,
) {
  const view = {
    id: 'card',
    alert: { ...once, ...alert },
    askerName: 'Alice',
    asOf,
    isPrivate: false,
    channelId: 'C1',
  }
  return renderCard(how, { ...view, ...changes })
}

/** Its lines, as mrkdwn, plain text, or rich text without its looks. */
function linesOf(blocks: readonly KnownBlock[]): readonly string[] {
  return blocks.flatMap((block) => {
    if (block.type === 'rich_text') return richWords(block.elements).split('\n')
    if (block.type !== 'context') return []
    return [block.elements.map((element) => ('text' in element ? element.text : '')).join(' ')]
  })
}

function richWords(elements: RichTextBlock['elements']): string {
  return elements
    .flatMap((block) => (block.type === 'rich_text_section' ? block.elements : []))
    .map((one) => (one.type === 'date' ? `{${one.fallback}}` : one.type === 'text' ? one.text : ''))
    .join('')
}

const linesFor = (...of: Parameters<typeof drawn>) => linesOf(drawn(...of).blocks)

const live = { names: ['Alice', 'Bob'], until: (asOf + 20 * hour) * 1000 }

describe('the headline', () => {
  it('is the message, in bold, and leads to monitoring where its link is known', () => {
    const headline = (block: KnownBlock | undefined) =>
      JSON.parse(JSON.stringify(block)).elements[0].elements.slice(0, 2)
    const mark = { type: 'text', text: '🔴 ' }
    expect(headline(drawn(once).blocks[0])).toEqual([
      mark,
      {
        type: 'link',
        url: 'https://monitor.example.com/alert/disk-full',
        text: 'Disk /var is 96 % full',
        style: { bold: true },
      },
    ])
    expect(headline(drawn({}, {}, linkless).blocks[0])).toEqual([
      mark,
      { type: 'text', text: 'Disk /var is 96 % full', style: { bold: true } },
    ])
  })

  const words = 'word '.repeat(40).trim()
  it.each([
    ['one line', 'Disk full', { headline: 'Disk full', rest: '' }],
    [
      'several lines',
      '\n Disk full \r\n on db-03\n\nnow ',
      { headline: 'Disk full', rest: 'on db-03\n\nnow' },
    ],
    ['no words', ' \n ', { headline: '(no message)', rest: '' }],
    [
      'a long line, between words',
      `${words}\nbelow`,
      { headline: `${words.slice(0, 144)} …`, rest: `… ${words.slice(145)}\nbelow` },
    ],
    [
      'a long word',
      'x'.repeat(160),
      { headline: `${'x'.repeat(148)} …`, rest: `… ${'x'.repeat(12)}` },
    ],
    [
      'a long word of pairs, never inside one',
      `x${'😀'.repeat(90)}`,
      { headline: `x${'😀'.repeat(73)} …`, rest: `… ${'😀'.repeat(17)}` },
    ],
  ])('of %s', (_, message, expected) => {
    expect(headlineOf(message)).toEqual(expected)
  })

  it('is followed by the rest of the message, as text', () => {
    const { blocks } = drawn({ lastMessage: 'Disk full\n*on* db-03' })
    expect(linesOf(blocks)[2]).toBe('*on* db-03')
  })
})

describe('a long message', () => {
  const lineOf = (at: number) => `line ${at}`
  it.each([
    ['of seven lines', Array.from({ length: 7 }, (_, at) => lineOf(at)).join('\n'), 8, false],
    ['of nine lines', Array.from({ length: 9 }, (_, at) => lineOf(at)).join('\n'), 9, true],
    ['of a thousand letters', 'x'.repeat(1_000), 4, true],
  ])('%s folds after some six lines below its headline', (_, lastMessage, count, isFolded) => {
    const lines = linesFor({ message: lastMessage, lastMessage }).slice(0, -1)
    expect(lines).toHaveLength(count)
    expect(lines.includes('The rest is in monitoring.')).toBe(isFolded)
    expect(lines.join('').length).toBeLessThan(1_000)
  })
})

describe('the state', () => {
  const since = '{2023-11-14 22:13 UTC}'

  it.each([
    [0, '🚨', 'EMERGENCY'],
    [1, '🟣', 'ALERT'],
    [2, '🔴', 'CRITICAL'],
    [3, '🟠', 'ERROR'],
    [4, '🟡', 'WARNING'],
    [5, '🔵', 'NOTICE'],
    [6, '⚪', 'INFORMATIONAL'],
    [7, '⚫', 'DEBUG'],
    [9, '🟤', 'severity 9'],
  ])('of severity %i is %s before the headline, and “%s” below it', (severity, mark, word) => {
    const [headline, state] = linesOf(
      drawn({ severity, lastSeverity: severity }, {}, linkless).blocks,
    )
    expect(headline).toBe(`${mark} Disk /var is 96 % full`)
    expect(state).toBe(`${word} · opened ${since} · unassigned`)
  })

  it('says what it was, when it was last seen, and that somebody has it', () => {
    const worse = { ...once, severity: 4, lastTimestamp: asOf - 60, ownerId: 7 }
    const [, state] = linesFor(worse)
    const seen = '{2023-11-15 00:12 UTC}'
    expect(state).toBe(`CRITICAL, was WARNING · opened ${since} · last seen ${seen} · assigned`)
  })

  it.each([
    ['by somebody', closed('Close', { userId: 7 }), 'Closed'],
    ['by itself', closed('AutoClose'), 'Closed automatically'],
    ['with another', closed('IndirectClose'), 'Closed along with another alert'],
    ['somehow', { ...closed('Close'), actions: [] }, 'Closed'],
  ])('of one that was closed %s says after how long, and what it was', (_, alert, how) => {
    const [, state] = linesFor(alert)
    expect(state).toBe(`${how} {2023-11-15 00:08 UTC}, after 1 h 55 min · was CRITICAL`)
  })

  it.each([
    [0, '0 s'],
    [59, '59 s'],
    [14 * 60 + 59, '14 min'],
    [2 * hour, '2 h'],
    [2 * hour + 14 * 60, '2 h 14 min'],
    [24 * hour + 14 * 60, '1 day'],
    [76 * hour, '3 days 4 h'],
  ])('after %i seconds is “after %s”', (seconds, words) => {
    const [, state] = linesFor({ closedTimestamp: opened + seconds })
    expect(state).toContain(`, after ${words} · was CRITICAL`)
  })

  it('says nothing about how long it took where it was closed before it was opened', () => {
    expect(linesFor({ closedTimestamp: opened - 1 })[1]).not.toContain('after')
  })

  it('of a live card has a grey line, which says who watches, how often and until when it can be trusted', () => {
    const lines = linesFor({}, { live, nextBy: asOf + 600 })
    expect(lines.slice(2)).toEqual([
      expect.stringMatching(
        /^👁️ Alice, Bob · checked <!date[^>]+>, next by <!date[^>]+> · looks every 30 s · until <!date[^>]+>$/,
      ),
      '`disk-full` · asked by Alice',
    ])
  })

  it('of a snapshot has none, and its time stands in the last line', () => {
    const lines = linesFor(once)
    expect(lines.slice(2)).toEqual([
      expect.stringMatching(/^`disk-full` · asked by Alice · <!date\^/),
    ])
  })

  it('of a live card that could not be read says so instead', () => {
    const lines = linesFor({}, { live, nextBy: asOf + 600, isOverdue: true })
    expect(lines[1]).toMatch(/^⚠️ Out of date: I haven’t been able to read this alert since \{2023/)
    expect(lines[2]).toMatch(/^CRITICAL · /)
    expect(lines.join()).not.toContain('checked')
    expect(lines.at(-2)).toMatch(/^👁️ Alice, Bob · until <!date/)
    const own = linesFor({}, { live, isOverdue: true, isPrivate: true })
    expect(own.join('\n')).toMatch(/^👁️ you · until <!date/m)
  })

  it.each([
    [['Alice'], '👁️ Alice · until'],
    [['Alice', 'Bob', 'Carol', 'Dave', 'Erin'], '👁️ Alice, Bob, Carol, 2 more · until'],
    [['*Al*', 'B_b'], '👁️ *Al*, B_b · until'],
  ])('names those who watch: %j', (names, words) => {
    expect(linesFor({}, { live: { ...live, names } }).join('\n')).toContain(words)
  })
})

describe('what stands below', () => {
  it('is the message it was opened with, where that was another', () => {
    const lines = linesFor({ message: 'Disk /var is 91 % full' })
    expect(lines[2]).toBe('“Disk /var is 91 % full” when it opened')
    expect(linesFor({ message: ' ' })[2]).toBe('No message when it opened')
  })

  it('are the words it was closed with', () => {
    const { blocks } = drawn(closed('Close', { userId: 7, message: ' Old logs removed. ' }))
    expect(linesOf(blocks)[2]).toBe('“Old logs removed.”')
  })

  it.each([
    ['disk-full', '`disk-full`'],
    ['web server 503', '`web server 503`'],
    ['a&b<c>', '`a&amp;b&lt;c&gt;`'],
    ['tick`tock', 'tick`tock'],
    ['two  spaces', 'two  spaces'],
    ['un\u200bseen', 'un\u200bseen'],
  ])('is the key %j as %j: code where code can hold it', (ks, words) => {
    const [key] = linesFor({ ks }).at(-1)?.split(' · ') ?? []
    expect(key).toBe(words)
  })
})

/** Buttons, and the entries of the menu, or what stands in its place. */
function controlsOf(blocks: readonly KnownBlock[]) {
  return blocks.flatMap((block) =>
    block.type !== 'actions'
      ? []
      : block.elements.map((element) => {
          if (element.type === 'overflow') return element.options.map(({ text }) => text.text)
          return element.type === 'button' ? element.text.text : element.type
        }),
  )
}

/** Of a card of one open alert, but for these changes. */
type Row = [
  name: string,
  changes: Partial<CardView>,
  expected: ReturnType<typeof controlsOf>,
  how?: Parameters<typeof drawn>[2],
]

describe('its buttons', () => {
  const open = 'Open in monitoring'
  const grant = 'Grant access'
  const toSomebody = 'Assign to somebody'
  const share = 'Share in channel'
  const stop = 'Stop watching'
  const rest = ['Refresh', toSomebody, 'Comment', grant, open]
  const acts = ['Assign to me', 'Close alert', 'Watch']
  const taken = ['Take over', 'Close alert', 'Watch']
  const mine = { ...once, ownerId: 7 }
  const alone = { isPrivate: true, readerId: 7 }
  it.each<Row>([
    ['open', {}, [...acts, rest]],
    ['open, without links', {}, [...acts, ['Refresh', toSomebody, 'Comment', grant]], linkless],
    ['live', { live }, [...acts, [stop, toSomebody, 'Comment', grant, open]]],
    ['private', { isPrivate: true }, [...acts, share, rest]],
    ['private, in a direct message', { isPrivate: true, channelId: undefined }, [...acts, rest]],
    [
      'private and live',
      { isPrivate: true, live },
      ['Assign to me', 'Close alert', stop, share, rest],
    ],
    [
      'private, of an alert that is the reader’s',
      { alert: mine, ...alone },
      ['Comment', 'Close alert', 'Watch', share, ['Refresh', toSomebody, grant, open]],
    ],
    [
      'private, of an alert that is somebody else’s',
      { alert: { ...once, ownerId: 8 }, ...alone },
      [...taken, share, rest],
    ],
    [
      'for everybody, of an alert that is its asker’s',
      { alert: mine, readerId: 7 },
      [...taken, rest],
    ],
    ['closed', { alert: closed('Close') }, ['Refresh', [grant, open]]],
    [
      'closed, about to be live no more',
      { alert: closed('Close'), live },
      ['Refresh', [grant, open]],
    ],
    [
      'closed and private',
      { alert: closed('Close'), isPrivate: true },
      ['Refresh', share, [grant, open]],
    ],
    [
      'closed and private, without links',
      { alert: closed('Close'), isPrivate: true },
      ['Refresh', share, grant],
      linkless,
    ],
  ])('on a card that is %s', (_, changes, expected, how = settings) => {
    expect(controlsOf(drawn({}, changes, how).blocks)).toEqual(expected)
  })

  it.each<Row>([
    ['open', {}, ['Refresh', 'Watch', [open, grant]]],
    ['open, without links', {}, ['Refresh', 'Watch', grant], linkless],
    ['live', { live }, ['Refresh', 'Watch', [open, grant, stop]]],
    ['private', { isPrivate: true }, ['Refresh', 'Watch', [open, grant, share]]],
    [
      'private, in a direct message',
      { alert: mine, ...alone, channelId: undefined },
      ['Refresh', 'Watch', [open, grant]],
    ],
    ['closed', { alert: closed('Close') }, ['Refresh', [grant, open]]],
  ])(
    'change nothing where Bellhop only reads, on a card that is %s',
    (_, changes, expected, how = settings) => {
      expect(controlsOf(drawn({}, changes, { ...how, hasAllOperations: false }).blocks)).toEqual(
        expected,
      )
    },
  )

  it('say which card was pressed and whose alert it showed, and nothing else is believed', () => {
    const { blocks } = drawn(mine)
    const row = blocks.find((block) => block.type === 'actions')
    const [first] = row?.type === 'actions' ? row.elements : []
    expect(first?.type === 'button' && first.value).toBe('card 7')
    expect(readPress('card 7')).toEqual({ id: 'card', ownerId: 7 })
    expect(readPress('card -')).toEqual({ id: 'card', ownerId: null })
    for (const odd of ['card', 'card 7 closed', 'card seven', 'card -7', ' 7']) {
      expect(readPress(odd), odd).toBeUndefined()
    }
    expect(readMenuChoice('assign-to card 7')).toEqual({
      offer: 'assign-to',
      id: 'card',
      ownerId: 7,
    })
    expect(readMenuChoice('assign-to card')).toBeUndefined()
    expect(readMenuChoice('grant card -')).toEqual({ offer: 'grant', id: 'card', ownerId: null })
  })
})

describe('the notification', () => {
  it('begins with severity and headline, and tells ages', () => {
    const worse = { ...once, severity: 4, lastTimestamp: asOf - 200, ownerId: 7 }
    expect(drawn(worse).text.split('\n')).toEqual([
      'CRITICAL, was WARNING: Disk /var is 96 % full',
      'opened 2 h ago, last seen 3 min ago, assigned',
      'Key disk-full',
    ])
    const fresh = {
      ...once,
      lastMessage: 'Disk full\non db-03',
      timestamp: asOf,
      lastTimestamp: asOf,
    }
    expect(drawn(fresh).text.split('\n')).toEqual([
      'CRITICAL: Disk full',
      'opened just now, unassigned',
      'on db-03',
      'Key disk-full',
    ])
  })

  it('of a closed alert says how, when, after how long, and with which words', () => {
    expect(drawn(closed('AutoClose', { message: 'Old logs removed' })).text.split('\n')).toEqual([
      'Closed, was CRITICAL: Disk /var is 96 % full',
      'Closed automatically 5 min ago, after 1 h 55 min',
      '“Old logs removed”',
      'Key disk-full',
    ])
  })

  it('of a card that is out of date says so', () => {
    const { text } = drawn({}, { live, isOverdue: true })
    expect(text).toMatch(
      /^CRITICAL: Disk .*\n⚠️ Out of date: I haven’t been able to read this alert since 2023/,
    )
  })

  it('says nothing of times that cannot be', () => {
    const { text } = drawn({ timestamp: 0, lastTimestamp: asOf + 60 })
    expect(text).toBe('CRITICAL: Disk /var is 96 % full\nunassigned\nKey disk-full')
  })
})

describe('a preview', () => {
  it.each([
    ['an open alert', { ...once, severity: 4, ownerId: 7 }],
    ['a closed one', closed('Close', { message: 'Old logs removed.' })],
  ])(
    'of %s is taken by Slack, and says no more than state, severity, message and age',
    (_, alert) => {
      const { text, blocks } = renderUnfurl(settings, alert)
      const preview = JSON.parse(
        JSON.stringify({ 'https://x.example': { fallback: text, blocks } }),
      )
      expect(readUnfurls(preview)).toBeInstanceOf(Map)
      expect(JSON.stringify(blocks)).not.toMatch(/assigned|removed/)
    },
  )
})
