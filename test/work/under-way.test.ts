// Work under way: a stop waits for all of it, and for what it has begun meanwhile.
import { expect, it } from 'vitest'
import { createWork } from '../../src/work/under-way.ts'

it('all work is waited for, however it ends, and what begins meanwhile', async () => {
  const work = createWork()
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const failing = work.run(() => first.promise)
  let isDone = false
  const done = work.done().then(() => {
    isDone = true
  })
  void work.track(second.promise)
  first.reject(new Error('no'))
  await expect(failing).rejects.toThrow('no')
  expect(isDone).toBe(false)
  second.resolve()
  await done
  expect(isDone).toBe(true)
})
