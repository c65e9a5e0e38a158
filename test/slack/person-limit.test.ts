// The bucket of each person, by the clock.
import { describe, expect, it } from 'vitest'
import { createPersonLimit } from '../../src/slack/person-limit.ts'

const alice = { workspaceId: 'T1', userId: 'U1' }
const bob = { workspaceId: 'T1', userId: 'U2' }

function open(perMinute: number, most?: number) {
  let at = 1_000_000
  const limit = createPersonLimit({ perMinute, now: () => at, ...(most === undefined ? {} : { most }) })
  return {
    limit,
    later: (ms: number) => {
      at += ms
    },
    takeAll: (person = alice) => {
      let taken = 0
      while (limit.take(person) === undefined) taken += 1
      return taken
    },
  }
}

describe('the limit of a person', () => {
  it('lets a minute’s worth in at once, and then as many as a minute brings', () => {
    const { takeAll, later } = open(30)
    expect(takeAll()).toBe(30)
    later(2_000)
    expect(takeAll()).toBe(1)
    later(600_000)
    expect(takeAll()).toBe(30)
  })

  it('is each person’s own, in each workspace', () => {
    const { takeAll } = open(3)
    expect(takeAll()).toBe(3)
    expect(takeAll(bob)).toBe(3)
    expect(takeAll({ ...alice, workspaceId: 'T2' })).toBe(3)
  })

  it('says when the next is taken, and that is true', () => {
    const { limit, takeAll, later } = open(4)
    takeAll()
    const { seconds = 0 } = limit.take(alice) ?? {}
    expect(seconds).toBe(15)
    later(seconds * 1000)
    expect(limit.take(alice)).toBeUndefined()
  })

  it.each([5, 9, 19])('says when a wish for %i more is taken, with the request that asks again', (more) => {
    const { limit, later } = open(10)
    limit.take(alice)
    limit.takeMore(alice, 9)
    later(30_000)
    limit.take(alice)
    const { seconds = 0 } = limit.takeMore(alice, more) ?? {}
    later(seconds * 1000)
    expect(limit.take(alice)).toBeUndefined()
    expect(limit.takeMore(alice, more)).toBeUndefined()
  })

  it('is told once in a while, however often it is met', () => {
    const { limit, later } = open(1)
    limit.take(alice)
    const told = Array.from({ length: 100 }, () => {
      later(100)
      return limit.take(alice)?.isToBeTold
    })
    expect(told.filter(Boolean)).toHaveLength(1)
    later(10_000)
    expect(limit.take(bob)).toBeUndefined()
    expect(limit.take(bob)?.isToBeTold).toBe(true)
  })

  it('counts what one request asks for on top, and never makes a big one impossible', () => {
    const { limit, later, takeAll } = open(10)
    expect(limit.take(alice)).toBeUndefined()
    expect(limit.takeMore(alice, 0)).toBeUndefined()
    expect(limit.takeMore(alice, 9)).toBeUndefined()
    expect(limit.takeMore(alice, 1)).toMatchObject({ seconds: 12 })
    later(60_000)
    expect(limit.take(alice)).toBeUndefined()
    expect(limit.takeMore(alice, 19)).toBeUndefined()
    // It is in debt for ten.
    later(60_000)
    expect(takeAll()).toBe(0)
    later(60_000)
    expect(takeAll()).toBe(10)
  })

  it('gives nothing when the clock is set back, and goes on from there', () => {
    const { takeAll, later } = open(6)
    takeAll()
    later(-3_600_000)
    expect(takeAll()).toBe(0)
    later(10_000)
    expect(takeAll()).toBe(1)
  })

  it('is told at once when the clock is set back, and not for as long as it is back', () => {
    const { limit, takeAll, later } = open(6)
    takeAll()
    later(-3_600_000)
    expect([limit.take(alice)?.isToBeTold, limit.take(alice)?.isToBeTold]).toEqual([true, false])
  })

  it('remembers so many people and no more', () => {
    const { limit, takeAll } = open(2, 2)
    takeAll()
    for (const userId of ['U3', 'U4']) limit.take({ workspaceId: 'T1', userId })
    expect(takeAll()).toBe(2)
  })
})
