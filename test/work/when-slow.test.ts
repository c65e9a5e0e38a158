// Work that takes long, and whoever waits for it.
import { expect, it, vi } from 'vitest'
import { whenSlow } from '../../src/work/under-way.ts'

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
