// Emptying SQLite's own log, by itself: whoever forgets something while it is emptied is served as well.
import { expect, it } from 'vitest'
import { createScrub } from '../../src/storage/sqlite/sqlite.ts'

/** The test says when the log is empty. */
function open() {
  const tries: PromiseWithResolvers<boolean>[] = []
  const scrub = createScrub({
    empty() {
      const one = Promise.withResolvers<boolean>()
      tries.push(one)
      return one.promise
    },
  })
  return { scrub, tries }
}

it('the log is emptied once more for what was forgotten while it was emptied, and that is waited for', async () => {
  const { scrub, tries } = open()
  const first = scrub.now(60_000)
  const later = scrub.now(60_000)
  expect(tries).toHaveLength(1)

  tries[0]?.resolve(true)
  await expect.poll(() => tries.length).toBe(2)
  // What is said only now is not in what was emptied either.
  const last = scrub.now(60_000)
  tries[1]?.resolve(true)
  await expect.poll(() => tries.length).toBe(3)
  tries[2]?.resolve(true)

  expect(await Promise.all([first, later, last])).toEqual([true, true, true])
})

it('the log is emptied anew for what is forgotten after that', async () => {
  const { scrub, tries } = open()
  const first = scrub.now(60_000)
  tries[0]?.resolve(true)
  expect(await first).toBe(true)
  const next = scrub.now(60_000)
  await expect.poll(() => tries.length).toBe(2)
  tries[1]?.resolve(true)
  expect(await next).toBe(true)
})
