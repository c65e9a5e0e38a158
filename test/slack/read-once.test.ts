// Reading of a line, counted: once, and a long one only when its sender has been counted.
import { App, LogLevel } from '@slack/bolt'
import { describe, expect, it } from 'vitest'
import { actUndone } from '../../src/act/render/verdict.ts'
import { alertUndone, monitorSentence } from '../../src/alert/render/no-card.ts'
import { grantUndone } from '../../src/grant/render/explain.ts'
import { createGate } from '../../src/slack/gate/gate.ts'
import { createGuard } from '../../src/slack/guard/guard.ts'
import type { CommandRequest, Mention } from '../../src/slack/guard/requests.ts'
import { createWork } from '../../src/work/under-way.ts'
import { keepLog } from '../keep-log.ts'

const installation = {
  ...{ teamId: 'T1', teamName: undefined, enterpriseId: undefined, isOrgWide: false },
  ...{ botUserId: 'UBOT', botId: undefined, url: undefined, scopes: undefined },
}
const person = { workspaceId: 'T1', userId: 'U1', name: 'alice' }

interface Ask {
  readonly line: string
}

/** A guard before one command, and before the same words in a direct message. @param perMinute - From each person. */
function open(perMinute: number) {
  const read: string[] = []
  const done: string[] = []
  const told: string[] = []
  const { log } = keepLog('warn')
  const work = createWork()
  const delivery = {
    privately: async (_place: unknown, { text }: { readonly text: string }) => void told.push(text),
  }
  const undone = { alert: alertUndone, act: actUndone, grant: grantUndone }
  const gate = createGate({ perMinute, undone, now: () => 0 })
  const known = new Set<string>()
  const claim = async (_workspaceId: string, key: string) => !known.has(key) && known.add(key).has(key)
  const writerOf = async () => ({ name: 'alice', handle: 'alice', isBot: false, isStranger: false })
  const guard = createGuard({
    ...{
      isKnown: () => true,
      installation: async () => installation,
      isTokenGood: async () => true,
      personOf: async () => person,
      gate,
      once: { claim },
    },
    people: { in: () => ({ writerOf }) },
    scopes: { in: () => ({ isOn: async () => true }) },
    heldAcks: { during: (_url, ack, work) => ack().then(work) },
    ...{ ackedViews: { acked: () => undefined }, delivery, undone, monitorSentence },
    ...{ work, log, now: () => 0, wait: async () => undefined },
    stopping: new AbortController().signal,
  })
  const parse = (line: string) => {
    read.push(line)
    return { line }
  }
  const command = {
    parse,
    isUnlimited: ({ line }: Ask) => line === 'disconnect',
    isReadOnly: ({ line }: Ask) => line === 'help',
    run: async (_request: CommandRequest | Mention, { line }: Ask) => void done.push(line),
  }
  const app = new App({
    receiver: { init: () => undefined, start: async () => undefined, stop: async () => undefined },
    authorize: async () => ({}),
    logLevel: LogLevel.ERROR,
    ignoreSelf: false,
  })
  app.command('/alert', guard.command('alert', command))
  app.event(
    'message',
    guard.mention(() => 'alert', { ...command, parse: ({ text }) => parse(text) }),
  )
  let ids = 0
  async function types(text: string, trigger?: string): Promise<unknown> {
    ids += 1
    let acked: unknown
    const body = {
      ...{
        command: '/alert',
        text,
        user_id: 'U1',
        team_id: 'T1',
        channel_id: 'C1',
        trigger_id: trigger ?? `${ids}.1`,
      },
    }
    const ack = async (answer: unknown) => {
      acked = answer
    }
    await app.processEvent({ body, ack })
    await work.done()
    return acked
  }
  async function says(text: string): Promise<void> {
    ids += 1
    const message = { type: 'message', ts: `${ids}.1`, user: 'U1', channel: 'D1', channel_type: 'im', text }
    const body = { type: 'event_callback', team_id: 'T1', event: message }
    await app.processEvent({ body, ack: async () => undefined })
    await work.done()
  }
  return { types, says, read, done, told }
}

const long = 'key '.repeat(100)
const tooLong = 'key '.repeat(10_000)

describe.each(['types', 'says'] as const)('a line that somebody %s', (how) => {
  it.each(['5HkX', 'help', 'disconnect', long])('is read once: %s', async (line) => {
    const world = open(5)
    await world[how](line)
    expect(world.read).toEqual([line])
    expect(world.done).toEqual([line])
  })

  it('is not read when it is long and they ask too fast; what takes something away still is', async () => {
    const world = open(1)
    await world[how](long)
    await world[how](long)
    await world[how]('disconnect')
    expect(world.read).toEqual([long, 'disconnect'])
    expect(world.done).toEqual([long, 'disconnect'])
    expect(world.told.join()).toContain('1 request a minute')
  })

  it('is never read when it is longer than anybody types', async () => {
    const world = open(5)
    const acked = await world[how](tooLong)
    expect(world.read).toEqual([])
    expect([acked, ...world.told].join()).toContain('40,000 characters long')
  })
})

it('does nothing twice, when the same command comes again, and tells as often as it comes', async () => {
  const { types, done } = open(10)
  for (const line of ['5HkX', '5HkX', 'help', 'help']) await types(line, `${line}.1`)
  expect(done).toEqual(['5HkX', 'help', 'help'])
})
