// A request is followed from its arrival until all of it is done, and told of once.
import { App } from '@slack/bolt'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { createLog } from '../../src/log/log.ts'
import { requestNow } from '../../src/log/request.ts'
import { Listeners } from '../../src/slack/guard/listeners.ts'
import { createIntake, follow } from '../../src/slack/inbound/intake.ts'
import { type Handled, nobodyCounts, type SlackObserver } from '../../src/slack/observer.ts'

type Process = (event: { readonly ack: (content?: unknown) => Promise<void> }) => Promise<void>

const nobodyAcks = async () => true
const patient = { timeout: 30_000, interval: 5 }

function open(process: Process) {
  let at = 0
  const handled: Handled[] = []
  const acked: (readonly [string, number])[] = []
  const observer: SlackObserver = {
    ...nobodyCounts,
    handled: (one) => void handled.push(one),
    acked: (kind, ms) => void acked.push([kind, ms]),
  }
  const room = {
    observer,
    log: createLog({ level: 'silent' }),
    monotonic: () => at,
  }
  const later = (ms: number) => {
    at += ms
  }
  const come = (body: Record<string, unknown>) =>
    follow(room, body, nobodyAcks, (ack) => process({ ack: (content) => ack(content) }))
  return { come, later, handled, acked }
}

it('has the time of its first ack, and is done when the last of it is', async () => {
  const rest = Promise.withResolvers<void>()
  const { come, later, handled, acked } = open(async ({ ack }) => {
    later(20)
    await ack()
    later(30)
    await ack()
    requestNow()?.goesOn.push(rest.promise)
  })
  await come({ command: '/alert' })
  expect(acked).toEqual([['command', 20]])
  expect(handled).toEqual([])
  later(50)
  rest.resolve()
  await expect
    .poll(() => handled, patient)
    .toEqual([{ kind: 'command', about: 'none', outcome: 'ok', ms: 100 }])
})

it('that nobody could read has failed, and is of a kind of which there are few', async () => {
  const { come, handled } = open(async () => {
    throw new Error('not read')
  })
  const bodies = [
    '__proto__',
    'constructor',
    'x'.repeat(1_000),
    7,
    'view_closed',
    'block_actions',
    'message_action',
  ]
  for (const type of bodies) await expect(come({ type })).rejects.toThrow('not read')
  await expect.poll(() => handled.length, patient).toBe(bodies.length)
  expect(handled.map(({ kind }) => kind)).toEqual([...Array(5).fill('other'), 'press', 'shortcut'])
  expect(new Set(handled.map(({ outcome }) => outcome))).toEqual(new Set(['failed']))
})

/** What the log gets of a command whose listener does this. */
async function logOf(listener: () => void) {
  const lines: string[] = []
  const log = createLog({ level: 'warn', destination: { write: (line) => void lines.push(line) } })
  const intake = createIntake({ observer: nobodyCounts, log, now: Date.now })
  const app = new App({
    receiver: { init: intake.init, start: async () => undefined, stop: async () => undefined },
    authorize: async () => ({}),
  })
  app.error(async (error) => {
    throw error
  })
  new Listeners(app).command('/alert', async () => listener())
  const body = { command: '/alert', user_id: 'U1', team_id: 'T1', channel_id: 'C1' }
  const result = await intake.take({ body, ack: nobodyAcks, retryNum: undefined, retryReason: undefined })
  return { result, lines: lines.map((line) => JSON.parse(line)) }
}

it('that fails by a defect of ours is in the log with its stack, and not as one that nobody could read', async () => {
  const { result, lines } = await logOf(() => {
    throw new TypeError('ours')
  })
  expect(result).toBe('failed')
  expect(lines).toMatchObject([{ level: 'error', msg: 'a request failed', kind: 'command' }])
  expect(lines[0].err.stack).toMatch(/ours[\s\S]*intake\.test/)
})

it('that has not the shape it should have is in the log by its kind alone', async () => {
  const { result, lines } = await logOf(() => void z.object({ text: z.string() }).parse({ text: 7 }))
  expect(result).toBe('unreadable')
  expect(lines).toMatchObject([{ kind: 'command', msg: 'a request from Slack could not be read' }])
})
