// Tries of an event: how long it is tried, by the pauses between them.
import { App, LogLevel } from '@slack/bolt'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { createLog } from '../../src/log/log.ts'
import { createEventGuard } from '../../src/slack/guard/event-guard.ts'
import { nobodyCounts } from '../../src/slack/observer.ts'
import { createWork } from '../../src/work/under-way.ts'

const installation = {
  ...{ teamId: 'T1', teamName: undefined, enterpriseId: undefined, isOrgWide: false },
  ...{ botUserId: 'UBOT', botId: undefined, url: undefined, scopes: undefined },
}
const find = async () => installation
const patient = { timeout: 30_000, interval: 5 }

/** Events whose listener always fails. @param wait - Of a pause; the clock goes on by as much. */
function open(
  wait: (ms: number) => Promise<void> = async () => undefined,
  fail: () => void = () => {
    throw new Error('no')
  },
) {
  let at = 1_000_000
  const pauses: number[] = []
  const tries: boolean[] = []
  const lines: string[] = []
  const stopping = new AbortController()
  const guard = createEventGuard({
    installations: {
      forRequest: find,
      forEvent: find,
      forPerson: async () => [installation],
      forLeaving: find,
    },
    work: createWork(),
    log: createLog({ level: 'warn', destination: { write: (line) => void lines.push(line) } }),
    observer: nobodyCounts,
    now: () => at,
    wait(ms) {
      pauses.push(ms)
      at += ms
      return wait(ms)
    },
    stopping: stopping.signal,
  })
  const app = new App({
    receiver: { init: () => undefined, start: async () => undefined, stop: async () => undefined },
    authorize: async () => ({}),
    logLevel: LogLevel.ERROR,
  })
  app.event(
    'link_shared',
    guard(async ({ isAgain }) => {
      tries.push(isAgain)
      fail()
    }),
  )
  const body = { type: 'event_callback', team_id: 'T1', event: { type: 'link_shared' } }
  const come = () => app.processEvent({ body, ack: async () => undefined })
  const givenUp = () => lines.filter((line) => line.includes('giving up')).length
  return { come, pauses, tries, stopping, givenUp }
}

it('is tried for ten minutes, at first soon and then each minute', async () => {
  const { come, pauses, tries, givenUp } = open()
  await come()
  await expect.poll(givenUp, patient).toBe(1)
  expect(pauses.map((ms) => ms / 1000)).toEqual([1, 2, 4, 8, 16, 32, ...Array(9).fill(60)])
  expect(tries).toEqual([false, ...pauses.map(() => true)])
})

it('is tried as long where its listener cannot read something else', async () => {
  const { come, tries, givenUp } = open(
    async () => undefined,
    () => void z.string().parse(7),
  )
  await come()
  await expect.poll(givenUp, patient).toBe(1)
  expect(tries.length).toBeGreaterThan(10)
})

it('is tried once more when the bot stops, and then given up', async () => {
  const { come, pauses, tries, stopping, givenUp } = open(() => new Promise(() => undefined))
  await come()
  await expect.poll(() => pauses.length, patient).toBe(1)
  stopping.abort()
  await expect.poll(givenUp, patient).toBe(1)
  expect(tries).toEqual([false, true])
})

it('is given up at once when two thousand others wait', async () => {
  const { come, pauses, givenUp } = open(() => new Promise(() => undefined))
  for (let count = 0; count < 2_000; count += 1) await come()
  await expect.poll(() => pauses.length, patient).toBe(2_000)
  expect(givenUp()).toBe(0)
  await come()
  await expect.poll(givenUp, patient).toBe(1)
  expect(pauses).toHaveLength(2_000)
})
