import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { interaction, send } from '../signed-request.ts'
import { openWorld, type World } from '../world.ts'

const secret = 'secret-3f5a77'

/** Signed, and nothing that Slack sends; each holds a secret somewhere. */
const unreadables = [
  ['a command without a channel', { body: `command=%2Falert&user_id=U1&text=${secret}` }, 400, 'command'],
  [
    'a press without a person',
    interaction({ type: 'block_actions', actions: [{ action_id: 'alert.refresh', value: secret }] }),
    400,
    'block_actions',
  ],
  [
    'a submission without a person',
    interaction({
      type: 'view_submission',
      view: { type: 'modal', callback_id: 'account.connect', id: secret },
    }),
    400,
    'view_submission',
  ],
  [
    'an event that is a word',
    { body: JSON.stringify({ event: secret }), contentType: 'application/json' },
    400,
    'event',
  ],
  ['something without a kind', { body: `text=${secret}` }, 400, 'unknown'],
  [
    'a challenge that is no word',
    {
      body: JSON.stringify({ type: 'url_verification', challenge: [secret] }),
      contentType: 'application/json',
    },
    400,
    'url_verification',
  ],
  ['JSON that breaks off', { body: `{"${secret}`, contentType: 'application/json' }, 400, 'unreadable'],
] as const

const warnings = ({ log }: World) =>
  log.map((line) => JSON.parse(line)).filter(({ level }) => level === 'warn')

describe('a signed request that does not have the shape of one', () => {
  it.each(unreadables)(
    '%s is refused, and the log gets its kind alone',
    async (_what, forged, status, kind) => {
      const world = await openWorld()

      const response = await send(world, forged)

      expect(response.status).toBe(status)
      expect(warnings(world)).toMatchObject([{ kind, msg: 'a request from Slack could not be read' }])
      expect(world.log.join('')).not.toContain(secret)
      expect(world.log.filter((line) => JSON.parse(line).level === 'error')).toEqual([])
    },
  )

  it('is written down once a minute, with how many there were, however many come', async () => {
    const world = await openWorld()

    for (let index = 0; index < 20; index += 1) await send(world, { body: 'text=x' })
    world.clock.advance(60_001)
    await send(world, { body: 'text=x' })

    expect(warnings(world)).toMatchObject([{ unsaid: 0 }, { unsaid: 19 }])
  })

  it('is not tried again when it is an event, which would not become readable', async () => {
    const world = await openWorld()
    const { slack, waits } = world
    const before = waits.length

    await slack.event({ type: 'user_change', user: secret })
    await slack.event({ type: 'tokens_revoked', tokens: null })
    await slack.idle()

    expect(waits.slice(before)).toEqual([])
    expect(warnings(world)).toMatchObject([{ kind: 'event user_change' }, { kind: 'event tokens_revoked' }])
    expect(world.log.join('')).not.toContain(secret)
  })

  it('is noted the same way when it comes over the socket', async () => {
    const world = await openWorld({ transport: 'socket' })
    const { slack } = world

    await slack.socket.send('slash_commands', { command: '/alert', text: secret }, 200)
    await slack.socket.send('events_api', { event: secret }, 200)

    expect(warnings(world)).toMatchObject([{ kind: 'command' }, { kind: 'event' }])
    expect(world.log.filter((line) => JSON.parse(line).level === 'error')).toEqual([])
    expect(world.log.join('')).not.toContain(secret)
  })
})

describe('a payload of a kind that nobody knows', () => {
  it('is written down once, however often it comes over the socket', async () => {
    const world = await openWorld({ transport: 'socket' })
    const { slack } = world

    for (let index = 0; index < 3; index += 1) await slack.socket.send('interactive', { text: secret }, 50)

    expect(warnings(world)).toMatchObject([{ kind: 'unknown', unsaid: 0 }])
  })
})

describe('a body that breaks off', () => {
  it('of a sender without a signature leaves no line in the log', async () => {
    const world = await openWorld({ isAliceConnected: false })
    await world.slack.idle()
    const before = world.log.length
    const { hostname, port } = new URL(world.url)
    const socket = connect(Number(port), hostname)
    socket.write('POST /slack/events HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nhalf', () =>
      socket.destroy(),
    )
    await new Promise((resolve) => socket.once('close', resolve))

    expect((await fetch(`${world.url}/healthz`)).status).toBe(200)
    expect(world.log.slice(before)).toEqual([])
  })
})
