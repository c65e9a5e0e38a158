// Waits for work under way: for all of it at a stop, for one piece no longer than so, and with a word when it takes long.
import { expect, it, vi } from 'vitest'
import { createWork, inTime, whenSlow } from '../../src/work/under-way.ts'

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

it('gives what the work comes to, nothing when it takes longer, and fails as the work does', async () => {
  const never = new Promise<string>(() => undefined)

  expect(await inTime(Promise.resolve('done'), 60_000)).toBe('done')
  expect(await inTime(never, 1)).toBeUndefined()
  await expect(inTime(Promise.reject(new Error('no')), 60_000)).rejects.toThrow('no')
})

it('says nothing about work that is done in time, or fails in time', async () => {
  const say = vi.fn(async () => undefined)

  expect(await whenSlow(Promise.resolve('done'), 60_000, say)).toBe('done')
  await expect(whenSlow(Promise.reject(new Error('no')), 60_000, say)).rejects.toThrow('no')

  expect(say).not.toHaveBeenCalled()
})

it('says once that work takes long, and comes to its end behind that', async () => {
  const work = Promise.withResolvers<string>()
  const order: string[] = []
  const said = Promise.withResolvers<void>()

  const waited = whenSlow(work.promise, 1, () => {
    order.push('begins to say')
    return said.promise.then(() => void order.push('has said'))
  }).then((value) => order.push(value))
  await expect.poll(() => order).toEqual(['begins to say'])
  work.resolve('done')
  said.resolve()
  await waited

  expect(order).toEqual(['begins to say', 'has said', 'done'])
})

it('fails as the work does that has taken long', async () => {
  const work = Promise.withResolvers<string>()

  const waited = whenSlow(work.promise, 1, async () => work.reject(new Error('no')))

  await expect(waited).rejects.toThrow('no')
})
