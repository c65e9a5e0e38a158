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
  it.each([
    ['with another secret', { secret: 'guessed' }],
    ['more than five minutes ago', { ageSeconds: 301 }],
    ['more than five minutes ahead', { ageSeconds: -302 }],
    ['without a signature', { headers: { 'x-slack-signature': '' } }],
    ['with a signature of another version', { headers: { 'x-slack-signature': `v1=${'0'.repeat(64)}` } }],
    ['with a signature that is too short', { headers: { 'x-slack-signature': 'v0=00' } }],
    ['without a timestamp', { headers: { 'x-slack-request-timestamp': '' } }],
    ['with a timestamp that is no number', { headers: { 'x-slack-request-timestamp': 'NaN' } }],
  ])('%s is refused with 401 and does nothing', async (_how, forged) => {
    const world = await openWorld()

    const response = await send(world, { body: command(world), ...forged })

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
  it('say that the bot is alive and ready', async () => {
    const world = await openWorld()

    expect(await (await fetch(`${world.url}/healthz`)).text()).toMatch(/^ok/)
    await expect.poll(async () => (await fetch(`${world.url}/readyz`)).text()).toBe('ok')
  })

  it('answer HEAD as they answer GET, without the body', async () => {
    const { url } = await openWorld()

    const response = await fetch(`${url}/healthz`, { method: 'HEAD' })

    expect(response.status).toBe(200)
    expect(await response.text()).toBe('')
    expect((await fetch(`${url}/slack/events`, { method: 'HEAD' })).status).toBe(404)
  })

  it('are 404', async () => {
    const world = await openWorld()

    expect((await fetch(`${world.url}/`)).status).toBe(404)
    expect((await fetch(`${world.url}/slack/events`)).status).toBe(404)
  })
})
