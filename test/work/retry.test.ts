// Retries, by a clock that moves only when somebody waits.
import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { doubling, retry, unlessStopped } from '../../src/work/retry.ts'

function startClock() {
  const pauses: number[] = []
  return {
    pauses,
    async wait(ms: number) {
      pauses.push(ms)
    },
  }
}

/** Work that fails so many times, and then says how often it was done. */
function failing(times: number) {
  let tries = 0
  return async () => {
    tries += 1
    if (tries <= times) throw new Error(`failed ${tries}`)
    return tries
  }
}

describe('work that failed', () => {
  it('is done again after each pause, which doubles up to the longest', async () => {
    const { wait, pauses } = startClock()
    const pauseOf = doubling(500, 3_000)

    expect(await retry(failing(5), { pauseAfter: (_, tries) => pauseOf(tries), wait })).toBe(6)
    expect(pauses).toEqual([500, 1_000, 2_000, 3_000, 3_000])
  })

  it('for good is done no more: its own error goes out', async () => {
    const { wait, pauses } = startClock()
    const pauseAfter = (_: unknown, tries: number) => (tries === 2 ? undefined : 1)
    await expect(retry(failing(5), { pauseAfter, wait })).rejects.toThrow('failed 2')
    expect(pauses).toEqual([1])
  })

  it('is done no more once all stops, also when that is in a pause', async () => {
    const stop = new AbortController()
    const wait = async () => stop.abort()
    const stopping = stop.signal
    await expect(retry(failing(5), { pauseAfter: () => 1, wait, stopping })).rejects.toThrow(
      'failed 1',
    )
    await expect(retry(failing(5), { pauseAfter: () => 1, wait, stopping })).rejects.toThrow(
      'failed 1',
    )
  })
})

describe('a wait that a stop ends', () => {
  it('leaves nothing at the signal once it is over, however often somebody waits', async () => {
    const { signal } = new AbortController()
    for (let times = 0; times < 3; times += 1) await unlessStopped(Promise.resolve(), signal)
    await expect(unlessStopped(Promise.reject(new Error('no')), signal)).rejects.toThrow('no')
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})
