import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultPresets, flags } from '../../src/grant/flags.ts'
import { commandLine, isSameWish, parseGrant } from '../../src/grant/line/line.ts'
import type { Grantee } from '../../src/grant/line/people.ts'

const settings = { presets: defaultPresets, authProviders: ['Password', 'Google', 'Microsoft'] }
const dave = { kind: 'email', email: 'dave@example.com' } as const
const viewer = ['READ', 'API', 'REPORTING_VIEW', 'VIEW_LOG']

function emailsOf(ask: { readonly grantees: readonly Grantee[] }): readonly string[] {
  return ask.grantees.map((grantee) => (grantee.kind === 'email' ? grantee.email : `@${grantee.userId}`))
}

const parse = (line: string) => parseGrant(line, settings)

describe('/grant, as typed', () => {
  it.each([
    ['12 dave@example.com viewer', 'a preset'],
    ['12 <mailto:dave@example.com|dave@example.com> viewer', 'an address as Slack escapes it'],
    ['12 dave@example.com VIEWER', 'capitals'],
    ['12 dave@example.com read api reporting-view view_log', 'flags in any spelling'],
    ['12 dave@example.com read,API, Reporting_View,view-log', 'commas and spaces'],
    ['  12   dave@example.com   viewer,READ  ', 'a flag twice'],
  ])('understands %j: %s', (line) => {
    const ask = parse(line)

    expect(ask).toMatchObject({
      ...{ kind: 'grant', grantees: [dave], request: { containerId: 12, member: false } },
    })
    expect(ask.kind === 'grant' && [...ask.request.permissions].sort()).toEqual([...viewer].sort())
  })

  it('understands member and via, wherever they stand', () => {
    expect(parse('12 dave@example.com member via google READ')).toMatchObject({
      kind: 'grant',
      request: { containerId: 12, authProvider: 'Google', member: true, permissions: ['READ'] },
    })
  })

  it('understands a person picked from Slack’s list', () => {
    expect(parse('12 <@U0123ABC|dave> viewer')).toMatchObject({
      kind: 'grant',
      grantees: [{ kind: 'person', userId: 'U0123ABC' }],
    })
  })

  it.each([
    ['', { container: '', grantees: [], permissions: [] }],
    ['12', { container: '12', grantees: [] }],
    ['12 dave@example.com', { container: '12', grantees: [dave] }],
    [
      'dave@example.com viewer',
      { container: '', grantees: [dave], permissions: ['READ', 'API', 'REPORTING_VIEW', 'VIEW_LOG'] },
    ],
    ['12 dave@example.com member via Google', { member: true, authProvider: 'Google' }],
  ])('opens the form for %j, filled in', (line, prefill) => {
    expect(parse(line)).toMatchObject({ kind: 'form', prefill })
  })

  it('reports every problem at once', () => {
    const ask = parse('twelve dave raed via Gogle')

    expect(ask.kind === 'problems' && ask.problems).toEqual([
      '“twelve” is not a container, which is a number.',
      '“dave” is not an email address.',
      '“raed” is not a flag or a preset. Did you mean READ?',
      '“Gogle” is not a sign-in provider. There are: Password, Google, Microsoft.',
      'The order is: container, person, flags, as in /grant 12 dave@example.com viewer.',
    ])
  })

  it.each([
    ['12 @dave viewer', 'Slack does not say who “@dave” is.'],
    ['12 dave@example.com,erin viewer', '“erin” is not an email address.'],
  ])('does not explain the order of %j, which is right', (line, problem) => {
    const ask = parse(line)

    expect(ask.kind === 'problems' && ask.problems).toEqual([expect.stringContaining(problem)])
  })

  it.each([
    ['12 dave@example.com vewer', 'Did you mean viewer'],
    ['12 dave@example.com CONTAINER_ACESS', 'Did you mean CONTAINER_ACCESS'],
    ['12 dave@example.com rule', 'Did you mean RULE_EMAIL or RULE_MANAGEMENT or RULE_PHONE'],
    [
      '12 dave@example.com everything please now',
      '“everything”, “please”, “now” are not flags or presets. See',
    ],
    ['12 dave@example.com and READ', '“and” is not a flag or a preset. See'],
    ['12 @dave viewer', 'Pick the name from Slack'],
    ['0 dave@example.com viewer', '“0” is not a container'],
    ['-1 dave@example.com viewer', '“-1” is not a container'],
    ['9007199254740991 dave@example.com viewer', '“9007199254740991” is too large: a container’s number has'],
    ['12.5 dave@example.com viewer', '“12.5” is not a container'],
    ['1e3 dave@example.com viewer', '“1e3” is not a container'],
    ['12 dave@example.com READ via', 'After “via” comes'],
    ['12 dave@example.com RЕAD', 'is not a flag'],
  ])('says what is wrong with %j', (line, words) => {
    const ask = parse(line)

    expect(ask.kind === 'problems' && ask.problems.join()).toContain(words)
  })

  it('says nothing of the order when only the container’s number is too large', () => {
    const ask = parse('9007199254740991 dave@example.com viewer')

    expect(ask.kind === 'problems' && ask.problems).toHaveLength(1)
  })

  it('repeats no more of a word than fits a sentence', () => {
    const ask = parse(`12 dave@example.com ${'x'.repeat(3500)}`)

    expect(ask.kind === 'problems' && ask.problems.join().length).toBeLessThan(250)
  })

  it.each([
    ['dave@example.com 12 viewer', 'container and person swapped'],
    ['12 dave@example.com, viewer', 'a comma after the address'],
    ['12 dave@example.com "viewer","READ"', 'quotes'],
    ['12 dave@example.com "READ, API"', 'a quoted list'],
  ])('understands %j: %s', (line) => {
    expect(parse(line)).toMatchObject({ kind: 'grant', grantees: [dave], request: { containerId: 12 } })
  })

  it('writes a line that asks for the same, whatever is asked', () => {
    const odd = { presets: defaultPresets, authProviders: ['Password', 'Azure AD'] }
    fc.assert(
      fc.property(
        fc.record({
          containerId: fc.integer({ min: 1, max: 999_999 }),
          emails: fc.uniqueArray(
            fc.integer({ min: 1, max: 99 }).map((number) => `p${number}@example.com`),
            { minLength: 1, maxLength: 20 },
          ),
          authProvider: fc.constantFrom(undefined, ...odd.authProviders),
          member: fc.boolean(),
          permissions: fc.subarray([...flags], { minLength: 1 }),
        }),
        (wish) => {
          const line = commandLine(wish, odd) ?? ''
          const ask = parseGrant(line.replace('/grant ', ''), odd)
          expect(ask.kind === 'grant' && isSameWish({ ...ask.request, emails: emailsOf(ask) }, wish)).toBe(
            true,
          )
        },
      ),
    )
  })

  it('writes no line for a wish without flags, which a line cannot say', () => {
    const nothing = {
      containerId: 12,
      emails: ['d@x'],
      authProvider: undefined,
      member: true,
      permissions: [],
    }

    expect(commandLine(nothing, settings)).toBeUndefined()
  })

  it.each([
    '/grant 12 dave@example.com viewer member via Google',
    '/grant 12 dave@example.com,erin@example.com viewer',
  ])('writes the line that asks for the same: %s', (line) => {
    const ask = parse(line.replace('/grant ', ''))

    expect(ask.kind === 'grant' && commandLine({ ...ask.request, emails: emailsOf(ask) }, settings)).toBe(
      line,
    )
  })
})
