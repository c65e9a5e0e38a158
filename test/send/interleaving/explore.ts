// Explores interleavings: so many plays on one database, each with a schedule of its own; a failure says its seed.
import fc from 'fast-check'
import { expect, onTestFinished, vi } from 'vitest'
import { open, temporaryFile } from '../../storage/files.ts'
import { brokenIn } from './books.ts'
import { plans } from './plans.ts'
import { play } from './play.ts'

export async function explore(count: number, at: { readonly seed?: number; readonly path?: string } = {}) {
  const stores = await open(temporaryFile(), () => Date.now())
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
    now: 1_700_000_000_000,
  })
  onTestFinished(() => void vi.useRealTimers())
  let plays = 0
  const playsOut = fc.asyncProperty(plans, fc.scheduler(), async (plan, scheduler) => {
    plays += 1
    const workspaceId = `T${plays}`
    try {
      expect(brokenIn(await play(plan, { scheduler, stores, workspaceId }))).toEqual([])
    } finally {
      vi.clearAllTimers()
      await stores.forgetWorkspace(workspaceId)
    }
  })
  await fc.assert(playsOut, { numRuns: count, ...at })
}
