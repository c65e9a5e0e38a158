// The life of a request, step by step and in any order: each step is a pure function of what the request says.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { monitorErrorCodes } from '../../src/errors.ts'
import { isPossibleLater, type Settled } from '../../src/send/outcome.ts'
import {
  asked,
  begin,
  beginOne,
  decline,
  dueAt,
  expire,
  finish,
  giveUp,
  heard,
  hold,
  type NewRequest,
  type Request,
  type Step,
  settle,
  take,
  withdraw,
} from '../../src/send/request.ts'
import { leaseMs } from '../../src/work/under-way.ts'

const start = 1_700_000_000_000
const sender = { workspaceId: 'T1', userId: 'U1' }
const carol = { userId: 'U3', name: 'carol' }
const writes = ['dave', 'erin', 'frank'].map((name) => ({
  ...({ kind: 'add-user', containerId: 12, email: `${name}@example.com` } as const),
  ...{ authProvider: undefined, member: false, permissions: ['READ'] },
}))
const approval = {
  ...{ askerName: 'alice', reason: 'On call', channelId: 'C1', until: start + 100_000 },
  barred: { asker: 'hash', recipientIds: ['U9'], recipients: [] },
}
const own = { sender, passes: () => true }
const approving = { sender: { ...sender, userId: carol.userId }, approver: carol, passes: () => true }
const forbidden: Settled = { kind: 'not-done', code: 'forbidden' }

function through(request: Request, ...steps: readonly Step[]): Request {
  return steps.reduce((now, step) => {
    const next = step(now, start)
    if (next === undefined) throw new Error(`${step} leaves it as it is`)
    return next
  }, request)
}

const open = (changes: Partial<NewRequest> = {}) => asked({ id: 'r', sender, writes, ...changes }, start)

describe('a request', () => {
  it('is begun by its asker alone, in time, where nobody has to approve it, and once', () => {
    const begun = through(open(), begin(own))
    expect(begun).toMatchObject({ state: 'sending', attempt: 1, sender })
    for (const [request, by] of [
      [begun, own],
      [open(), { ...own, sender: { ...sender, userId: 'U2' } }],
      [open(), { ...own, askedAfter: start + 1 }],
      [open(), { ...own, passes: () => false }],
      [open({ needsApproval: true }), own],
      [open({ needsApproval: true }), approving],
      [through(open(), giveUp(sender, 'cancelled')), own],
    ] as const)
      expect(begin(by)(request, start)).toBeUndefined()
  })

  it('that a colleague has to approve is begun by one who passes, and never by its asker', () => {
    const requested = open({ approval })
    expect(requested).toMatchObject({ state: 'requested', isToTell: true })
    expect(begin(own)(requested, start)).toBeUndefined()
    expect(begin({ ...approving, passes: () => false })(requested, start)).toBeUndefined()
    expect(begin(approving)(requested, approval.until)).toBeUndefined()
    const begun = through(requested, begin(approving))
    expect(begun).toMatchObject({ state: 'sending', askerId: 'U1', sender: { userId: 'U3' } })
    expect(begun.approval?.approver).toEqual(carol)
  })

  it('whose process died is not certain where it had begun, not sent where it had not, and due', () => {
    const begun = through(open(), begin(own))
    const sending = through(begun, beginOne(begun, 1), settle(begun, 1, { kind: 'done' }), beginOne(begun, 2))
    expect(dueAt(sending)).toBe(start + leaseMs)
    expect(settle(begun, 1, forbidden)(sending, start)).toBeUndefined()
    const ended = through(sending, take)
    expect(ended.sends.map(({ outcome }) => outcome)).toEqual([
      { kind: 'done' },
      { kind: 'uncertain', cause: 'stopped' },
      { kind: 'not-sent' },
    ])
    expect(ended).toMatchObject({ state: 'ended', end: 'sent', isToTell: true })
    expect(beginOne(begun, 3)(ended, start)).toBeUndefined()
    expect(settle(begun, 3, { kind: 'done' })(ended, start)).toBeUndefined()
    expect(settle(begun, 2, { kind: 'done' })(ended, start)).toBeUndefined()
    // Whoever had heard of an earlier step has not heard of this one.
    expect(heard(begun)(ended, start)).toBeUndefined()
  })

  it('of which nobody got anything and everybody still may is requested again', () => {
    const begun = through(open({ approval }), begin(approving))
    const again = through(begun, beginOne(begun, 1), settle(begun, 1, forbidden), finish(begun))
    expect(again).toMatchObject({ state: 'requested', isToTell: true })
    expect(again.sends.map(({ outcome }) => outcome)).toEqual([
      forbidden,
      { kind: 'not-sent' },
      { kind: 'not-sent' },
    ])
    const anew = through(again, begin(approving))
    expect(anew.sends.every(({ hasBegun, outcome }) => !hasBegun && !outcome)).toBe(true)
    // Whoever sent it before is no part of this.
    for (const step of [beginOne(begun, 1), settle(begun, 1, { kind: 'done' }), finish(begun)])
      expect(step(anew, start)).toBeUndefined()
    const refused = through(
      begun,
      beginOne(begun, 1),
      settle(begun, 1, { kind: 'not-done', code: 'bad-request' }),
    )
    expect(through(refused, finish(begun))).toMatchObject({ state: 'ended', end: 'sent' })
  })

  it('that is over keeps no hash of a token', () => {
    for (const step of [decline(carol, 'No'), withdraw(sender)]) {
      const ended = through(open({ approval }), step)
      expect(ended.approval?.barred).toEqual({ recipientIds: [], recipients: [] })
      expect(ended.state).toBe('ended')
    }
  })
})

