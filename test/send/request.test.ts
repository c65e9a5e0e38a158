// The life of a request, step by step and in any order: each step is a pure function of what the request says.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { monitorErrorCodes } from '../../src/errors.ts'
import { isPossibleLater, type WriteOutcome } from '../../src/send/outcome.ts'
import {
  beginSendStep,
  beginStep,
  createRequest,
  declineStep,
  dueAt,
  expireStep,
  finishStep,
  giveUpStep,
  heardStep,
  holdStep,
  type NewRequest,
  type Request,
  type RequestStep,
  settleStep,
  takeStep,
  withdrawStep,
} from '../../src/send/request.ts'
import { leaseMs } from '../../src/work/under-way.ts'

const start = 1_700_000_000_000
const hourMs = 3_600_000
const sender = { workspaceId: 'T1', userId: 'U1' }
const carol = { userId: 'U3', name: 'carol' }
const writes = ['dave', 'erin', 'frank'].map((name) => ({
  ...({ kind: 'add-user', containerId: 12, email: `${name}@example.com` } as const),
  authProvider: undefined,
  member: false,
  permissions: ['READ'],
}))
const approval = {
  askerName: 'alice',
  container: 'container 12',
  reason: 'On call',
  channelId: 'C1',
  until: start + 100_000,
  barred: { asker: 'hash', recipientIds: ['U9'], recipients: [] },
}
const own = { sender, passes: () => true }
const approving = {
  sender: { ...sender, userId: carol.userId },
  approver: carol,
  passes: () => true,
}
const forbidden: WriteOutcome = { kind: 'not-done', code: 'forbidden' }

function through(request: Request, ...steps: readonly RequestStep[]): Request {
  return steps.reduce((now, step) => {
    const next = step(now, start)
    if (next === undefined) throw new Error(`${step} leaves it as it is`)
    return next
  }, request)
}

const open = (changes: Partial<NewRequest> = {}) =>
  createRequest({ id: 'r', sender, writes, ...changes }, start)

describe('a request', () => {
  it('is begun by its asker alone, in time, where nobody has to approve it, and once', () => {
    const begun = through(open(), beginStep(own))
    expect(begun).toMatchObject({ state: 'sending', attempt: 1, sender })
    for (const [request, by] of [
      [begun, own],
      [open(), { ...own, sender: { ...sender, userId: 'U2' } }],
      [open(), { ...own, askedAfter: start + 1 }],
      [open(), { ...own, passes: () => false }],
      [open({ needsApproval: true }), own],
      [open({ needsApproval: true }), approving],
      [through(open(), giveUpStep(sender, 'cancelled')), own],
    ] as const)
      expect(beginStep(by)(request, start)).toBeUndefined()
  })

  it('that a colleague has to approve is begun by one who passes, and never by its asker', () => {
    const toApprove = open({ approval })
    expect(toApprove).toMatchObject({ state: 'to-approve', isToTell: true })
    expect(beginStep(own)(toApprove, start)).toBeUndefined()
    expect(beginStep({ ...approving, passes: () => false })(toApprove, start)).toBeUndefined()
    expect(beginStep(approving)(toApprove, approval.until)).toBeUndefined()
    const begun = through(toApprove, beginStep(approving))
    expect(begun).toMatchObject({ state: 'sending', askerId: 'U1', sender: { userId: 'U3' } })
    expect(begun.approval?.approver).toEqual(carol)
  })

  it.each([
    [undefined, 4],
    [1, 1],
    [8, 4],
  ])(
    'for four hours lasts no longer than that, whatever its approver presses: %s',
    (hours, lasts) => {
      const ends = { forMs: 4 * hourMs }
      const toApprove = open({ approval, writes: writes.map((write) => ({ ...write, ends })) })
      const forMs = hours && hours * hourMs
      const { endsAt } = through(toApprove, beginStep({ ...approving, forMs }))
      expect(endsAt).toBe(start + lasts * hourMs)
    },
  )

  it('whose process died is not certain where it had begun, not sent where it had not, and due', () => {
    const begun = through(open(), beginStep(own))
    const sending = through(
      begun,
      beginSendStep(begun, 1),
      settleStep(begun, 1, { kind: 'done' }),
      beginSendStep(begun, 2),
    )
    expect(dueAt(sending)).toBe(start + leaseMs)
    expect(settleStep(begun, 1, forbidden)(sending, start)).toBeUndefined()
    const concluded = through(sending, takeStep)
    expect(concluded.sends.map(({ outcome }) => outcome)).toEqual([
      { kind: 'done' },
      { kind: 'uncertain', cause: 'stopped' },
      { kind: 'not-sent' },
    ])
    expect(concluded).toMatchObject({ state: 'sent', isToTell: true })
    expect(beginSendStep(begun, 3)(concluded, start)).toBeUndefined()
    expect(settleStep(begun, 3, { kind: 'done' })(concluded, start)).toBeUndefined()
    expect(settleStep(begun, 2, { kind: 'done' })(concluded, start)).toBeUndefined()
    // Whoever had heard of an earlier step has not heard of this one.
    expect(heardStep(begun)(concluded, start)).toBeUndefined()
  })

  it('of which nobody got anything and everybody still may is to be approved again', () => {
    const begun = through(open({ approval }), beginStep(approving))
    const again = through(
      begun,
      beginSendStep(begun, 1),
      settleStep(begun, 1, forbidden),
      finishStep(begun),
    )
    expect(again).toMatchObject({ state: 'to-approve', isToTell: true })
    expect(again.sends.map(({ outcome }) => outcome)).toEqual([
      forbidden,
      { kind: 'not-sent' },
      { kind: 'not-sent' },
    ])
    const anew = through(again, beginStep(approving))
    expect(anew.sends.every(({ hasBegun, outcome }) => !hasBegun && !outcome)).toBe(true)
    // Whoever sent it before is no part of this.
    for (const step of [
      beginSendStep(begun, 1),
      settleStep(begun, 1, { kind: 'done' }),
      finishStep(begun),
    ])
      expect(step(anew, start)).toBeUndefined()
    const refused = through(
      begun,
      beginSendStep(begun, 1),
      settleStep(begun, 1, { kind: 'not-done', code: 'is-there' }),
    )
    expect(through(refused, finishStep(begun))).toMatchObject({ state: 'sent' })
  })

  it('that is over keeps no hash of a token', () => {
    for (const step of [declineStep(carol, 'No'), withdrawStep(sender)]) {
      const concluded = through(open({ approval }), step)
      expect(concluded.approval?.barred).toEqual({ recipientIds: [], recipients: [] })
      expect(concluded.concludedAt).toBe(start)
    }
  })
})

