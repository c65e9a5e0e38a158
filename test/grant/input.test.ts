import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Access, writesOf } from '../../src/grant/access.ts'
import { commandLine, parseGrant } from '../../src/grant/input/line.ts'
import { defaultRoles, flags, handlesAlerts } from '../../src/grant/roles.ts'
import { fingerprintOf } from '../../src/send/outcome.ts'
import { viewer } from './dave.ts'

const settings = { roles: defaultRoles, authProviders: ['Password', 'Google', 'Microsoft'] }
const dave = 'dave@example.com'

const parse = (line: string) => parseGrant(line, settings)

describe('/grant, as typed', () => {
  it.each([
    ['12 dave@example.com viewer', 'a role'],
    ['12 <mailto:dave@example.com|dave@example.com> viewer', 'an address as Slack escapes it'],
    ['12 dave@example.com VIEWER', 'capitals'],
    ['12 dave@example.com read api reporting-view view_log', 'flags in any spelling'],
    ['12 dave@example.com read,API, Reporting_View,view-log', 'commas and spaces'],
    ['  12   dave@example.com   viewer,READ  ', 'a flag twice'],
    ['dave@example.com 12 viewer', 'container and person swapped'],
    ['12 dave@example.com, viewer', 'a comma after the address'],
    ['12 dave@example.com "viewer","READ"', 'quotes'],
    ['`12 dave@example.com viewer`', 'code font, as help shows it'],
    [
      '12 *<mailto:dave@example.com|dave@example.com>*,*DAVE@example.com* `viewer`,`READ`',
      'marks in lists',
    ],
    ['12. *dave@example.com* _viewer_.', 'marks and full stops'],
  ])('understands %j: %s', (line) => {
    const ask = parse(line)

    expect(ask).toMatchObject({
      kind: 'grant',
      grantees: [dave],
      terms: { containerId: 12, member: false },
    })
    expect(ask.kind === 'grant' && [...ask.terms.permissions].sort()).toEqual([...viewer].sort())
  })

  it('understands member and via, wherever they stand', () => {
    expect(parse('12 dave@example.com member via google READ')).toMatchObject({
      kind: 'grant',
      terms: { containerId: 12, authProvider: 'Google', member: true, permissions: ['READ'] },
    })
  })

  it.each([
    ['responder', true],
    ['READ,alert-assign', true],
    ['viewer', false],
  ])('makes a member of whoever is to handle alerts, as the form does: %s', (words, member) => {
    expect(parse(`12 dave@example.com ${words}`)).toMatchObject({ terms: { member } })
  })

  it.each(['who 12', 'change 12 dave@example.com viewer', 'remove dave@example.com from 12'])(
    'says what to do instead where the service has no operation for it: %s',
    (line) => {
      const ask = parse(line)
      expect(ask).toMatchObject({ kind: 'problems' })
      expect(ask.kind === 'problems' && ask.problems).toEqual([
        'I can only give access here. To see or take away what somebody has, open the container in monitoring.',
      ])
    },
  )

  it.each([
    ['', { containerId: undefined, grantees: [], permissions: [] }],
    ['12', { containerId: 12, grantees: [] }],
    ['viewer 12', { containerId: 12, grantees: [] }],
    ['12 dave@example.com', { containerId: 12, grantees: [dave] }],
    [
      'dave@example.com viewer',
      {
        containerId: undefined,
        grantees: [dave],
        permissions: ['READ', 'API', 'REPORTING_VIEW', 'VIEW_LOG'],
      },
    ],
    ['12 dave@example.com member via Google', { member: true, authProvider: 'Google' }],
  ])('opens the form for %j, filled in', (line, prefill) => {
    expect(parse(line)).toMatchObject({ kind: 'form', prefill })
  })

  it('reports every problem at once', () => {
    const ask = parse('12.5 dave raed via Gogle')

    expect(ask.kind === 'problems' && ask.problems).toEqual([
      '“raed” isn’t a flag or a role. Did you mean READ?',
      '“12.5”, “dave” aren’t a flag, a role, an email address or a container I’ve seen. For a person, type @ and pick the name from Slack’s list. For roles, see /grant roles.',
      'After “via”, say how the person signs in: Password, Google or Microsoft.',
    ])
  })

  it.each([
    ['12 <!subteam^S1|@sre> viewer', '“@sre” isn’t a flag'],
    ['12 <!subteam^S1> viewer', '“@group” isn’t a flag'],
    ['12 <#C1> viewer', '“#channel” isn’t a flag'],
    ['12 <!here> viewer', '“@here” isn’t a flag'],
    ['12 dave@example.com,erin@ viewer', '“erin@” isn’t a flag, a role, an email address'],
  ])('says that nobody is meant in %j', (line, problem) => {
    const ask = parse(line)

    expect(ask.kind === 'problems' && ask.problems).toEqual([expect.stringContaining(problem)])
  })

  it.each([
    ['12 dave@example.com vewer', 'Did you mean viewer'],
    ['12 dave@example.com CONTAINER_ACESS', 'Did you mean CONTAINER_ACCESS'],
    ['12 dave@example.com rule', 'Did you mean RULE_EMAIL, RULE_MANAGEMENT or RULE_PHONE'],
    [
      '12 dave@example.com everything please now',
      '“everything”, “please”, “now” aren’t a flag, a role',
    ],
    ['12 dave@example.com and READ', '“and” isn’t a flag, a role'],
    ['12 @dave viewer', 'pick the name from Slack’s list'],
    ['0 dave@example.com viewer', '“0” isn’t a flag, a role, an email address or a container'],
    ['-1 dave@example.com viewer', '“-1” isn’t a flag, a role, an email address or a container'],
    [
      '9007199254740991 dave@example.com viewer',
      '“9007199254740991” isn’t a flag, a role, an email address or a container',
    ],
    ['1e3 dave@example.com viewer', '“1e3” isn’t a flag, a role, an email address or a container'],
    ['12 dave@example.com READ via', 'After “via”, say how the person signs in'],
    ['12 dave@example.com RЕAD', 'isn’t a flag'],
    ['12 dave@example.com ap\u0131', 'isn’t a flag'],
    ['12 dave@example.com WEBHOO\u212as', 'isn’t a flag'],
    ['12 dave@example.com ＲＥＡＤ', 'isn’t a flag'],
    ['12 dave@example.com RE\u200bAD', 'isn’t a flag'],
    ['12 dave\u200b@example.com READ', 'dave[U+200B]@example.com'],
    ['12 \u202edave@example.com READ', '[U+202E]dave@example.com'],
    ['12 dave\u3164@example.com READ', 'dave[U+3164]@example.com'],
    ['12 dave＠example.com READ', 'dave＠example.com'],
    ['12 dave\ufffd@example.com READ', 'dave\ufffd@example.com'],
    ['12 34 dave@example.com viewer', 'That’s 2 containers: 12, 34. Type the number of one.'],
    ['34 bob viewer', '“bob” isn’t a flag, a role, an email address'],
    ['34 viewr', '“viewr” isn’t a flag or a role. Did you mean viewer?'],
    ['hlep', '“hlep” isn’t a flag or a role. Did you mean help?'],
  ])('says what is wrong with %j', (line, words) => {
    const ask = parse(line)

    expect(ask.kind === 'problems' && ask.problems.join()).toContain(words)
  })

  it('repeats no more of a word than fits a sentence', () => {
    const ask = parse(`12 dave@example.com ${'x'.repeat(3500)}`)

    expect(ask.kind === 'problems' && ask.problems.join().length).toBeLessThan(250)
  })

  it('never repeats a token that was typed for a person', () => {
    const ask = parse('12 stray-token-51d0c3 READ')

    expect(ask.kind === 'problems' && ask.problems.join()).toMatch(/^“stra…” isn’t a flag/)
  })

  it('writes a line that asks for the same, whatever is asked', () => {
    const odd = {
      roles: defaultRoles,
      authProviders: ['Password', 'Azure AD'],
      hasAllOperations: true,
    }
    fc.assert(
      fc.property(
        fc.record({
          containerId: fc.integer({ min: 1, max: 999_999 }),
          kind: fc.constant('add-user' as const),
          people: fc.uniqueArray(
            fc.integer({ min: 1, max: 99 }).map((number) => ({ email: `p${number}@example.com` })),
            { minLength: 1, maxLength: 20, selector: ({ email }) => email },
          ),
          authProvider: fc.constantFrom(undefined, ...odd.authProviders),
          member: fc.boolean(),
          permissions: fc.subarray([...flags], { minLength: 1 }),
          ends: fc.constantFrom(
            undefined,
            { forMs: 1_800_000 },
            { forMs: 14_400_000 },
            { forMs: 604_800_000 },
          ),
        }),
        (wish) => {
          const line = commandLine(wish, odd)
          // The form alone lets somebody handle alerts who is no member.
          const isUnsaid = handlesAlerts(wish.permissions) && !wish.member
          expect(line === undefined).toBe(isUnsaid)
          if (line === undefined) return
          const ask = parseGrant(line.replace('/grant ', ''), odd)
          const fingerprint = (access: Access) => fingerprintOf(writesOf(access))
          const people = ask.kind === 'grant' ? ask.grantees.map((email) => ({ email })) : []
          // What is typed for a time is no moment yet.
          const ends =
            ask.kind === 'grant' && ask.ends && 'forMs' in ask.ends ? ask.ends : undefined
          const asked = ask.kind === 'grant' && fingerprint({ ...ask.terms, people, ends })
          expect(asked).toBe(fingerprint(wish))
        },
      ),
    )
  })

  it('writes no line for a wish without flags, which a line cannot say', () => {
    const nothing = {
      ...({ kind: 'add-user', containerId: 12 } as const),
      people: [{ email: 'd@x' }],
      authProvider: undefined,
      member: true,
      permissions: [],
    }

    expect(commandLine(nothing, settings)).toBeUndefined()
  })
})
