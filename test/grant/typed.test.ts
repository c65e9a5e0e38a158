// Lines of `/grant` as people type them: what is understood, and what is asked before anything is sent.
import { describe, expect, it } from 'vitest'
import type { GrantAsk } from '../../src/grant/input/line.ts'
import { timesMeant } from '../../src/grant/input/times.ts'
import { roleOf } from '../../src/grant/roles.ts'
import { understand } from '../../src/grant/understand.ts'
import type { House } from '../../src/house.ts'
import { openTyping, typist } from './typing-house.ts'

/** “change 12 dave@example.com +BILLING until 2026-12-04 00:00”. */
function inWords(house: House, ask: GrantAsk): string {
  switch (ask.kind) {
    case 'grant':
    case 'invite':
    case 'change':
    case 'remove': {
      const { terms } = ask
      const { containerId, permissions, takes = [], member } = terms
      const role = roleOf(permissions, house.config.roles)
      const isRole =
        role !== undefined && (takes.length === 0 || takes.length + permissions.length > 20)
      const flags = isRole
        ? [role]
        : [...permissions.map((one) => `+${one}`), ...takes.map((one) => `-${one}`)]
      const ends = 'ends' in ask && ask.ends
      const forMs = ends && 'forMs' in ends ? `for ${ends.forMs / 60_000}m` : ''
      const until = ends && 'until' in ends ? `until ${ends.until}` : ''
      const isSaid = member === true && ask.kind === 'change' && permissions.length === 0
      const words = [ask.kind, containerId, ask.grantees.join(','), ...flags, isSaid && 'member']
      return [...words, forMs, until].filter(Boolean).join(' ')
    }
    case 'who': {
      const { containerId, grantee, flags = [] } = ask
      return ['who', containerId, grantee, ...flags].filter(Boolean).join(' ')
    }
    case 'due':
      return ['due', ask.containerId, ask.grantees?.join(',')].filter(Boolean).join(' ')
    case 'form': {
      const { containerId, grantees, permissions } = ask.prefill
      return ['form', containerId, grantees.join(','), ...permissions].filter(Boolean).join(' ')
    }
    default:
      return ask.kind
  }
}

/** What comes of a line: whether it’s in the exact form, or asked about; several meanings; or why it can’t be read. */
async function outcome(house: House, line: string): Promise<string> {
  const found = await understand(house, typist, line)
  if (found.kind === 'choice') return found.choices.map(({ label }) => label).join(' | ')
  if (found.kind === 'unclear') return `✗ ${found.problems.join(' ')}`
  return `${found.notes.length > 0 ? '?' : '='} ${inWords(house, found.ask)}`
}

const d = 'dave@example.com'

