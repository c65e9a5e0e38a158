// Pings: people whom a message would notify. Pure: no server.
import { expect, it } from 'vitest'
import { pingsOf } from '../../playground/slack/workspace/pings.ts'

const mrkdwn = (text: string, more = {}) => ({
  type: 'section',
  text: { type: 'mrkdwn', text, ...more },
})
const rich = (element: unknown) => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements: [element] }],
})

const rows: [string, string, Record<string, unknown>[], string[]][] = [
  ['nobody, for escaped text', 'a &lt;!channel&gt; b', [mrkdwn('&lt;@U1&gt;')], []],
  ['a channel, named in the top-level text', '<!channel> look', [], ['<!channel>']],
  ['everybody here, with a label', '', [mrkdwn('<!here|here>')], ['<!here>']],
  ['a person and a group', '<@U1> <!subteam^S1|@ops>', [], ['<@U1>', '<!subteam^S1>']],
  [
    'nobody, for a date, a link, a channel',
    '<!date^1^{time}|then> <https://a.example> <#C1|x>',
    [],
    [],
  ],
  [
    'those whom Slack reads out of text that is not verbatim',
    '',
    [mrkdwn('@channel @dave @nobody')],
    ['@channel', '@dave'],
  ],
  ['nobody, when it is verbatim', '', [mrkdwn('@channel @dave', { verbatim: true })], []],
  ['nobody, for a mail address', '', [mrkdwn('a@dave.example')], []],
  ['nobody, for a plain name in the top-level text', '@channel', [], []],
  ['a person in rich text', '', [rich({ type: 'user', user_id: 'U1' })], ['<@U1>']],
  ['everyone in rich text', '', [rich({ type: 'broadcast', range: 'everyone' })], ['<!everyone>']],
  [
    'nobody, for the same words as text',
    '',
    [rich({ type: 'text', text: '<!channel> @dave' })],
    [],
  ],
]

it.each(rows)('notifies %s', (_name, text, blocks, pings) => {
  expect(pingsOf(text, blocks, ['dave'])).toEqual(pings)
})

it('notifies names in the top-level text when the bot asked for that', () => {
  expect(pingsOf('@dave', [], ['dave'], true)).toEqual(['@dave'])
})
