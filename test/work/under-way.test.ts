// Work under way, as the gate counts it: what does something, and what only waits.
import { describe, expect, it } from 'vitest'
import { createWork } from '../../src/work/under-way.ts'

describe('work', () => {
  it('that it begins itself is part of it; while one of them waits, all of it does', async () => {
    const work = createWork()
    const slack = Promise.withResolvers<void>()

    const done = work.run(() => work.run(() => work.pause(slack.promise)))

    expect([work.size(), work.waiting()]).toEqual([0, 1])
    slack.resolve()
    await done
    await work.done()
    expect([work.size(), work.waiting()]).toEqual([0, 0])
  })

  it('that begins something for later, and is done, has nothing to do with it any more', async () => {
    const work = createWork()
    const [later, slack] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let waits: Promise<void> | undefined
    let begun: Promise<void> | undefined
    await work.run(async () => {
      waits = later.promise.then(() => work.pause(slack.promise))
      begun = later.promise.then(() => work.run(() => slack.promise))
    })
    await work.done()

    later.resolve()
    await new Promise(setImmediate)

    expect([work.size(), work.waiting()]).toEqual([1, 0])
    slack.resolve()
    await Promise.all([waits, begun])
    await work.done()
    expect([work.size(), work.waiting()]).toEqual([0, 0])
  })

  it('that fails before it begins is not counted', async () => {
    const work = createWork()
    const failing = () => {
      throw new Error('at once')
    }

    await work.run(async () => {
      expect(() => work.run(failing)).toThrow('at once')
    })

    await work.done()
    expect(work.size()).toBe(0)
  })
})
