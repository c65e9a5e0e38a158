// Answers that are known at once stand in the ack of the command, and cost no request more.
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { nameWaitMs } from '../../src/slack/guard/who.ts'
import { signedHeaders } from '../signed-request.ts'
import { bobToken, openWorld } from '../world.ts'

it.each([
  ['/alert help', '/alert <key>'],
  ['/grant help', '/grant 12'],
  ['/grant roles', 'READ'],
  ['/alert connect now', 'Nothing goes after /alert connect'],
  ['/grant 12 dave@example.com VIEWR', 'VIEWR'],
])('%s is answered in the ack, for whoever typed it alone', async (line, words) => {
  const { alice, bob, general, slack } = await openWorld({ isAliceConnected: 'in the form' })
  const before = slack.calls.length
  const { body } = await alice.types(line, general)
  const told = await alice.sees(words, general)

  expect(told.isEphemeral).toBe(true)
  expect(bob.screen(general)).not.toContain(words)
  expect(JSON.parse(body)).toMatchObject({ response_type: 'ephemeral' })
  expect(slack.calls.slice(before)).toEqual([])
})

it('an answer that takes its time comes after the ack', async () => {
  const { alice, bob, general, slack } = await openWorld({ isAliceConnected: 'in the form' })
  slack.trouble.slow('users.info', 1_500)
  const { body, outcome } = await alice.types(`/grant 12 <@${bob.id}> NOTHING`, general, { raw: true })
  expect({ body, outcome }).toEqual({ body: '', outcome: 'acked' })
  await alice.sees('NOTHING', general)
})

it('the same command again is answered again', async () => {
  const { alice, general, slack } = await openWorld({ isAliceConnected: 'in the form' })
  const first = await alice.types('/alert help', general)
  const again = await slack.redeliver(first)
  expect(again.body).toBe(first.body)
})

it('whoever asks too fast hears it there, too', async () => {
  const { alice, general, clock } = await openWorld({
    isAliceConnected: 'in the form',
    env: { RATE_PER_MINUTE: '2' },
  })
  clock.advance(60_000)
  await alice.types('/alert help', general)
  await alice.types('/alert help', general)
  const { body } = await alice.types('/alert help', general)
  expect(JSON.parse(body).text).toContain('Try again in')
})

describe('somebody without an account', () => {
  it.each([
    '/alert 5HkX',
    '/alert 5HkX private',
    '/alert 5HkX watch',
    '/alert comment 5HkX "on it"',
    '/alert close 5HkX "a full disk"',
    '/alert assign 5HkX 4711',
    '/grant 12 dave@example.com viewer',
  ])(
    'is asked to connect in the ack of %s, which costs no request to Slack, and then it is run',
    async (line) => {
      const world = await openWorld({ isAliceConnected: 'in the form' })
      const { alice, bob, general, slack, service } = world
      service.addAlert({ ks: '5HkX', message: 'Disk full' })
      const before = slack.calls.length
      const asked = service.requests.length
      const { body, outcome } = await bob.types(line, general)
      const prompt = await bob.sees('Connect account', general)

      expect(outcome).toBe('acked')
      expect(JSON.parse(body)).toMatchObject({ response_type: 'ephemeral' })
      expect(prompt.isEphemeral).toBe(true)
      expect(alice.screen(general)).not.toContain('Connect account')
      expect(slack.calls.slice(before).filter(({ method }) => method !== 'users.info')).toEqual([])
      expect(service.requests.length).toBe(asked)

      await bob.presses('Connect account', prompt)
      await bob.seesModal('Connect account')
      await bob.submits({ fields: { 'API token': bobToken } })
      await slack.idle(100)
      const ran = service.requests.slice(asked).filter(({ path }) => /5HkX|container\/12/.test(path))
      expect(ran).not.toEqual([])
    },
  )

  it('has their command kept before they are asked', async () => {
    const { bob, general, databaseBytes } = await openWorld({ isAliceConnected: 'in the form' })
    const { body } = await bob.types('/alert 5HkX', general)
    const [id] = /[\da-f]{8}-[\da-f-]{27}/.exec(body) ?? []
    expect(databaseBytes().includes(String(id))).toBe(true)
  })
})

it('whoever has an account is acked before the service is asked, at their first command since a start, too', async () => {
  const { alice, general, restart } = await openWorld({ isAliceConnected: 'in the form' })
  await restart()
  const { body, outcome } = await alice.types('/alert 5HkX', general)
  expect({ body, outcome }).toEqual({ body: '', outcome: 'acked' })
  await alice.sees('There’s no alert', general)
})

describe('an answer that waits for Slack to say who asks', () => {
  /** Bob’s command, as Slack sends it, once Slack has to be asked for his name again. */
  async function openWaiting() {
    const name = Promise.withResolvers<void>()
    let isUnderWay = false
    let isAsked = false
    const world = await openWorld({
      wait(ms) {
        if (ms !== nameWaitMs || !isUnderWay) return delay(Math.min(ms, 10))
        isAsked = true
        return name.promise
      },
    })
    const { bob, general, slack, clock, url } = world
    world.expectRefusals()
    slack.trouble.fail('users.info', { error: 'internal_error' })
    const { request } = await bob.types('/alert help', general)
    await slack.idle()
    clock.advance(6 * 60_000)
    slack.trouble.slow('users.info', 2_000, { times: 1 })
    isUnderWay = true
    const body = request?.body ?? ''

    async function sends(signal: AbortSignal | null = null): Promise<string> {
      const headers = {
        'content-type': 'application/x-www-form-urlencoded',
        ...signedHeaders(body, slack.signingSecret, String(Math.floor(clock.now() / 1000))),
      }
      return (await fetch(`${url}/slack/events`, { method: 'POST', headers, body, signal })).text()
    }
    const waits = () => expect.poll(() => isAsked, { timeout: 30_000, interval: 5 }).toBe(true)
    const told = () => bob.messages(general).filter(({ plain }) => plain.includes('/alert <key>')).length
    return { sends, waits, goesOn: name.resolve, told, url }
  }

  it('is posted when the exchange is gone by then', async () => {
    const { sends, waits, goesOn, told, url } = await openWaiting()
    const leaving = new AbortController()
    const gone = sends(leaving.signal).catch(() => 'gone')
    await waits()
    leaving.abort()
    expect(await gone).toBe('gone')
    // The bot has seen that, too.
    await fetch(`${url}/healthz`)

    goesOn()

    await expect.poll(told).toBe(2)
  })

  it('is in the ack of the first of two deliveries, whatever comes with the second', async () => {
    const { sends, waits, goesOn } = await openWaiting()
    const first = sends()
    await waits()
    expect(await sends()).toBe('')

    goesOn()

    expect(JSON.parse(await first)).toMatchObject({ response_type: 'ephemeral' })
  })
})
