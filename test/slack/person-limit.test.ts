// The bucket of each person, by the clock.
import { describe, expect, it } from 'vitest'
import { limitAlone } from './limit-alone.ts'

const alice = { workspaceId: 'T1', userId: 'U1' }
const bob = { workspaceId: 'T1', userId: 'U2' }

function open(perMinute: number, most?: number) {
  let at = 1_000_000
  const limit = limitAlone({ perMinute, now: () => at, ...(most === undefined ? {} : { most }) })
  return {
    limit,
    later: (ms: number) => {
      at += ms
    },
    takeAll: async (person = alice) => {
      let taken = 0
      while ((await limit.charge(person)) === undefined) taken += 1
      return taken
    },
  }
}

describe('the limit of a person', async () => {
  it('lets a minute’s worth in at once, and then as many as a minute brings', async () => {
    const { takeAll, later } = open(30)
    expect(await takeAll()).toBe(30)
    later(2_000)
    expect(await takeAll()).toBe(1)
    later(600_000)
    expect(await takeAll()).toBe(30)
  })

  it('is each person’s own, in each workspace', async () => {
    const { takeAll } = open(3)
    expect(await takeAll()).toBe(3)
    expect(await takeAll(bob)).toBe(3)
    expect(await takeAll({ ...alice, workspaceId: 'T2' })).toBe(3)
  })

  it('says when the next is taken, and that is true', async () => {
    const { limit, takeAll, later } = open(4)
    await takeAll()
    const { seconds = 0 } = (await limit.charge(alice)) ?? {}
    expect(seconds).toBe(15)
    later(seconds * 1000)
    expect(await limit.charge(alice)).toBeUndefined()
  })

  it.each([5, 9, 19])(
    'says when a wish for %i more is taken, with the request that asks again',
    async (more) => {
      const { limit, later } = open(10)
      await limit.charge(alice)
      await limit.chargeMore(alice, 9)
      later(30_000)
      await limit.charge(alice)
      const { seconds = 0 } = (await limit.chargeMore(alice, more)) ?? {}
      later(seconds * 1000)
      expect(await limit.charge(alice)).toBeUndefined()
      expect(await limit.chargeMore(alice, more)).toBeUndefined()
    },
  )

  it('is told once in a while, however often it is met', async () => {
    const { limit, later } = open(1)
    await limit.charge(alice)
    let told = 0
    for (let times = 0; times < 100; times += 1) {
      later(100)
      if ((await limit.charge(alice))?.isToBeTold) told += 1
    }
    expect(told).toBe(1)
    later(10_000)
    expect(await limit.charge(bob)).toBeUndefined()
    expect((await limit.charge(bob))?.isToBeTold).toBe(true)
  })

  it('counts what one request asks for on top, and never makes a big one impossible', async () => {
    const { limit, later, takeAll } = open(10)
    expect(await limit.charge(alice)).toBeUndefined()
    expect(await limit.chargeMore(alice, 0)).toBeUndefined()
    expect(await limit.chargeMore(alice, 9)).toBeUndefined()
    expect(await limit.chargeMore(alice, 1)).toMatchObject({ seconds: 12 })
    later(60_000)
    expect(await limit.charge(alice)).toBeUndefined()
    expect(await limit.chargeMore(alice, 19)).toBeUndefined()
    // It is in debt for ten.
    later(60_000)
    expect(await takeAll()).toBe(0)
    later(60_000)
    expect(await takeAll()).toBe(10)
  })

  it('gives nothing when the clock is set back, and goes on from there', async () => {
    const { takeAll, later } = open(6)
    await takeAll()
    later(-3_600_000)
    expect(await takeAll()).toBe(0)
    later(10_000)
    expect(await takeAll()).toBe(1)
  })

  it('is told at once when the clock is set back, and not for as long as it is back', async () => {
    const { limit, takeAll, later } = open(6)
    await takeAll()
    later(-3_600_000)
    const told = [await limit.charge(alice), await limit.charge(alice)].map((held) => held?.isToBeTold)
    expect(told).toEqual([true, false])
  })

  it('remembers so many people and no more', async () => {
    const { limit, takeAll } = open(2, 2)
    await takeAll()
    for (const userId of ['U3', 'U4']) await limit.charge({ workspaceId: 'T1', userId })
    expect(await takeAll()).toBe(2)
  })
})
