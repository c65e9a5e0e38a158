import { describe, expect, it } from 'vitest'
import { type Forged, grantCommand, secondsOf, send, signedHeaders } from '../signed-request.ts'
import { openWorld, posts, type World } from '../world.ts'

describe('a signature', () => {
  const signed = (world: World, body = grantCommand(world)) =>
    signedHeaders(body, world.slack.signingSecret, secondsOf(world))

  it.each<[string, (world: World) => Partial<Forged>]>([
    ['of another body', (world) => ({ headers: signed(world, grantCommand(world, '12 eve@a.b')) })],
    [
      'of another time',
      (world) => ({
        headers: {
          ...signed(world),
          'x-slack-request-timestamp': String(Number(secondsOf(world)) - 1),
        },
      }),
    ],
    [
      'twice',
      (world) => ({
        headers: {
          'x-slack-signature': `v0=${'0'.repeat(64)}, ${signed(world)['x-slack-signature']}`,
        },
      }),
    ],
    ['by another secret', () => ({ secret: 'guessed' })],
    ['by the empty secret', () => ({ secret: '' })],
    ['of a time in other digits', () => ({ headers: { 'x-slack-request-timestamp': '1e9' } })],
  ])('%s is refused with 401', async (_what, forged) => {
    const world = await openWorld()

    const response = await send(world, { body: grantCommand(world), ...forged(world) })

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
