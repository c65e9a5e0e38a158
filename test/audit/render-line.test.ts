// The audit channel's lines, one for each thing that can be said there.
import { expect, it } from 'vitest'
import type { Entry } from '../../src/audit/entry.ts'
import { hasLine, renderLine } from '../../src/audit/render-line.ts'
import { blockErrors } from '../../src/playground/slack/check/blocks.ts'
import { records } from '../../src/playground/slack/json.ts'
import { grantOf } from './memory.ts'

const names = { who: 'Bob Baker', asker: 'Alice Archer', approver: 'Carol' }
const wish = 'p1@example.com on container 12, READ, API'

it.each<[Partial<Entry>, string]>([
  [{ approverId: 'U3' }, 'Bob Baker added p1@example.com to container 12: READ, API, approved by Carol.'],
  [
    { permissions: [], member: true, authProvider: 'Google' },
    'Bob Baker added p1@example.com to container 12: no flags · member · via Google.',
  ],
  [
    { outcome: 'not-done:busy' },
    'Not granted (the service asked to slow down, 429): Bob Baker wanted to add p1@example.com to container 12: READ, API.',
  ],
  [
    { outcome: 'uncertain:stopped' },
    'Not certain (Bellhop was stopped): Bob Baker may have added p1@example.com to container 12: READ, API.',
  ],
  [{ act: 'ask' }, `Bob Baker asks for approval: ${wish}.`],
  [{ act: 'approve' }, `Bob Baker approved the request of Alice Archer: ${wish}.`],
  [
    { act: 'approve', outcome: 'not-done:own-request' },
    `Not approved (own request): Bob Baker pressed Approve on the request of Alice Archer: ${wish}.`,
  ],
  [{ act: 'decline' }, `Bob Baker declined the request of Alice Archer: ${wish}.`],
  [
    { act: 'decline', outcome: 'not-done:own-request' },
    `Not declined (own request): Bob Baker pressed Decline on the request of Alice Archer: ${wish}.`,
  ],
  [{ act: 'withdraw' }, `Bob Baker withdrew their request: ${wish}.`],
  [{ act: 'expire' }, `The request of Alice Archer has expired: ${wish}.`],
])('%j', (changes, words) => {
  const { text, blocks } = renderLine(grantOf(1, changes), names)
  expect(text).toBe(words)
  expect(blockErrors(records(blocks))).toEqual([])
})

it('there is none for accounts', () => {
  expect(hasLine(grantOf(1, { act: 'connect' }))).toBe(false)
  expect(hasLine(grantOf(1, { act: 'disconnect' }))).toBe(false)
})
