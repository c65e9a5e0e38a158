// Work that is repeated from time to time, by timers that move only when they are told to.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { every } from '../../src/work/repeat.ts'

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

function startCounting() {
  let times = 0
  const work = every(1_000, async () => {
    times += 1
  })
  return { work, times: () => times }
}

describe('work that is done from time to time', () => {
  it('is done at once, then after each interval, and no more once it is stopped', async () => {
    const { work, times } = startCounting()

    work.start()
    expect(times()).toBe(1)
    await vi.advanceTimersByTimeAsync(3_000)
    expect(times()).toBe(4)

    await work.stop()
    await vi.advanceTimersByTimeAsync(3_000)
    expect(times()).toBe(4)
  })
})