/** One of two processes tries something, by what it knows of the request, which may be out of date. */
interface Play {
  readonly who: 'A' | 'B'
  readonly does: (typeof rare)[number] | (typeof frequent)[number]
  /** Of a send. */
  readonly n: number
  readonly outcome: WriteOutcome
}

const rare = [
  ...(['begin', 'approve', 'approve', 'bar', 'finish', 'dies'] as const),
  ...(['decline', 'withdraw', 'expire', 'tell', 'tell one', 'hold'] as const),
]
const frequent = ['one', 'settle'] as const
const outcomes = fc.oneof(
  fc.constant<WriteOutcome>({ kind: 'done' }),
  fc.constantFrom(...monitorErrorCodes).map((code): WriteOutcome => ({ kind: 'not-done', code })),
  fc.constant<WriteOutcome>({ kind: 'uncertain', cause: 'timed-out' }),
)
const plays: fc.Arbitrary<readonly Play[]> = fc.array(
  fc.record({
    who: fc.constantFrom('A', 'B'),
    does: fc.oneof(fc.constantFrom(...rare), {
      weight: 3,
      arbitrary: fc.constantFrom(...frequent),
    }),
    n: fc.constantFrom(1, 2, 3),
    outcome: outcomes,
  }),
  { maxLength: 40 },
)

it('sends nobody anything twice, whatever is tried in whatever order, and leaves nobody without a word', () => {
  fc.assert(
    fc.property(fc.boolean(), plays, (isToApprove, all) => {
      let request = open(isToApprove ? { approval } : {})
      const known = { A: request, B: request }
      /** Requests to the service: which write in which attempt, and who was allowed to make it. */
      const posts = new Set<string>()
      let untold = false
      for (const play of all) {
        const { who } = play
        const mine = known[who]
        const mayPost =
          play.does === 'settle' ? posts.has(`${who} ${mine.attempt} ${play.n}`) : true
        // Only who has made the request knows what became of it.
        const next = mayPost ? stepOf(play, mine)(request, start) : undefined
        if (next === undefined) continue
        if (play.does === 'bar') throw new Error('somebody approved who may not')
        if (play.does === 'one') {
          const name = `${mine.attempt} ${play.n}`
          if (posts.has(`A ${name}`) || posts.has(`B ${name}`))
            throw new Error(`${name} was sent twice`)
          posts.add(`${who} ${name}`)
        }
        if (next.attempt > request.attempt && request.attempt > 0) {
          expect(request.sends.every(({ outcome }) => outcome && isPossibleLater(outcome))).toBe(
            true,
          )
        }
        if (next.state === 'sent' && next.stepNo > request.stepNo) untold = true
        if (play.does === 'tell') untold = false
        // Whoever has heard of a step has heard nothing of the next one.
        if (next.stepNo > request.stepNo) expect(next.told).toBeUndefined()
        request = next
        known[who] = next
      }
      for (const { n: one, outcome } of request.concludedAt ? request.sends : []) {
        const wasSent = ['A', 'B'].some((who) => posts.has(`${who} ${request.attempt} ${one}`))
        if (request.state === 'sent') expect(outcome).toBeDefined()
        if (outcome?.kind === 'not-sent') expect(wasSent).toBe(false)
        if (outcome !== undefined && outcome.kind !== 'not-sent') expect(wasSent).toBe(true)
      }
      // Whoever comes by finds what is still to be told, or to be concluded.
      if (untold || request.state === 'sending') expect(dueAt(request)).not.toBeNull()
    }),
    { numRuns: 3_000 },
  )
})

function stepOf(play: Play, known: Request): RequestStep {
  switch (play.does) {
    case 'begin':
      return beginStep(own)
    case 'approve':
      return beginStep(approving)
    case 'bar':
      return beginStep({ ...approving, passes: () => false })
    case 'one':
      return beginSendStep(known, play.n)
    case 'settle':
      return settleStep(known, play.n, play.outcome)
    case 'finish':
      return finishStep(known)
    case 'dies':
      return takeStep
    case 'decline':
      return declineStep(carol, 'No')
    case 'withdraw':
      return withdrawStep(sender)
    case 'expire':
      return expireStep
    case 'tell':
      return (request, now) => heardStep(request)(request, now)
    case 'tell one':
      return (request, now) => heardStep(request, carol.userId)(request, now)
    case 'hold':
      return holdStep(leaseMs)
    default:
      return play.does satisfies never
  }
}
