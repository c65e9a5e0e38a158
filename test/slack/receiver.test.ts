import { describe, expect, it } from 'vitest'
import { send } from '../signed-request.ts'
import { openWorld, type World } from '../world.ts'

const command = (world: World) =>
  String(
    new URLSearchParams({
      command: '/grant',
      text: '12 dave@example.com viewer',
      user_id: world.alice.id,
      team_id: world.slack.teamId,
      channel_id: world.general.id,
      channel_name: 'general',
      trigger_id: '1.2.3',
    }),
  )

describe('a request that Slack did not sign', () => {
  it('is refused with 401 and does nothing', async () => {
    const world = await openWorld()

    const response = await send(world, { body: command(world), secret: 'guessed' })

    expect(response.status).toBe(401)
    await world.slack.idle()
    expect(world.service.requests.filter(({ method }) => method === 'POST')).toEqual([])
  })

  it('is taken when all of that is right', async () => {
    const world = await openWorld()

    const response = await send(world, { body: command(world), ageSeconds: 299 })

    expect(response.status).toBe(200)
    await world.alice.sees('Granted', world.general)
  })
})

describe('a signed request', () => {
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