const lines: readonly (readonly [line: string, expected: unknown])[] = [
  // The exact form is sent, or read, as it is.
  [`12 ${d} viewer`, `= grant 12 ${d} viewer`],
  [`12 ${d} viewer for 4h`, `= grant 12 ${d} viewer for 240m`],
  [`${d} READ,API 12 until 18:00`, `= grant 12 ${d} +READ +API until 18:00`],
  [`12 ${d}`, `= form 12 ${d}`],
  [`change 12 ${d} +BILLING,-WEBHOOKS`, `= change 12 ${d} +BILLING -WEBHOOKS`],
  [`remove 12 ${d}`, `= remove 12 ${d}`],
  ['who 12', '= who 12'],
  ['due', '= due'],
  // How long.
  ...(
    [
      ['for 4 hours', 'for 240m'],
      ['for 4hrs', 'for 240m'],
      ['for 4 hrs', 'for 240m'],
      ['for a day', 'for 1440m'],
      ['for 2 weeks', 'for 20160m'],
      ['for 1h30m', 'for 90m'],
      ['for half an hour', 'for 30m'],
      ['for 90 minutes', 'for 90m'],
      ['for three days', 'for 4320m'],
      ['voor 4 uur', 'for 240m'],
      ['for 4 uur', 'for 240m'],
      ['voor een dag', 'for 1440m'],
      ['für 4 Stunden', 'for 240m'],
      ['fuer 2 Wochen', 'for 20160m'],
      ['for "4 hours"', 'for 240m'],
      // Until when.
      ['until tomorrow', 'until 2026-12-02 00:00'],
      ['until friday', 'until 2026-12-04 00:00'],
      ['until tuesday', 'until 2026-12-08 00:00'],
      ['until next friday', 'until 2026-12-11 00:00'],
      ['untill friday', 'until 2026-12-04 00:00'],
      ['till friday', 'until 2026-12-04 00:00'],
      ['until 6pm', 'until 2026-12-01 18:00'],
      ['until 6 pm', 'until 2026-12-01 18:00'],
      ['until 18.00', 'until 2026-12-01 18:00'],
      ['until 18h', 'until 2026-12-01 18:00'],
      ['until 18u', 'until 2026-12-01 18:00'],
      ['until 18', 'until 2026-12-01 18:00'],
      ['until 9h30', 'until 2026-12-02 09:30'],
      ['until 24.12.', 'until 2026-12-24 00:00'],
      ['until 18.12.', 'until 2026-12-18 00:00'],
      ['until 24.12.2026', 'until 2026-12-24 00:00'],
      ['until 24-12-2026', 'until 2026-12-24 00:00'],
      ['until 24.12. 18h', 'until 2026-12-24 18:00'],
      ['until 3.2.', 'until 2027-02-03 00:00'],
      ['until 12/24/2026', 'until 2026-12-24 00:00'],
      ['until 24/12', 'until 2026-12-24 00:00'],
      ['until Monday 9am', 'until 2026-12-07 09:00'],
      ['until tomorrow at 9am', 'until 2026-12-02 09:00'],
      ['until friday 18h', 'until 2026-12-04 18:00'],
      ['until EOD', 'until 2026-12-02 00:00'],
      ['until end of day', 'until 2026-12-02 00:00'],
      ['until noon', 'until 2026-12-02 12:00'],
      ['until midnight', 'until 2026-12-02 00:00'],
      ['until 2026-12-24T18:00', 'until 2026-12-24 18:00'],
      ['until 6pm EST', 'until 2026-12-02 00:00'],
      ['until 6am EST', 'until 2026-12-02 12:00'],
      ['until friday 18:00 UTC', 'until 2026-12-04 19:00'],
      ['until 2026-12-24T18:00Z', 'until 2026-12-24 19:00'],
      ['until morgen', 'until 2026-12-02 00:00'],
      ['tot morgen 18:00', 'until 2026-12-02 18:00'],
      ['until morgen 18:00', 'until 2026-12-02 18:00'],
      ['tot vrijdag', 'until 2026-12-04 00:00'],
      ['bis Freitag', 'until 2026-12-04 00:00'],
      ['bis übermorgen', 'until 2026-12-03 00:00'],
      ['bis morgen um 9 Uhr', 'until 2026-12-02 09:00'],
      ['bis 24. Dezember', 'until 2026-12-24 00:00'],
    ] as const
  ).map(([time, ends]) => [`12 ${d} viewer ${time}`, `? grant 12 ${d} viewer ${ends}`] as const),
  // What has two readings isn’t guessed.
  [`12 ${d} viewer until 6`, 'until 2026-12-01 18:00 | until 2026-12-02 06:00'],
  [`12 ${d} viewer until tomorrow at 6`, 'until 2026-12-02 06:00 | until 2026-12-02 18:00'],
  [`12 ${d} viewer until 01/02`, 'until 2027-01-02 00:00 | until 2027-02-01 00:00'],
  [`12 ${d} viewer until 18.12`, 'until 2026-12-01 18:12 | until 2026-12-18 00:00'],
  // The container may stand behind the time.
  [`${d} viewer until tomorrow 12`, `? grant 12 ${d} viewer until 2026-12-02 00:00`],
  [`${d} viewer until friday on 12`, `? grant 12 ${d} viewer until 2026-12-04 00:00`],
  [`${d} viewer for 2 weeks 12`, `? grant 12 ${d} viewer for 20160m`],
  // Words that carry nothing.
  [`give ${d} viewer on 12`, `? grant 12 ${d} viewer`],
  [`add ${d} to 12 as viewer`, `? grant 12 ${d} viewer`],
  [`please give ${d} access to 12 with READ and API`, `? grant 12 ${d} +READ +API`],
  [`viewer for ${d} in 12`, `? grant 12 ${d} viewer`],
  [`viewer for ${d} on container 12 until friday`, `? grant 12 ${d} viewer until 2026-12-04 00:00`],
  ['12 <@U2|dave> viewer please', '? grant 12 @U2 viewer'],
  // A container’s name.
  [`give ${d} viewer on Shop in the Mall`, `? grant 34 ${d} viewer`],
  [`"Shop in the Mall" ${d} viewer`, `= grant 34 ${d} viewer`],
  [
    `${d} viewer "in"`,
    '✗ “in” isn’t a flag, a role, an email address or a container I’ve seen. For a person, type @ and pick the name from Slack’s list. For roles, see /grant roles.',
  ],
  [`give ${d} viewer on Mallorca`, `? grant 35 ${d} viewer`],
  // Synonyms.
  ['who has access to 12', '? who 12'],
  ['who is on 12', '? who 12'],
  ['who has WEBHOOKS on 12', '? who 12 WEBHOOKS'],
  ['list 12', '? who 12'],
  ['show 12', '? who 12'],
  ['members of 12', '? who 12'],
  ['whoo 12', '? who 12'],
  [`revoke ${d} from 12`, `? remove 12 ${d}`],
  [`take back ${d} from 12`, `? remove 12 ${d}`],
  [`kick ${d} from 12`, `? remove 12 ${d}`],
  [`delete 12 ${d}`, `? remove 12 ${d}`],
  [`remove BILLING from ${d} on 12`, `? change 12 ${d} -BILLING`],
  [`change ${d} to viewer on 12`, `? change 12 ${d} viewer`],
  [`chnage 12 ${d} +READ`, `? change 12 ${d} +READ`],
  [`12 ${d} +READ`, `? change 12 ${d} +READ`],
  [`change 12 ${d} add BILLING`, `? change 12 ${d} +BILLING`],
  [`change 12 ${d} add BILLING without WEBHOOKS`, `? change 12 ${d} +BILLING -WEBHOOKS`],
  [`set ${d} to viewer on 12 until friday`, `? change 12 ${d} viewer until 2026-12-04 00:00`],
  ['pending', '? due'],
  ['deu', '? due'],
  ['show expiring', '? due'],
  [`extend ${d}`, `? due ${d}`],
  [`end ${d} on 12`, `? due 12 ${d}`],
  ['invite new@example.com to 12 as viewer', '? invite 12 new@example.com viewer'],
  [
    'invite 12 new@example.com viewer for 4h',
    '✗ An invitation can’t end by itself. Leave the time out.',
  ],
  ['show roles', '? roles'],
  ['help please', '? help'],
  // People of that container by their names.
  ['remove dave from 12', `? remove 12 ${d}`],
  ['remove Dave Doe from 12', `? remove 12 ${d}`],
  ['change dave to viewer on 12', `? change 12 ${d} viewer`],
  ['12 doe viewer until friday', `? grant 12 ${d} viewer until 2026-12-04 00:00`],
  ['remove erin from 12', 'Erin East (erin@example.com) | Erin West (ewest@example.com)'],
  ['remove erin west from 12', '? remove 12 ewest@example.com'],
  ['who 12 dave', `? who 12 ${d}`],
  ['remove bob from 12', expect.stringMatching(/^✗ “bob” isn’t a flag/)],
  ['remove ave from 12', expect.stringMatching(/^✗ “ave” isn’t a flag/)],
  ['remove dave', expect.stringMatching(/^✗ “dave” isn’t a flag.* Type \/grant remove with/)],
  // A slip of a flag, and one that is a name as well.
  [`12 ${d} vewer`, `? grant 12 ${d} viewer`],
  [`12 ${d} viewers`, 'Vera Viewers (vera@example.com) | viewer'],
  [`change 12 ${d} +billling`, `? change 12 ${d} +BILLING`],
  [`12 ${d} rule`, 'RULE_EMAIL | RULE_MANAGEMENT | RULE_PHONE'],
  // Nobody can say which address is meant.
  ['give <mailto:eve@evil.com|dave@example.com> viewer on 12', expect.stringMatching(/^✗/)],
  ['12 "<mailto:eve@evil.com|dave@example.com>" viewer please', expect.stringMatching(/^✗/)],
  ['12 dave:<mailto:eve@evil.com|eve@evil.com> viewer please', expect.stringMatching(/^✗/)],
  [`12 ${d} read@`, expect.stringMatching(/^✗ “read@” isn’t a flag, a role, an email address/)],
  // What remains is never dropped.
  ...(
    [
      ['for 1,5 hours', '1'],
      ['for an hour and a half', '“half”'],
      ['for 4', ''],
      ['for 4x', 'I can’t read “for 4x”'],
      ['for 91d', 'I can’t read “for 91d”'],
      ['for ages', '“ages”'],
      ['until tonight', 'I can’t read “until tonight”'],
      ['until 6 EST', '“EST”'],
      ['until tomorrow at 6 EST', '“EST”'],
      ['until in 2 hours', 'I can’t read'],
      ['until end of month', 'I can’t read'],
      ['until mittag', 'I can’t read'],
      ['until tomorrow morning', '“morning”'],
      ['until heute Abend', '“Abend”'],
      ['until vanavond', 'I can’t read “until vanavond”'],
      ['until 9:00-17:00', 'I can’t read “until 9:00-17:00”'],
      ['until 03/04', 'I can’t read “until 03/04”'],
      ['until 03.04.2027', 'I can’t read “until 03.04.2027”'],
      ['until next week', 'I can’t read “until next”'],
      ['until yesterday', 'I can’t read “until yesterday”'],
      ['until 25:00', 'I can’t read “until 25:00”'],
      ['for 4h until friday', 'only once'],
    ] as const
  ).map(
    ([time, why]) =>
      [`12 ${d} viewer ${time}`, expect.stringMatching(new RegExp(`^✗.*${why}`))] as const,
  ),
]

