// Outcomes of an approved wish, and what they mean: whether the request stays open, how it ends, and who may be asked
// for again.
import { describe, expect, it } from 'vitest'
import { staysOpen, verdictOf, whyOpen } from '../../src/approval/approvals.ts'
import { resultLines } from '../../src/approval/render/card.ts'
import type { Result, Wish } from '../../src/grant/wish.ts'
import type { SendOutcome } from '../../src/send/outcome.ts'

const outcomes = {
  granted: { kind: 'done' },
  400: { kind: 'not-done', code: 'bad-request' },
  401: { kind: 'not-done', code: 'refused' },
  403: { kind: 'not-done', code: 'forbidden' },
  404: { kind: 'not-done', code: 'not-found' },
  429: { kind: 'not-done', code: 'busy' },
  away: { kind: 'not-done', code: 'unreachable' },
  unsure: { kind: 'uncertain', doubt: 'timed-out' },
  unsent: { kind: 'not-sent' },
} as const satisfies Record<string, SendOutcome>

function all(...names: readonly `${keyof typeof outcomes}`[]): readonly Result[] {
  return names.map((name, index) => ({ email: `p${index + 1}@x`, outcome: outcomes[name] }))
}

describe('a request', () => {
  it.each([
    [all('401'), 'refused'],
    [all('403', 'unsent', 'unsent'), 'forbidden'],
    [all('unsent', '429'), 'busy'],
    [all('429', '403'), 'forbidden'],
    [all('away', '401'), 'refused'],
    [all('away'), 'unreachable'],
    [all('unsent', 'unsent'), 'not-sent'],
  ])('stays open when nobody got anything and everybody still may (%j)', (some, why) => {
    expect(staysOpen(some)).toBe(true)
    expect(whyOpen(some)).toBe(why)
  })

  it.each([
    [all('granted', 'granted'), 'granted'],
    [all('granted', '429'), 'in-part'],
    [all('403', 'granted'), 'in-part'],
    [all('400', '429'), 'not-granted'],
    [all('404', 'unsent'), 'not-granted'],
    [all('granted', 'unsure', '400'), 'uncertain'],
  ])('ends as soon as somebody got it, cannot get it, or nobody knows (%j)', (some, verdict) => {
    expect(staysOpen(some)).toBe(false)
    expect(verdictOf(some)).toBe(verdict)
  })
})

describe('the list of several people', () => {
  const wish: Wish = { containerId: 12, emails: [], authProvider: undefined, member: false, permissions: [] }
  const said = (some: readonly Result[]) =>
    resultLines({ wish, container: undefined, approver: { userId: 'U3', name: 'carol' } }, some).join('\n')

  it('names those who can be asked for again, and those who have to be looked for', () => {
    const words = said(all('granted', '429', 'unsent', '400', 'unsure'))
    expect(words).toContain('another request may work: p2@x, p3@x.')
    expect(words).toContain('check in monitoring whether it worked for p5@x.')
  })

  it('promises nobody anything on a container that is not there', () => {
    expect(said(all('404', 'unsent', 'unsent'))).not.toContain('may work')
  })
})
