// Explores interleavings: so many plays on one database, each with a schedule of its own. A failure says its seed, and
// what was done step by step.
import fc from 'fast-check'
import { expect, onTestFinished, vi } from 'vitest'
import { openHouse } from '../../house.ts'
import { brokenIn } from './books.ts'
import { plans } from './plans.ts'
import { play } from './play.ts'

const workspaceId = 'T1'
const startsAt = 1_700_000_000_000

/** @param again - Of a failure, to play it once more. */
export async function explore(
  count: number,
  again: { readonly seed?: number; readonly path?: string } = {},
): Promise<void> {
  const house = await openHouse({ now: () => Date.now() })
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
    now: startsAt,
  })
  onTestFinished(() => void vi.useRealTimers())
  const holds = fc.asyncProperty(plans, fc.scheduler(), async (plan, scheduler) => {
    // Every play is the same whenever it is played.
    vi.setSystemTime(startsAt)
    try {
      const books = await play(plan, { scheduler, house, workspaceId })
      expect(brokenIn(books), books.steps.join('\n')).toEqual([])
    } finally {
      vi.clearAllTimers()
      await house.storage.forgetWorkspace(workspaceId)
    }
  })
  await fc.assert(holds, { numRuns: count, ...again })
}