describe('a line of /grant', () => {
  it.each(lines)('%s → %s', async (line, expected) => {
    expect(await outcome(await openTyping(), line)).toEqual(expected)
  })
})

describe('the form of a line that can’t be read', () => {
  it.each([
    [`give ${d} viewer on 12 wizardry`, { containerId: 12, grantees: [d], member: false }],
    ['12 viewer -READ wizardry', { containerId: 12, grantees: [] }],
    [`${d} viewer wizardry for 2 weeks`, { grantees: [d], ends: { forMs: 14 * 24 * 3_600_000 } }],
  ])('%s', async (line, prefill) => {
    const found = await understand(await openTyping(), typist, line)
    expect(found).toMatchObject({ kind: 'unclear', prefill })
    expect(found.kind === 'unclear' && found.prefill.permissions).toHaveLength(4)
  })
})

describe('a time, where clocks change', () => {
  const amsterdam = 'Europe/Amsterdam'
  it.each([
    ['a day behind it begins there', 'monday', amsterdam, '2026-10-23T10:00Z', '2026-10-25T23:00Z'],
    [
      'an hour behind it is that hour',
      'monday 9am',
      amsterdam,
      '2026-10-23T10:00Z',
      '2026-10-26T08:00Z',
    ],
    ['an hour that is skipped', '29.3. 2h30', amsterdam, '2026-03-20T10:00Z', '2026-03-29T01:00Z'],
    [
      'tomorrow is theirs',
      'tomorrow',
      'Pacific/Auckland',
      '2026-07-01T13:00Z',
      '2026-07-02T12:00Z',
    ],
    [
      'a zone that was typed',
      '6pm EST',
      'Asia/Kathmandu',
      '2026-12-01T12:00Z',
      '2026-12-01T23:00Z',
    ],
    ['a day of theirs', 'friday', 'America/New_York', '2026-07-02T02:00Z', '2026-07-03T04:00Z'],
  ])('%s: %s in %s', async (_, text, zone, now, moment) => {
    const [found] = await timesMeant(`until ${text}`, { zone, now: Date.parse(now) })
    expect(found?.ends).toEqual(moment && { at: Date.parse(moment) })
  })

  it('for a day is 24 hours', async () => {
    const clock = { zone: amsterdam, now: Date.parse('2026-10-24T12:00Z') }
    expect(await timesMeant('for a day', clock)).toMatchObject([{ words: 'for 1d' }])
  })
})
