import { describe, expect, it } from 'vitest'
import { openBareConnection } from '../bare-connection.ts'
import { grantCommand, secondsOf, send, signedHeaders } from '../signed-request.ts'
import { openWorld, posts, type World } from '../world.ts'

describe('a signature', () => {
  it.each([
    [
      'of another body',
      (world: World) =>
        signedHeaders(grantCommand(world, '12 eve@example.com'), world.slack.signingSecret, secondsOf(world)),
    ],
    [
      'of another time',
      (world: World) => ({
        ...signedHeaders(grantCommand(world), world.slack.signingSecret, secondsOf(world)),
        'x-slack-request-timestamp': String(Number(secondsOf(world)) - 1),
      }),
    ],
    [
      'twice',
      (world: World) => ({
        'x-slack-signature': `v0=${'0'.repeat(64)}, ${signedHeaders(grantCommand(world), world.slack.signingSecret, secondsOf(world))['x-slack-signature']}`,
      }),
    ],
    ['by another secret', (world: World) => signedHeaders(grantCommand(world), 'guessed', secondsOf(world))],
    ['by the empty secret', (world: World) => signedHeaders(grantCommand(world), '', secondsOf(world))],
    ['of a time in other digits', () => ({ 'x-slack-request-timestamp': '1e9' })],
  ])('%s is refused with 401', async (_what, headersFor) => {
    const world = await openWorld()

    const response = await send(world, { body: grantCommand(world), headers: headersFor(world) })

    expect(response.status).toBe(401)
    await world.slack.idle()
    expect(posts(world)).toEqual([])
  })

  it('given in two headers is refused, whichever of them is right', async () => {
    const world = await openWorld()
    const body = grantCommand(world)
    const right = signedHeaders(body, world.slack.signingSecret, secondsOf(world))
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
      const connection = openBareConnection(world.url)
      connection.write(`${[...head, ...order].join('\r\n')}\r\n\r\n${body}`)
      expect(await connection.closed).toMatch(/^HTTP\/1.1 401/)
    }

    await world.slack.idle()
    expect(posts(world)).toEqual([])
  })
})

describe('a signed request', () => {
  it('of nearly five minutes ago is taken', async () => {
    const world = await openWorld()

    const response = await send(world, { body: grantCommand(world), ageSeconds: 299 })

    expect(response.status).toBe(200)
    await world.alice.sees('Granted', world.general)
  })

  it('of more than half a megabyte is refused', async () => {
    const world = await openWorld()

    const response = await send(world, { body: `text=${'x'.repeat(512 * 1024)}` }).catch(
      (error: unknown) => error,
    )

    // The bot stops reading; whether the client still hears the 413 is the network's to decide.
    if (response instanceof Response) expect(response.status).toBe(413)
    else expect(response).toBeInstanceOf(TypeError)
    expect((await fetch(`${world.url}/healthz`)).status).toBe(200)
  })
})

describe('what Slack sends to check the address', () => {
  it('is answered: the challenge', async () => {
    const world = await openWorld()

    const body = JSON.stringify({ type: 'url_verification', challenge: 'abc' })
    const response = await send(world, { body, contentType: 'application/json' })

    expect(await response.json()).toEqual({ challenge: 'abc' })
  })
})

describe('the other paths', () => {
  it('are 404', async () => {
    const world = await openWorld()

    expect((await fetch(`${world.url}/`)).status).toBe(404)
    expect((await fetch(`${world.url}/slack/events`)).status).toBe(404)
  })
})
