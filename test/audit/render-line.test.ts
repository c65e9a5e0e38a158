// The audit channel's lines, one for each thing that can be said there.
import { describe, expect, it } from 'vitest'
import { blockErrors } from '../../playground/slack/check/blocks.ts'
import { records } from '../../playground/slack/model/json.ts'
import { hasLine, renderLine } from '../../src/audit/render-line.ts'
import type { Entry } from '../../src/audit/trail.ts'
import { grantOf } from './memory.ts'

const names = new Map([
  ['U1', '@bob (Bob Baker)'],
  ['U2', 'Alice Archer'],
  ['U3', 'Carol'],
])
const until = Date.UTC(2026, 11, 1, 18)
const wish = 'p1@example.com on container 12, READ, API'

it.each<[Partial<Entry>, string]>([
  [
    { approverId: 'U3' },
    '@bob (Bob Baker) (U1) added p1@example.com to container 12: READ, API, approved by Carol (U3).',
  ],
  [
    { permissions: [], member: true, authProvider: 'Google' },
    '@bob (Bob Baker) (U1) added p1@example.com to container 12: Dashboards only · member · via Google.',
  ],
  [
    { act: 'change', had: ['VIEW_LOG'], has: ['READ', 'API', 'VIEW_LOG'], approverId: 'U3' },
    '@bob (Bob Baker) (U1) changed p1@example.com on container 12: VIEW_LOG → READ, API, VIEW_LOG, approved by Carol (U3).',
  ],
  [
    {
      ...({ act: 'change', outcome: 'not-done:changed', personId: 7, member: undefined } as const),
      had: ['VIEW_LOG'],
      takes: ['VIEW_LOG'],
    },
    'Not done (somebody has changed their access meanwhile): @bob (Bob Baker) (U1) would have changed p1@example.com on container 12: VIEW_LOG → + READ, API · − VIEW_LOG.',
  ],
  [
    {
      act: 'change',
      outcome: 'uncertain:not-seen',
      personId: 7,
      had: [],
      permissions: [],
      member: false,
    },
    'Not certain (monitoring doesn’t show it yet): @bob (Bob Baker) (U1) may have changed p1@example.com on container 12: no flags → no member.',
  ],
  [
    { outcome: 'not-done:busy' },
    'Not granted (monitoring is busy): @bob (Bob Baker) (U1) would have added p1@example.com to container 12: READ, API.',
  ],
  [
    { outcome: 'not-done:forbidden' },
    'Not granted (the token lacks API, CONTAINER_ACCESS or a flag that is given on container 12): @bob (Bob Baker) (U1) would have added p1@example.com to container 12: READ, API.',
  ],
  [
    { outcome: 'not-done:refused', approverId: 'U3' },
    'Not granted (monitoring no longer accepts the token): @bob (Bob Baker) (U1) would have added p1@example.com to container 12: READ, API, approved by Carol (U3).',
  ],
  [
    { outcome: 'uncertain:stopped' },
    'Not certain (I was stopped before I could store the answer): @bob (Bob Baker) (U1) may have added p1@example.com to container 12: READ, API.',
  ],
  [
    { until, approverId: 'U3' },
    '@bob (Bob Baker) (U1) added p1@example.com to container 12: READ, API, until 2026-12-01 18:00 UTC, approved by Carol (U3).',
  ],
  [
    { act: 'extend', until },
    '@bob (Bob Baker) (U1) extended the access of p1@example.com to container 12: READ, API, until 2026-12-01 18:00 UTC.',
  ],
  [
    { act: 'extend' },
    '@bob (Bob Baker) (U1) extended the access of p1@example.com to container 12: READ, API, for good.',
  ],
  [
    { act: 'take-back', had: ['READ', 'API'], has: [] },
    '@bob (Bob Baker) (U1) ended the access of p1@example.com to container 12: had READ, API.',
  ],
  [{ act: 'ask' }, `@bob (Bob Baker) (U1) asked for approval: ${wish}.`],
  [
    { act: 'approve', outcome: 'not-done:four-eyes', email: undefined, askerId: 'U2' },
    'Not approved (nobody approves their own request or access, or what may be theirs): @bob (Bob Baker) (U1) pressed Approve on a request from Alice Archer (U2): container 12, READ, API.',
  ],
  [
    {
      act: 'approve',
      outcome: 'not-done:four-eyes',
      email: undefined,
      userId: 'U1',
      askerId: 'U1',
    },
    'Not approved (nobody approves their own request or access, or what may be theirs): @bob (Bob Baker) (U1) pressed Approve on their own request: container 12, READ, API.',
  ],
  [
    { act: 'approve', outcome: 'not-done:not-sent', askerId: 'U2' },
    `Not approved (nothing was sent): @bob (Bob Baker) (U1) pressed Approve on a request from Alice Archer (U2): ${wish}.`,
  ],
  [
    { act: 'decline', askerId: 'U2' },
    `@bob (Bob Baker) (U1) declined a request from Alice Archer (U2): ${wish}.`,
  ],
  [{ act: 'withdraw', askerId: 'U1' }, `@bob (Bob Baker) (U1) withdrew their request: ${wish}.`],
  [{ act: 'expire', askerId: 'U2' }, `The request from Alice Archer (U2) has expired: ${wish}.`],
])('%j', (changes, words) => {
  const { text, blocks } = renderLine(grantOf(1, changes), names)
  expect(text).toBe(words)
  expect(blockErrors(records(blocks))).toEqual([])
})

it('there is none for accounts', () => {
  expect(hasLine(grantOf(1, { act: 'connect' }))).toBe(false)
  expect(hasLine(grantOf(1, { act: 'disconnect' }))).toBe(false)
})

it.each(['done', 'not-done:forbidden', 'uncertain:timed-out'] as const)(
  'there is none for who approved (%s), which the lines of its grants tell',
  (outcome) => {
    expect(hasLine(grantOf(1, { act: 'approve', outcome }))).toBe(false)
    expect(hasLine(grantOf(1, { outcome, approverId: 'U3' }))).toBe(true)
  },
)

describe('a name in a line', () => {
  /** The line of a grant by somebody who calls themselves so. */
  const lineOf = (who: string) => renderLine(grantOf(1), new Map([['U1', who]]))
  const boldOf = (who: string) =>
    records(lineOf(who).blocks)
      .flatMap(({ elements }) => records(elements))
      .flatMap(({ elements }) => records(elements))
      .filter(({ style }) => style !== undefined)
      .map(({ text }) => text)
  const rest = '(U1) added p1@example.com to container 12: READ, API.'

  it('cannot pass for more than a name', () => {
    const forged = 'Bob added eve@evil.example to container 9: READ, approved by Carol. Dan'
    // In bold to its end, with the id behind it.
    const [name] = boldOf(forged)
    expect(name).toMatch(/^Bob added eve@evil\.example/)
  })

  it('cannot pass for somebody else’s, with their id', () => {
    const forged = 'Alice Archer (U2)'
    // In bold to its end; the id that is nobody's to choose comes behind that.
    expect(boldOf(forged)).toEqual([forged])
    expect(lineOf(forged).text).toBe(`${forged} ${rest}`)
  })
})

it('an address cannot turn the direction of what stands beside it', () => {
  const { text } = renderLine(grantOf(1, { email: 'דוד@example.com' }), names)
  expect(text).toBe(
    '@bob (Bob Baker) (U1) added \u2068דוד@example.com\u2069 to container 12: READ, API.',
  )
})
