import { describe, expect, it } from 'vitest'
import { grantCommand, secondsOf, send, signedHeaders } from '../signed-request.ts'
import { openWorld, posts, type World } from '../world.ts'

describe('a signature', () => {
  it.each([
    [
      'of another body',
      (world: World) =>
        signedHeaders(
          grantCommand(world, '12 eve@example.com'),
          world.slack.signingSecret,
          secondsOf(world),
        ),
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
    [
      'by another secret',
      (world: World) => signedHeaders(grantCommand(world), 'guessed', secondsOf(world)),
    ],
    [
      'by the empty secret',
      (world: World) => signedHeaders(grantCommand(world), '', secondsOf(world)),
    ],
    ['of a time in other digits', () => ({ 'x-slack-request-timestamp': '1e9' })],
  ])('%s is refused with 401', async (_what, headersFor) => {
    const world = await openWorld()

    const response = await send(world, { body: grantCommand(world), headers: headersFor(world) })

    expect(response.status).toBe(401)
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
})

describe('what Slack sends to check the address', () => {
  it('is answered: the challenge', async () => {
    const world = await openWorld()

    const body = JSON.stringify({ type: 'url_verification', challenge: 'abc' })
    const response = await send(world, { body, contentType: 'application/json' })

    expect(await response.json()).toEqual({ challenge: 'abc' })
  })
})
