// Reads shared for a few seconds by one person, and by nobody else.
import { describe, expect, test } from 'vitest'
import { MonitorError } from '../../src/errors.ts'
import { type CacheOptions, shareReads } from '../../src/monitor/cache.ts'
import type { Alert } from '../../src/monitor/schema.ts'
import { failureOf } from './setup.ts'

/** A service whose answers come when the test says so. */
function sharing(options: CacheOptions = {}) {
  const asked: { token: string; ks: string; answer(message?: string): void; fail(): void }[] = []
  let now = 0
  const reads = shareReads(
    {
      readAlert(token, ks) {
        const { promise, resolve, reject } = Promise.withResolvers<Alert>()
        asked.push({
          token,
          ks,
          answer: (message = 'm') => resolve(alertOf(ks, message)),
          fail: () => reject(new MonitorError('forbidden', 'no')),
        })
        return promise
      },
    },
    { now: () => now, ...options },
  )
  const later = (ms: number) => {
    now += ms
  }
  return { reads, asked, later }
}

function alertOf(ks: string, message: string): Alert {
  const last = { lastMessage: message, lastSeverity: 3, lastTimestamp: 1 }
  return {
    ks,
    message,
    severity: 3,
    timestamp: 1,
    ...last,
    ownerId: null,
    closedTimestamp: null,
    actions: [],
  }
}

describe('one person who asks for one alert', () => {
  test('twice at once makes one request', async () => {
    const { reads, asked } = sharing()

    const both = [reads.read('ann', 't', 'k'), reads.read('ann', 't', 'k')]
    asked[0]?.answer('hello')

    expect((await Promise.all(both)).map((alert) => alert.message)).toEqual(['hello', 'hello'])
    expect(asked).toHaveLength(1)
  })

  test('again within three seconds is told the same, and after them the service is asked', async () => {
    const { reads, asked, later } = sharing()
    const first = reads.read('ann', 't', 'k')
    asked[0]?.answer('old')
    await first

    later(2_999)
    expect((await reads.read('ann', 't', 'k')).message).toBe('old')
    later(2)
    const second = reads.read('ann', 't', 'k')
    asked[1]?.answer('new')

    expect((await second).message).toBe('new')
  })

  test('again after the clock was set back asks the service', async () => {
    const { reads, asked, later } = sharing()
    later(3_600_000)
    const first = reads.read('ann', 't', 'k')
    asked[0]?.answer('old')
    await first

    later(-3_600_000)
    void reads.read('ann', 't', 'k')

    expect(asked).toHaveLength(2)
  })

  test('afresh always asks, and what is told is shared from then on', async () => {
    const { reads, asked } = sharing()
    const first = reads.read('ann', 't', 'k')
    asked[0]?.answer('old')
    await first

    const refreshed = reads.fresh('ann', 't', 'k')
    const joined = reads.read('ann', 't', 'k')
    asked[1]?.answer('new')

    expect((await refreshed).message).toBe('new')
    expect((await joined).message).toBe('new')
    expect((await reads.read('ann', 't', 'k')).message).toBe('new')
    expect(asked).toHaveLength(2)
  })

  test('afresh is not overtaken by an older answer that comes later', async () => {
    const { reads, asked } = sharing()
    const slow = reads.read('ann', 't', 'k')
    const refreshed = reads.fresh('ann', 't', 'k')

    asked[1]?.answer('new')
    await refreshed
    asked[0]?.answer('old')
    await slow

    expect((await reads.read('ann', 't', 'k')).message).toBe('new')
  })

  test('with another token is not told what the old one could see', async () => {
    const { reads, asked } = sharing()
    const first = reads.read('ann', 'old token', 'k')
    asked[0]?.answer()
    await first

    void reads.read('ann', 'new token', 'k')

    expect(asked.map((one) => one.token)).toEqual(['old token', 'new token'])
  })
})

test('a failure is told to all who wait and then forgotten, with what was known before', async () => {
  const { reads, asked } = sharing()
  const first = reads.read('ann', 't', 'k')
  asked[0]?.answer()
  await first

  const both = [reads.fresh('ann', 't', 'k'), reads.read('ann', 't', 'k')].map(failureOf)
  asked[1]?.fail()
  await Promise.all(both)
  void reads.read('ann', 't', 'k')

  expect(asked).toHaveLength(3)
})

test.each([
  [
    ['ann', 'k'],
    ['bob', 'k'],
  ],
  [
    ['a', 'b\0c'],
    ['a\0b', 'c'],
  ],
  [
    ['a"', 'b'],
    ['a', '"b'],
  ],
  [
    ['a","b', 'c'],
    ['a', 'b","c'],
  ],
  [
    ['\ud800', 'k'],
    ['\\ud800', 'k'],
  ],
])('nothing is shared between %j and %j', async ([person = '', ks = ''], [other = '', otherKs = '']) => {
  const { reads, asked } = sharing()
  const first = reads.read(person, 't', ks)
  void reads.read(other, 't', otherKs)
  expect(asked).toHaveLength(2)
  asked[0]?.answer()
  await first

  void reads.read(other, 't', otherKs)

  expect(asked).toHaveLength(2) // joined the one under way, not the first one's answer
})

describe('forgetting a person', () => {
  test('drops all that is kept of theirs and nobody else', async () => {
    const { reads, asked } = sharing()
    const all = [reads.read('ann', 't', 'k1'), reads.read('ann', 't', 'k2'), reads.read('bob', 't', 'k1')]
    for (const one of asked) one.answer()
    await Promise.all(all)

    reads.forget('ann')
    await reads.read('bob', 't', 'k1')
    void reads.read('ann', 't', 'k1')
    void reads.read('ann', 't', 'k2')

    expect(asked).toHaveLength(5)
  })

  test('does not keep an answer that was under way', async () => {
    const { reads, asked } = sharing()
    const first = reads.read('ann', 't', 'k')

    reads.forget('ann')
    asked[0]?.answer('late')
    expect((await first).message).toBe('late')
    void reads.read('ann', 't', 'k')

    expect(asked).toHaveLength(2)
  })
})

test('no more is kept than allowed', async () => {
  const { reads, asked } = sharing({ max: 2 })
  for (const ks of ['k1', 'k2', 'k3']) {
    const one = reads.read('ann', 't', ks)
    asked.at(-1)?.answer()
    await one
  }

  await reads.read('ann', 't', 'k3')
  void reads.read('ann', 't', 'k1')

  expect(asked).toHaveLength(4)
})
