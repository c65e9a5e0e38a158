import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import { interaction, send } from '../signed-request.ts'
import { openWorld, type World } from '../world.ts'

const secret = 'secret-3f5a77'

/** Signed, and nothing that Slack sends; each holds a secret somewhere. */
const unreadables = [
  ['a command without a channel', { body: `command=%2Falert&user_id=U1&text=${secret}` }, 'command'],
  [
    'a press without a person',
    interaction({ type: 'block_actions', actions: [{ action_id: 'alert.refresh', value: secret }] }),
    'press',
  ],
  [
    'a submission without a person',
    interaction({
      type: 'view_submission',
      view: { type: 'modal', callback_id: 'account.connect', id: secret },
    }),
    'submission',
  ],
] as const

const errors = ({ log }: World) =>
  log.map((line) => JSON.parse(line)).filter(({ level }) => level === 'error')

describe('a signed request that does not have the shape of one', () => {
  it.each(unreadables)('%s fails, and the log has nothing of what is in it', async (_what, forged, kind) => {
    const world = await openWorld()

    expect((await send(world, forged)).status).toBe(500)

    expect(errors(world)).toMatchObject([{ kind, msg: 'a request failed' }])
    expect(world.log.join('')).not.toContain(secret)
  })

  it('is not tried again when it is an event, which would not become readable', async () => {
    const world = await openWorld()
    const { slack, waits } = world
    const before = waits.length

    await slack.event({ type: 'user_change', user: secret })
    await slack.event({ type: 'tokens_revoked', tokens: null })
    await slack.idle()

    expect(waits.slice(before)).toEqual([])
    expect(errors(world)).toMatchObject([{ event: 'user_change' }, { event: 'tokens_revoked' }])
    expect(world.log.join('')).not.toContain(secret)
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
