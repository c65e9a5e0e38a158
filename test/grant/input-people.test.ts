// People as they are typed, and as mail programs paste them.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseGrant } from '../../src/grant/input/line.ts'
import { readEmails } from '../../src/grant/input/pieces.ts'
import { defaultRoles } from '../../src/grant/roles.ts'
import { escapeText } from '../../src/slack/text/mrkdwn.ts'

const settings = { roles: defaultRoles, authProviders: ['Password', 'Google', 'Microsoft'] }

/** The people of a line, as Slack sends it; or what is wrong with it. */
function people(line: string): readonly string[] {
  const ask = parseGrant(line, settings)
  if (ask.kind === 'problems') return ask.problems
  if (ask.kind !== 'grant') return [ask.kind]
  return ask.grantees
}

const link = (email: string) => `<mailto:${email}|${email}>`

describe('several people in a line', () => {
  it.each([
    ['12 a@x.com,b@x.com viewer', 'commas'],
    ['a@x.com,b@x.com 12 viewer', 'the container behind them'],
    ['12 a@x.com viewer b@x.com', 'flags among them'],
    ['12 a@x.com,b@x.com,viewer', 'one list of everything'],
    ['12 a@x.com viewer via Google, b@x.com', 'a provider among them'],
    ['12 "a@x.com, b@x.com" viewer', 'quotes'],
    ['12 a@x.com,b@x.com,A@x.com,b@X.COM viewer', 'repeats, in other capitals too'],
    [`12 ${link('a@x.com')},${link('b@x.com')} viewer`, 'links of Slack, by comma'],
    [`12 ${link('a@x.com')} ${link('b@x.com')} viewer`, 'links of Slack, by space'],
    ['12 mailto:a@x.com,mailto:b@x.com viewer', 'copied links'],
    [`12 &lt;${link('a@x.com')}&gt; &lt;${link('b@x.com')}&gt; viewer`, 'links in angle brackets'],
    [`12 "${link('a@x.com')}, ${link('b@x.com')}" viewer`, 'links in quotes'],
    [`viewer ${link('a@x.com')} ${link('b@x.com')} 12`, 'the container last'],
  ])('are understood: %j, %s', (line) => {
    expect(people(line)).toEqual(['a@x.com', 'b@x.com'])
  })

  it('are understood with mentions among them', () => {
    const line = '12 &lt;a@x.com&gt;, <@U0123ABC|bo>,<@U0456DEF>; b@x.com <@U0123ABC|bo> viewer'

    expect(people(line)).toEqual(['a@x.com', '@U0123ABC', '@U0456DEF', 'b@x.com'])
  })

  it.each([
    ['12 o’hara@x.com viewer', "o'hara@x.com"],
    // Slack links only what is behind the apostrophe.
    [`12 o'${link('hara@x.com')} viewer`, "o'hara@x.com"],
    [`viewer o’${link('hara@x.com')}, 12`, "o'hara@x.com"],
    ['12 <mailto:dave@x.com|Dave@X.com> viewer', 'Dave@X.com'],
    [`12 *${link('a@x.com')}* viewer`, 'a@x.com'],
    [`12 (\`${link('a@x.com')}\`), viewer`, 'a@x.com'],
    ['12 "a@x.com." viewer', 'a@x.com'],
    ['12 dave@köln.example viewer', 'dave@köln.example'],
    [`12 ${link('Dave@X.com')} viewer`, 'Dave@X.com'],
  ])('keep every sign of their addresses: %j', (line, email) => {
    expect(people(line)).toEqual([email])
  })

  it.each([
    `12/${link('a@x.com')} viewer`,
    `12 dave:${link('a@x.com')} viewer`,
    `12 o'<mailto:hara@x.com|harald@x.com> viewer`,
    `12 ${link('a@x.com')}${link('b@x.com')} viewer`,
    '12 <mailto:eve@evil.com|dave@x.com> viewer',
    '12 dave@exmple viewer',
    '12 dave@x_y.com viewer',
    '12 "<mailto:eve@evil.com|dave@x.com>" viewer',
    '12 "a@x.com, <mailto:eve@evil.com|dave@x.com>" viewer',
  ])('are refused where nobody can say which address is meant: %j', (line) => {
    const ask = parseGrant(line, settings)

    expect(ask.kind).toBe('problems')
    expect(ask.kind === 'problems' && ask.problems.join()).not.toMatch(/<mailto|&[lg]t;/)
  })

  it('are refused where one address is typed as the link of another', () => {
    expect(parseGrant('12 &lt;mailto:eve@evil.com|dave@x.com&gt; viewer', settings).kind).toBe(
      'problems',
    )
  })

  it.each([['viewer <@U0123ABC> 12'], ['12 viewer <@U0123ABC|bo>']])(
    'may be mentioned: %j',
    (line) => {
      expect(people(line)).toEqual(['@U0123ABC'])
    },
  )

  it('may be twenty, and not more', () => {
    const many = Array.from({ length: 21 }, (_, index) => `p${index}@x.com`)

    expect(people(`12 ${many.slice(1).join(' ')} viewer`)).toEqual(many.slice(1))
    expect(people(`12 ${many.slice(1).join(' ')} P1@x.com viewer`)).toEqual(many.slice(1))
    expect(people(`12 ${many.join(' ')} viewer`)).toEqual([
      'That’s 21 people. You can grant access to 20 at a time.',
    ])
  })

  it.each([
    ['12 a@x.com,b@,eve@ viewer', [expect.stringMatching('“b@”, “eve@” aren’t a flag')]],
    ['12 a@x.com b@@x.com viewer', [expect.stringMatching('“b@@x.com” isn’t a flag')]],
    [
      '0 a@x.com,bob@ raed',
      [
        '“raed” isn’t a flag or a role. Did you mean READ?',
        expect.stringMatching('“0”, “bob@” aren’t a flag'),
      ],
    ],
  ])('are all that is wrong with %j', (line, problems) => {
    expect(people(line)).toEqual(problems)
  })
})

