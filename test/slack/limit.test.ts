// The bucket of each person, by the clock.
import { describe, expect, it } from 'vitest'
import { createLimit } from '../../src/slack/guard/limit.ts'

const alice = { userId: 'U1' }
const bob = { userId: 'U2' }

function open(perMinute: number) {
  let at = 1_000_000
  const limit = createLimit(perMinute, () => at)
  return {
    limit,
    later: (ms: number) => {
      at += ms
    },
    takeAll: (person = alice) => {
      let taken = 0
      while (limit.charge(person) === 0) taken += 1
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

  it('is each person’s own', () => {
    const { takeAll } = open(3)
    expect(takeAll()).toBe(3)
    expect(takeAll(bob)).toBe(3)
  })

  it('says when the next is taken, and that is true', () => {
    const { limit, takeAll, later } = open(4)
    takeAll()
    const seconds = limit.charge(alice)
    expect(seconds).toBe(15)
    later(seconds * 1000)
    expect(limit.charge(alice)).toBe(0)
  })

  it('gives nothing when the clock is set back, and goes on from there', () => {
    const { takeAll, later } = open(6)
    takeAll()
    later(-3_600_000)
    expect(takeAll()).toBe(0)
    later(10_000)
    expect(takeAll()).toBe(1)
  })
})
