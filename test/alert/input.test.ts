import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { linesOfLinks, parseAlertLine, parseKey } from '../../src/alert/input.ts'
import { escapeText } from '../../src/slack/text/mrkdwn.ts'
import { anyCharacter } from '../any-text.ts'

const alertUrl = 'https://monitor.example.com/alert/{ks}'
const lookUp = (ks: string, isPrivate = false) => ({
  kind: 'look-up',
  ks,
  isPrivate,
  isWatched: false,
})

describe('/alert, as typed', () => {
  it.each([
    '5HkX',
    '  5HkX  ',
    'status 5HkX',
    '`5HkX`',
    '*5HkX*',
    '‘5HkX’',
    '([5HkX]).',
    '```5HkX```',
    '<https://monitor.example.com/alert/5HkX>.',
    '(<https://monitor.example.com/alert/5HkX>)',
    '"<https://monitor.example.com/alert/5HkX>"',
    'http://monitor.example.com/alert/5HkX',
    '<http://monitor.example.com/alert/5HkX|monitor.example.com/alert/5HkX>',
    'monitor.example.com/alert/5HkX',
    'https://monitor.example.com/alert/5HkX',
    '<https://monitor.example.com/alert/5HkX>',
    'HTTPS://Monitor.Example.com/alert/5HkX#top',
    '&lt;<https://monitor.example.com/alert/5HkX>&gt;',
    '<https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fmonitor.example.com%2Falert%2F5HkX&amp;data=05%7C02>',
    '<https://www.google.com/url?sa=D&amp;q=https://monitor.example.com/alert/5HkX>',
    '(_<https://monitor.example.com/alert/5HkX|Disk is full>_).',
    'history 5HkX',
    'History of 5HkX',
    'please show 5HkX',
  ])('%s looks 5HkX up', (line) => {
    expect(parseAlertLine(line, alertUrl)).toEqual(lookUp('5HkX'))
  })

  it.each([
    '5HkX private',
    'show 5HkX private',
    '5HkX PRIVATE',
    'private 5HkX',
    '_5HkX_ *private*',
    '`5HkX private`',
    '<https://monitor.example.com/alert/5HkX>, private',
    '<https://monitor.example.com/alert/5HkX|monitor.example.com> private',
    '*<https://monitor.example.com/alert/5HkX|Disk is full>* private',
  ])('%s looks 5HkX up in private', (line) => {
    expect(parseAlertLine(line, alertUrl)).toEqual(lookUp('5HkX', true))
  })

  // Keys may be any text: a synonym alone is one, and so is all that is in quotes.
  it.each([
    ['"*5HkX*"', lookUp('*5HkX*')],
    ['<http://db1.example.com|db1.example.com>', lookUp('db1.example.com')],
    ['monitor.example.com', lookUp('monitor.example.com')],
    ['"my key"', lookUp('my key')],
    ['my key', lookUp('my key')],
    ['my key private', lookUp('my key', true)],
    ['disk <@U0123ABC|dave>', lookUp('disk @dave')],
    ['“my key” private', lookUp('my key', true)],
    ['„my key“', lookUp('my key')],
    ['“my key"', lookUp('my key')],
    ['"help"', lookUp('help')],
    ['a&amp;b&lt;c', lookUp('a&b<c')],
    ['a/b?c#d', lookUp('a/b?c#d')],
    ['<https://monitor.example.com/alert/my%20key%2F1?tab=1&amp;x=2>', lookUp('my key/1')],
    ['&lt;5HkX&gt;', lookUp('<5HkX>')],
    ['<@U0123ABC|dave>', lookUp('@dave')],
    ['<#C0123ABC|on-call>', lookUp('#on-call')],
    ['disk:<http://db1.example.com|db1.example.com>', lookUp('disk:db1.example.com')],
    ['history "my key" private', lookUp('my key', true)],
    ['history', lookUp('history')],
    ['done', lookUp('done')],
    ['resolve', lookUp('resolve')],
    ['"done" private', lookUp('done', true)],
    ['"history 5HkX"', lookUp('history 5HkX')],
    ['history disk full', lookUp('disk full')],
    ['"mute"', lookUp('mute')],
  ])('%s is a look-up', (line, expected) => {
    expect(parseAlertLine(line, alertUrl)).toEqual(expected)
  })

  it.each([
    ['resolve 5HkX', 'close 5HkX', 'close "5HkX"'],
    ['resolve 5HkX "to do: the rest"', 'close 5HkX', 'close "5HkX" "to do: the rest"'],
    ['resolve 5HkX "Restarted" solution', 'close 5HkX', 'close "5HkX" "Restarted" solution'],
    [
      'done <https://monitor.example.com/alert/5HkX>',
      'close https://monitor.example.com/alert/5HkX',
      'close "https://monitor.example.com/alert/5HkX"',
    ],
    ['please comment 5HkX looks better', 'comment 5HkX', 'comment "5HkX" "looks better"'],
    ['assign 5HkX to me', 'assign 5HkX me', 'assign "5HkX" me'],
    ['give 5HkX to <@U0123ABC|bob>', 'assign 5HkX @bob', 'assign "5HkX" @U0123ABC'],
    ['asign 5HkX me "On it"', 'assign 5HkX me', 'assign "5HkX" me "On it"'],
    ['follw 12 error', 'follow 12 error', 'follow 12 error'],
    [
      'follw 12 call <@U0123ABC|dave> from error',
      'follow 12 call @dave from error',
      'follow 12 call <@U0123ABC|dave> from error',
    ],
    [
      'folow 12 call <!subteam^S1|@oncall>',
      'follow 12 call @oncall',
      'follow 12 call <!subteam^S1|@oncall>',
    ],
  ])('%s is shown first, as %s', (line, name, meant) => {
    expect(parseAlertLine(line, alertUrl)).toMatchObject({
      kind: 'problem',
      meant: { name: `/alert ${name}`, line: meant },
    })
  })

  it.each([
    [
      'follow 12 call <@U0123ABC|dave> from error',
      { who: 'U0123ABC', name: '@dave', from: 'error' },
    ],
    ['follow 12 call <!subteam^S1|@oncall>', { who: 'S1', name: '@oncall' }],
  ])('a button’s line still says whom to call: %s', (line, call) => {
    for (const sent of [line, escapeText(line)])
      expect(parseAlertLine(sent, alertUrl)).toMatchObject({ kind: 'follow', container: 12, call })
  })

  it('a list with a slip is done at once, as it only reads', () => {
    expect(parseAlertLine('opne 12', alertUrl)).toMatchObject({ kind: 'open', container: 12 })
  })

  it.each([
    ['maintenance', ''],
    ['maintenance db-03 for 2h', 'db-03 for 2h'],
    ['maintenence of db-03 until 18:00', 'of db-03 until 18:00'],
    ['mute 5HkX', '5HkX'],
    ['silence 12 off', '12 off'],
    ['snooze "my key" for 2h', '"my key" for 2h'],
    ['please quiet db-03 for 2h', 'db-03 for 2h'],
  ])('%s is about maintenance', (line, said) => {
    expect(parseAlertLine(line, alertUrl)).toEqual({ kind: 'maintenance', line: said })
  })

  it.each([
    [' and ', 2],
    [' ', 2],
    [', ', 2],
    [' also ', 2],
    [' "and" ', 0],
    [' or maybe ', 0],
  ])('two links with %j between them are %d', (between, count) => {
    const [one, other] = ['5HkX', 'raid'].map((ks) => `<https://monitor.example.com/alert/${ks}>`)
    expect(linesOfLinks(`${one}${between}${other}`)).toHaveLength(count)
  })

  it.each([
    ['', 'form'],
    ['   ', 'form'],
    ['help', 'help'],
    ['Help', 'help'],
    ['help me', 'help'],
    ['?', 'help'],
    ['--help', 'help'],
    ['connect', 'connect'],
    ['disconnect', 'disconnect'],
    ['unwatch 5HkX', 'watches'],
  ])('%j is %s', (line, kind) => {
    expect(parseAlertLine(line, alertUrl)).toEqual({ kind })
  })

  const problemOf = (line: string) => {
    const ask = parseAlertLine(line, alertUrl)
    return ask.kind === 'problem' && ask.problem
  }

  // What cannot be seen is not left out.
  it.each([
    '.',
    '..',
    '""',
    'x'.repeat(600),
    '5Hk\u200bX',
    '\u202e5HkX',
    '5HkX\u0007',
    '5HkX\ufe0f',
    '5Hk\ufffdX',
    '5HkX\0',
  ])('%j isn’t an alert key', (line) => {
    expect(problemOf(line)).toContain('isn’t an alert key')
  })

  it.each([
    '<https://elsewhere.example.com/alert/5HkX>',
    '<https://elsewhere.example.com/?url=https://other.example.com/alert/5HkX>',
    '<https://monitor.example.com/alert/>',
    '<https://monitor.example.com/alert/%E0%A4%A>',
    '<https://monitor.example.com/alert/..>',
    '<https://monitor.example.com/alert/%2E%2E>',
  ])('%j doesn’t lead to an alert', (line) => {
    expect(problemOf(line)).toContain('doesn’t lead to an alert')
  })

  it.each([
    ['private', 'Which alert? Type /alert <key> private.'],
    ['connect token-a-b-c', 'Nothing goes after /alert connect'],
  ])('%j is refused with a sentence', (line, words) => {
    expect(problemOf(line)).toContain(words)
  })

  it.each([
    ['"He said "no" to it"', 'He said "no" to it'],
    ['"disk", then "net"', '"disk", then "net"'],
    ['“It says “full” there”', 'It says “full” there'],
    ['"a  b"', 'a  b'],
    ['👩‍🚒 done :fire:', '👩‍🚒 done :fire:'],
    ['*a* `b` &lt;c&gt; &amp; d', '*a* `b` <c> & d'],
    ['private', 'private'],
  ])('%s is a text to send as it is', (typed, message) => {
    expect(parseAlertLine(`comment 5HkX ${typed}`, alertUrl)).toMatchObject({ message })
  })

  it.each(['take', 'ack', 'assign'])('%s gives the alert to whoever types it', (word) => {
    const line = word === 'assign' ? 'assign 5HkX me "On it"' : `${word} 5HkX "On it"`
    const me = { kind: 'act', act: 'assign', which: { ks: '5HkX' }, to: 'me', message: 'On it' }
    expect(parseAlertLine(line, alertUrl)).toMatchObject(me)
  })

  it.each([
    ['open 12 critical', { kind: 'open', container: 12, least: 'critical' }],
    ['open min error 12', { kind: 'open', container: 12, least: 'error' }],
    ['follow 12 Critical', { kind: 'follow', container: 12, least: 'critical' }],
    ['open "critical"', { kind: 'open', container: 'critical' }],
  ])('%s names a severity, with “min” or without, but in quotes', (line, expected) => {
    expect(parseAlertLine(line, alertUrl, true, ['CRITICAL', 'ERROR'])).toMatchObject(expected)
  })

  it('takes a last word “solution” for one only behind a text in quotes, or alone', () => {
    const close = (text: string) => parseAlertLine(`close 5HkX ${text}`, alertUrl)
    for (const mark of ['', '"']) {
      expect(close(`${mark}It was the solution${mark}`)).toMatchObject({
        message: 'It was the solution',
        isSolution: false,
      })
    }
    expect(close('"Rotated." solution')).toMatchObject({ message: 'Rotated.', isSolution: true })
    expect(close('solution')).toMatchObject({ message: '', isSolution: true })
  })

  it('sends a text as people read it: a link with its words, a channel and a group by name, a number as written', () => {
    const text =
      'See <https://wiki.example.com/raid|the runbook>, ask <!subteam^S1|@sre> in <#C1|ops> or <tel:+31201|+31 201>'
    expect(parseAlertLine(`comment 5HkX "${text}"`, alertUrl)).toMatchObject({
      message: 'See the runbook (https://wiki.example.com/raid), ask @sre in #ops or +31 201',
    })
  })

  it('says that links are not set up when they are not', () => {
    const ask = parseAlertLine('https://monitor.example.com/alert/5HkX', undefined)

    expect(ask.kind === 'problem' && ask.problem).toContain('MONITOR_ALERT_URL')
  })

  it('finds the key in the middle of a link', () => {
    expect(
      parseAlertLine(
        'https://m.example.com/?alert=5HkX&amp;tab=2',
        'https://m.example.com/?alert={ks}',
      ),
    ).toEqual(lookUp('5HkX'))
    expect(
      parseAlertLine('https://m.example.com/a/5HkX/view', 'https://m.example.com/a/{ks}/view'),
    ).toEqual(lookUp('5HkX'))
  })

  it('repeats neither a token nor more of a line than fits a sentence', () => {
    const secret = parseAlertLine('connect my-secret-token', alertUrl)
    expect(secret.kind === 'problem' && secret.problem).not.toContain('my-secret-token')

    const long = parseAlertLine(`connct ${'x'.repeat(4000)}`, alertUrl)
    expect(long.kind === 'problem' && long.problem.length).toBeLessThan(200)
  })

  it('takes any line without failing', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: anyCharacter }),
        (line) => parseAlertLine(line, alertUrl).kind !== undefined,
      ),
    )
  })

  it('needs no quotes in the field of the modal', () => {
    expect(parseKey('my key', alertUrl)).toEqual(lookUp('my key'))
    expect(parseKey(' “my key” ', alertUrl)).toEqual(lookUp('my key'))
    expect(parseKey('a&lt;b & <c>', alertUrl)).toEqual(lookUp('a&lt;b & <c>'))
    expect(parseKey('https://monitor.example.com/alert/5HkX', alertUrl)).toEqual(lookUp('5HkX'))
  })
})
