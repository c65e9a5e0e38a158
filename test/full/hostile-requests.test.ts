// Requests to the bot's port that no Slack has sent: bodies that are no bodies. Forged signatures: slack/receiver.test.ts.
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { grantCommand, secondsOf, send, signedHeaders } from '../signed-request.ts'
import { openWorld, posts, type World } from '../world.ts'

/** It lives, and does what is asked of it. */
async function works(world: World): Promise<void> {
  expect((await fetch(`${world.url}/healthz`)).status).toBe(200)
  await world.alice.types('/alert help', world.general)
  await world.alice.sees('/alert <key>', world.general)
}

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
    [
      'of another type',
      { body: '{"type":"url_verification","challenge":"x"}', contentType: 'text/xml' },
    ],
    [
      'that says it is compressed',
      { body: 'command=%2Falert', headers: { 'content-encoding': 'gzip' } },
    ],
    [
      'that is compressed',
      {
        body: gzipSync('command=%2Falert').toString('latin1'),
        headers: { 'content-encoding': 'gzip' },
      },
    ],
  ])('%s is answered, and the bot goes on', async (_what, forged) => {
    const world = await openWorld()

    const { status } = await send(world, forged)

    expect([200, 400, 404, 413, 500]).toContain(status)
    await works(world)
  })

  it('that is no UTF-8 is refused, and not read as something else', async () => {
    const world = await openWorld()
    const body = Buffer.from(grantCommand(world).replace('dave', 'd\xff\xfeve'), 'latin1')
    const headers = signedHeaders(body, world.slack.signingSecret, secondsOf(world))

    const response = await fetch(`${world.url}/slack/events`, { method: 'POST', headers, body })

    expect(response.status).toBe(401)
    await world.slack.idle()
    expect(posts(world)).toEqual([])
  })
})
