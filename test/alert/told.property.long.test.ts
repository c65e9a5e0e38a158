// Properties of what a thread is told, whatever comes: each action once, and of no length that grows without end.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  actionMark,
  allTold,
  marksOf,
  mostInReply,
  mostTold,
  toldWith,
  untold,
} from '../../src/alert/told.ts'
import type { Action } from '../../src/monitor/schema.ts'

/** What came between two looks: so many, each so many seconds after the one before. */
const batches = fc.array(
  fc.record({
    count: fc.oneof(fc.nat({ max: 5 }), fc.nat({ max: 3_000 })),
    step: fc.constantFrom(0, 0.4, 1, 10),
    /** Slack certainly did not take the reply. */
    isRefused: fc.boolean(),
    /** The order in which the service writes names is its own. */
    isTurned: fc.boolean(),
  }),
  { minLength: 1, maxLength: 5 },
)

interface Batch {
  readonly count: number
  readonly step: number
  readonly isTurned: boolean
}

function more(all: readonly Action[], { count, step, isTurned }: Batch): readonly Action[] {
  const since = all.at(-1)?.timestamp ?? 1_700_000_000
  const next = Array.from({ length: count }, (_, index): Action => {
    const entries = [['message', `${(all.length + index) % 7}`] as const, ['userId', 7] as const]
    const timestamp = since + Math.floor(index * step)
    return { kind: 'Comment', timestamp, data: Object.fromEntries(isTurned ? entries.toReversed() : entries) }
  })
  return [...all, ...next]
}

function replyFor(actions: readonly Action[], told: readonly string[]) {
  const news = untold(actions, told)
  const newest = news.slice(-mostInReply)
  return { actions: newest, more: news.length - newest.length, ending: undefined }
}

describe('a thread', () => {
  it('is told each action once, in small and large numbers, and what is kept of it is bounded', () => {
    fc.assert(
      fc.property(fc.nat({ max: 5_000 }), batches, (first, looks) => {
        let actions = more([], { count: first, step: 1, isTurned: false })
        let told = allTold(actions)
        let count = actions.length
        for (const look of looks) {
          actions = more(actions, look)
          const reply = replyFor(actions, told)
          const noted = toldWith(told, actions, reply)
          if (look.isRefused) {
            const back = [...noted]
            for (const mark of marksOf(reply)) back.splice(back.lastIndexOf(mark), 1)
            // All that the reply held is untold again.
            expect(untold(actions, back)).toEqual(reply.actions)
            count += reply.more
            told = back
          } else {
            expect(untold(actions, noted)).toEqual([])
            count += reply.actions.length + reply.more
            told = noted
          }
          expect(told.length).toBeLessThanOrEqual(mostTold + 1)
        }
        count += untold(actions, told).length
        expect(count).toBe(actions.length)
      }),
      { numRuns: 60 },
    )
  })

  it('knows what an older answer of the service does not hold yet', () => {
    const all = more([], { count: 4_000, step: 1, isTurned: false })
    const told = allTold(all)
    for (const length of [10, 2_999, 3_000, 3_001, 3_999])
      expect(untold(all.slice(0, length), told)).toEqual([])
    const before = all.slice(0, 3_990)
    const reply = { actions: [], more: undefined, ending: { id: '1', words: 'ended' } }
    expect(untold(all, toldWith(told, before, reply))).toEqual([])
  })

  it('forgets nothing when it is told that the alert cannot be read', () => {
    const all = more([], { count: mostTold, step: 1, isTurned: false })
    const told = all.map(actionMark)
    const after = toldWith(told, [], { actions: [], ending: { id: '7 unread', words: 'not read' } })
    expect(untold(all, after)).toEqual([])
    expect(after).toContain('end 7 unread')
  })

  it('keeps the endings that it was told', () => {
    const all = more([], { count: 2_500, step: 1, isTurned: false })
    const told = toldWith(all.map(actionMark), all, { actions: [], ending: { id: '7', words: 'ended' } })
    expect(told).toContain('end 7')
    expect(told.length).toBeLessThanOrEqual(mostTold)
  })
})
