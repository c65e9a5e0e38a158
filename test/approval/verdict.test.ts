// The list of several people on a request that was approved: who may be asked for again, and who has to be looked for.
import { describe, expect, it } from 'vitest'
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
