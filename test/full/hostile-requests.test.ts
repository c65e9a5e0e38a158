// Requests to the bot's port that no Slack has sent: forged signatures, and bodies that are no bodies.
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { send, signedHeaders } from '../signed-request.ts'
import { openWorld, posts, type World } from '../world.ts'

const grantLine = (world: World, text = '12 dave@example.com viewer') =>
  String(
    new URLSearchParams({
      ...{ command: '/grant', text, user_id: world.alice.id, team_id: world.slack.teamId },
      ...{ channel_id: world.general.id, trigger_id: '1.2.3' },
    }),
  )

const seconds = ({ clock }: World) => String(Math.floor(clock.now() / 1000))

/** Sends bytes as they stand; resolves to all that is answered until the connection ends. */
async function raw({ url }: World, ...parts: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let heard = ''
  socket.on('data', (chunk) => {
    heard += chunk
  })
  // A bot that stops reading may reset the connection.
  socket.on('error', () => undefined)
  for (const part of parts) socket.write(part)
  await new Promise((resolve) => socket.once('close', resolve))
  return heard
}

/** It lives, and does what is asked of it. */
async function works(world: World): Promise<void> {
  expect((await fetch(`${world.url}/healthz`)).status).toBe(200)
  await world.alice.types('/alert help', world.general)
  await world.alice.sees('/alert <key>', world.general)
}

describe('a signature', () => {
  it.each([
    [
      'of another body',
      (world: World) =>
        signedHeaders(grantLine(world, '12 eve@example.com'), world.slack.signingSecret, seconds(world)),
    ],
    [
      'of another time',
      (world: World) => ({
        ...signedHeaders(grantLine(world), world.slack.signingSecret, seconds(world)),
        'x-slack-request-timestamp': String(Number(seconds(world)) - 1),
      }),
    ],
    [
      'twice',
      (world: World) => ({
        'x-slack-signature': `v0=${'0'.repeat(64)}, ${signedHeaders(grantLine(world), world.slack.signingSecret, seconds(world))['x-slack-signature']}`,
      }),
    ],
    ['by the empty secret', (world: World) => signedHeaders(grantLine(world), '', seconds(world))],
    ['of a time in other digits', () => ({ 'x-slack-request-timestamp': '1e9' })],
  ])('%s is refused with 401', async (_what, headersFor) => {
    const world = await openWorld()

    const response = await send(world, { body: grantLine(world), headers: headersFor(world) })

    expect(response.status).toBe(401)
    await world.slack.idle()
    expect(posts(world)).toEqual([])
  })

  it('given in two headers is refused, whichever of them is right', async () => {
    const world = await openWorld()
    const body = grantLine(world)
    const right = signedHeaders(body, world.slack.signingSecret, seconds(world))
    const lines = Object.entries(right).map(([name, value]) => `${name}: ${value}`)
    const wrong = `x-slack-signature: v0=${'0'.repeat(64)}`
    const head = [
      'POST /slack/events HTTP/1.1',
      'host: x',
      'connection: close',
      `content-length: ${body.length}`,
    ]

    for (const order of [
      [...lines, wrong],
      [wrong, ...lines],
    ]) {
      expect(await raw(world, `${[...head, ...order].join('\r\n')}\r\n\r\n${body}`)).toMatch(/^HTTP\/1.1 401/)
    }

    await world.slack.idle()
    expect(posts(world)).toEqual([])
  })
})

const json = { contentType: 'application/json' }

describe('a signed body', () => {
  it.each([
    ['100,000 levels deep', { body: '['.repeat(100_000) + ']'.repeat(100_000), ...json }],
    [
      'of 60,000 keys',
      {
        body: JSON.stringify(
          Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`k${index}`, 1])),
        ),
        ...json,
      },
    ],
    ['of broken percent signs', { body: 'payload=%&text=%zz%ff%c3%28' }],
    ['of another type', { body: '{"type":"url_verification","challenge":"x"}', contentType: 'text/xml' }],
    ['that says it is compressed', { body: 'command=%2Falert', headers: { 'content-encoding': 'gzip' } }],
    [
      'that is compressed',
      { body: gzipSync('command=%2Falert').toString('latin1'), headers: { 'content-encoding': 'gzip' } },
    ],
  ])('%s is answered, and the bot goes on', async (_what, forged) => {
    const world = await openWorld()

    const { status } = await send(world, forged)

    expect([200, 400, 404, 413, 500]).toContain(status)
    await works(world)
  })

  it('that is no UTF-8 is refused, and not read as something else', async () => {
    const world = await openWorld()
    const body = Buffer.from(grantLine(world).replace('dave', 'd\xff\xfeve'), 'latin1')
    const headers = signedHeaders(body, world.slack.signingSecret, seconds(world))

    const response = await fetch(`${world.url}/slack/events`, { method: 'POST', headers, body })

    expect(response.status).toBe(401)
    await world.slack.idle()
    expect(posts(world)).toEqual([])
  })
})