/** One of two processes tries something, by what it knows of the request, which may be out of date. */
type Play =
  | { readonly does: 'begin' | 'approve' | 'bar' | 'finish' | 'dies' | 'decline' | 'withdraw' | 'expire' }
  | { readonly does: 'one'; readonly n: number }
  | { readonly does: 'settle'; readonly n: number; readonly outcome: Settled }
  | { readonly does: 'tell' | 'tell one' | 'hold' }

const outcomes = fc.oneof(
  fc.constant<Settled>({ kind: 'done' }),
  fc.constantFrom(...monitorErrorCodes).map((code): Settled => ({ kind: 'not-done', code })),
  fc.constant<Settled>({ kind: 'uncertain', cause: 'timed-out' }),
)
const n = fc.constantFrom(1, 2, 3)
const plays: fc.Arbitrary<readonly (readonly [who: 'A' | 'B', Play])[]> = fc.array(
  fc.tuple(
    fc.constantFrom<'A' | 'B'>('A', 'B'),
    fc.oneof(
      fc.constantFrom<Play['does']>('begin', 'approve', 'approve', 'bar', 'finish', 'dies').map(simple),
      fc.constantFrom<Play['does']>('decline', 'withdraw', 'expire', 'tell', 'tell one', 'hold').map(simple),
      { weight: 3, arbitrary: n.map((one): Play => ({ does: 'one', n: one })) },
      {
        weight: 3,
        arbitrary: fc.tuple(n, outcomes).map(([one, outcome]): Play => ({ does: 'settle', n: one, outcome })),
      },
    ),
  ),
  { maxLength: 40 },
)

function simple(does: Play['does']): Play {
  if (does === 'one' || does === 'settle') throw new Error('it takes a number')
  return { does }
}

it('sends nobody anything twice, whatever is tried in whatever order, and leaves nobody without a word', () => {
  fc.assert(
    fc.property(fc.boolean(), plays, (isToApprove, all) => {
      let request = open(isToApprove ? { approval } : {})
      const known = { A: request, B: request }
      /** Requests to the service: which write in which attempt, and who was allowed to make it. */
      const posts = new Set<string>()
      let untold = false
      for (const [who, play] of all) {
        const mine = known[who]
        const mayPost = play.does === 'settle' ? posts.has(`${who} ${mine.attempt} ${play.n}`) : true
        // Only who has made the request knows what became of it.
        const next = mayPost ? stepOf(play, mine)(request, start) : undefined
        if (next === undefined) continue
        if (play.does === 'bar') throw new Error('somebody approved who may not')
        if (play.does === 'one') {
          const name = `${mine.attempt} ${play.n}`
          if (posts.has(`A ${name}`) || posts.has(`B ${name}`)) throw new Error(`${name} was sent twice`)
          posts.add(`${who} ${name}`)
        }
        if (next.attempt > request.attempt && request.attempt > 0) {
          expect(request.sends.every(({ outcome }) => outcome && isPossibleLater(outcome))).toBe(true)
        }
        if (next.state === 'ended' && next.end === 'sent' && next.version > request.version) untold = true
        if (play.does === 'tell') untold = false
        // Whoever has heard of a step has heard nothing of the next one.
        if (next.version > request.version) expect(next.told).toBeUndefined()
        request = next
        known[who] = next
      }
      for (const { n: one, outcome } of request.state === 'ended' ? request.sends : []) {
        const wasSent = ['A', 'B'].some((who) => posts.has(`${who} ${request.attempt} ${one}`))
        if (request.end === 'sent') expect(outcome).toBeDefined()
        if (outcome?.kind === 'not-sent') expect(wasSent).toBe(false)
        if (outcome !== undefined && outcome.kind !== 'not-sent') expect(wasSent).toBe(true)
      }
      // Whoever comes by finds what is still to be told, or to be ended.
      if (untold || request.state === 'sending') expect(dueAt(request)).not.toBeNull()
    }),
    { numRuns: 3_000 },
  )
})

function stepOf(play: Play, known: Request): Step {
  switch (play.does) {
    case 'begin':
      return begin(own)
    case 'approve':
      return begin(approving)
    case 'bar':
      return begin({ ...approving, passes: () => false })
    case 'one':
      return beginOne(known, play.n)
    case 'settle':
      return settle(known, play.n, play.outcome)
    case 'finish':
      return finish(known)
    case 'dies':
      return take
    case 'decline':
      return decline(carol, 'No')
    case 'withdraw':
      return withdraw(sender)
    case 'expire':
      return expire
    case 'tell':
      return (request, now) => heard(request)(request, now)
    case 'tell one':
      return (request, now) => heard(request, carol.userId)(request, now)
    case 'hold':
      return hold(leaseMs)
    default:
      return play satisfies never
  }
}