describe('the addresses in the form', () => {
  it.each([
    ['a@x.com\r\n\r\nb@x.com\n'],
    ['Admin <a@x.com>, "Beck, Bo" <b@x.com>'],
    ['Arbor, Ann <a@x.com>\nBeck, Bo <b@x.com>'],
    ['a@x.com\nA@X.com\nb@x.com'],
  ])('are read from %j', (text) => {
    expect(readEmails(text)).toEqual({ emails: ['a@x.com', 'b@x.com'], problem: undefined })
  })

  it.each([
    ['dave', 'Type an email address, such as dave@example.com.'],
    [',', 'Type an email address, such as dave@example.com.'],
    ['a@x.com\nbob\n@eve', '“bob” and “@eve” aren’t email addresses.'],
    ['a@x.com\n<@U0123ABC|bo>', '“@U0123ABC|bo” isn’t an email address.'],
    ['<@U0123ABC>', 'Type an email address, such as dave@example.com.'],
    ['Ann\nBo <b@x.com>', '“Ann” isn’t an email address.'],
    [
      `${Array.from({ length: 12 }, (_, index) => `n${index}`).join('\n')}\na@x.com`,
      '“n0”, “n1”, “n2”, “n3”, “n4”, “n5”, “n6”, “n7”, “n8” and “n9” aren’t email addresses.',
    ],
    [
      `bob\n${Array.from({ length: 21 }, (_, index) => `p${index}@x.com`).join('\n')}`,
      '“bob” isn’t an email address. That’s 21 people. You can grant access to 20 at a time.',
    ],
  ])('are wrong in %j', (text, problem) => {
    expect(readEmails(text)).toMatchObject({ problem })
  })
})

describe('any list of addresses', () => {
  const addresses = fc.uniqueArray(fc.integer({ min: 1, max: 99 }), { minLength: 1, maxLength: 20 })
  const between = fc.constantFrom(',', ', ', ';', '; ', ' ', '\n', ' ;\n', ',\n')
  const written = fc.constantFrom(
    (email: string) => email,
    (email: string) => `<${email}>`,
    (email: string) => `Ann van Arbor <${email}>`,
    (email: string) => `"Arbor, Ann" <${email}>`,
  )

  it('is read in the form, whatever stands between and around them, and in a line without names', () => {
    fc.assert(
      fc.property(addresses, between, written, (numbers, comma, write) => {
        const emails = numbers.map((number) => `p${number}@x.com`)
        const text = emails.map(write).join(comma)

        expect(readEmails(text)).toEqual({ emails, problem: undefined })
        expect(people(escapeText(`12 ${emails.join(comma)} viewer`))).toEqual(emails)
      }),
    )
  })
})
