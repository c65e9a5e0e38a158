// Plans of plays, of all sorts: what is wanted and when, how the service feels, who else acts, who dies and who sleeps.
import fc from 'fast-check'
import { monitorErrorCodes } from '../../../src/errors.ts'
import type { WriteResult } from '../../../src/monitor/writes.ts'
import type { Write } from '../../../src/send/outcome.ts'
import type { LifePlan } from './life.ts'
import { type IntentPlan, type OtherPlan, type Plan, senderId } from './play.ts'
import type { Manners, Mood, ReadMood } from './service.ts'

const [bob, dave] = [8, 10] as const
const keys = ['k1', 'k2'] as const

const shown = fc.constantFrom(
  undefined,
  { ownerId: null, isClosed: false },
  { ownerId: bob, isClosed: false },
  { ownerId: null, isClosed: true },
)
// Few, so that many are equal.
const about = fc.record({
  ks: fc.constantFrom(...keys, keys[0]),
  shown,
  senderId: fc.constantFrom(senderId, senderId, undefined),
  cardId: fc.constant(undefined),
})
const alertWrite: fc.Arbitrary<Write> = fc.oneof(
  fc
    .tuple(about, fc.constantFrom(senderId, dave))
    .map(([of, ownerId]): Write => ({ ...of, kind: 'assign', ownerId, message: '' })),
  fc
    .tuple(about, fc.constantFrom('Looking.', 'Looking again.'))
    .map(([of, message]): Write => ({ ...of, kind: 'comment', message })),
  fc
    .tuple(about, fc.constantFrom('', 'Rotated the logs.'))
    .map(([of, message]): Write => ({ ...of, kind: 'close', message, isSolution: false })),
)
const people = ['ann@example.com', 'ben@example.com', 'cid@example.com'] as const
const list: fc.Arbitrary<readonly Write[]> = fc
  .uniqueArray(fc.constantFrom(...people), { minLength: 1, maxLength: 3 })
  .map((emails) =>
    emails.map((email): Write => {
      const how = { containerId: 12, authProvider: undefined, member: false, permissions: ['READ'] }
      return { kind: 'add-user', email, ...how }
    }),
  )
const writes = fc.oneof(
  { weight: 3, arbitrary: alertWrite.map((write): readonly Write[] => [write]) },
  { weight: 1, arbitrary: list },
)

const pressedAt = fc.constantFrom(0, 0, 1, 300, 4_000, 9_000, 12_500)
const atMs: fc.Arbitrary<IntentPlan['atMs']> = fc.oneof(
  { weight: 3, arbitrary: pressedAt.map((ms): IntentPlan['atMs'] => [ms, undefined]) },
  { weight: 2, arbitrary: pressedAt.map((ms): IntentPlan['atMs'] => [undefined, ms]) },
  { weight: 2, arbitrary: fc.tuple(pressedAt, pressedAt) },
)

const life: fc.Arbitrary<LifePlan> = fc.record({
  diesAt: fc.oneof(fc.constant(undefined), fc.integer({ min: 1, max: 60 })),
  sleepsAt: fc.oneof({ weight: 2, arbitrary: fc.constant(undefined) }, fc.integer({ min: 1, max: 60 })),
  sleepsMs: fc.constantFrom(5_000, 13_000, 40_000, 200_000),
})

const refusals = ['bad-request', 'refused', 'forbidden', 'not-found', 'busy', 'no-operation'] as const
const doubts = ['server-error', 'odd-answer', 'connection-lost', 'timed-out'] as const
const takesInMs = fc.constantFrom(undefined, 0, 0, 0, 200, 2_500, 9_000, 35_000, 400_000)
const answersInMs = fc.constantFrom(0, 0, 100, 1_000, 8_000)
const showsInMs = fc.constantFrom(0, 0, 0, 500, 2_000, 20_000, 100_000, 500_000)
const answered = fc.constant<WriteResult>({ kind: 'done' })
const doubted = fc.constantFrom(...doubts).map((doubt): WriteResult => ({ kind: 'uncertain', cause: doubt }))
const refused = fc.constantFrom(...refusals).map((code): WriteResult => ({ kind: 'not-done', code }))
const taken = { takesInMs, answersInMs, showsInMs }
const mood: fc.Arbitrary<Mood> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ ...taken, says: answered }) },
  { weight: 3, arbitrary: fc.record({ ...taken, says: doubted }) },
  { weight: 1, arbitrary: fc.record({ ...taken, says: refused, takesInMs: fc.constant(undefined) }) },
)
const readMood: fc.Arbitrary<ReadMood> = fc.record({
  answersInMs: fc.constantFrom(0, 0, 50, 3_000),
  fails: fc.oneof(
    { weight: 6, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom(...monitorErrorCodes) },
  ),
})

const other: fc.Arbitrary<OtherPlan> = fc.record({
  ks: fc.constantFrom(...keys),
  kind: fc.constantFrom('Assign', 'Comment', 'Close', 'AutoClose', 'Reopen'),
  actorId: fc.constantFrom(bob, dave),
  ownerId: fc.constantFrom(bob, dave, senderId),
  message: fc.constantFrom('', 'On my way.'),
  inMs: fc.constantFrom(0, 50, 900, 4_000, 10_000, 30_000),
  showsInMs,
})

const manners: fc.Arbitrary<Manners> = fc.record({ namesActors: fc.boolean(), showsWords: fc.boolean() })

export const plans: fc.Arbitrary<Plan> = fc.record({
  manners,
  lives: fc.tuple(life, life),
  intents: fc.array(fc.record({ writes, atMs }), { minLength: 1, maxLength: 4 }),
  others: fc.array(other, { maxLength: 3 }),
  moods: fc.array(mood, { minLength: 1, maxLength: 4 }),
  reads: fc.array(readMood, { minLength: 1, maxLength: 5 }),
  untaken: fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { maxLength: 1 }),
})
