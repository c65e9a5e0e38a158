// Truth of what is told, in every order of presses, submits and connections.
import { describe, expect, it } from 'vitest'
import { interaction, send } from '../signed-request.ts'
import { aliceToken, bobToken, openWorld, type World } from '../world.ts'
import { openSeveral } from './several-world.ts'

const posts = ({ service }: World) => service.requests.filter(({ method }) => method === 'POST')
const sensitive = '/grant 12 dave@example.com WEBHOOKS'
const minutes = 60_000

async function connects(world: World, prompt: Parameters<World['bob']['presses']>[1], token: string) {
  const { bob } = world
  await bob.presses('Connect account', prompt)
  await bob.seesModal('Connect account')
  await bob.submits({ fields: { 'API token': token } })
}

async function worldWithBobsToken() {
  const world = await openWorld({ isAliceConnected: 'in the form' })
  world.service.addToken({ token: 'bob-admin', name: 'bob-admin', flags: ['API', 'CONTAINER_ACCESS'] })
  return world
}

describe('a confirmation that waited for an account', () => {
  it('is sent once, though it was pressed twice and both prompts are answered', async () => {
    const world = await worldWithBobsToken()
    const { bob, general, clock } = world
    await bob.types(sensitive, general)
    const confirmation = await bob.sees('Sensitive flags', general)
    await bob.presses('Grant access', confirmation)
    const first = await bob.sees('To make this grant', general)
    await bob.presses('Grant access', confirmation)
    await world.slack.idle()
    const second = bob.messages(general).filter(({ plain }) => plain.includes('To make this grant'))[1]
    await connects(world, first, 'bob-admin')
    await bob.sees('✅ Granted', general)
    await bob.closes()
    clock.advance(16 * minutes)

    await connects(world, second, 'bob-admin')
    await world.slack.idle()

    expect(posts(world)).toHaveLength(1)
    expect(bob.screen(general)).not.toMatch(/nothing was sent/i)
  })

  it('that is asked about once more is sent once, also where the old one is pressed', async () => {
    const world = await worldWithBobsToken()
    const { bob, general, clock, slack } = world
    // After half an hour, Slack takes nothing by a response URL.
    world.expectRefusals()
    await bob.types(sensitive, general)
    const old = await bob.sees('Sensitive flags', general)
    await bob.presses('Grant access', old)
    const prompt = await bob.sees('To make this grant', general)
    clock.advance(120 * minutes)
    await connects(world, prompt, 'bob-admin')
    const anew = await bob.sees('You asked for this a while ago', bob.dm)
    expect(anew.plain).toContain('• WEBHOOKS')
    await bob.closes()
    await bob.presses('Grant access', anew)
    await bob.sees('✅ Granted', bob.dm)
    clock.advance(11_000)

    await bob.presses('Grant access', old)
    await slack.idle()

    expect(posts(world)).toHaveLength(1)
  })
})

describe('a token that is refused', () => {
  it('puts the way to connect in place of the confirmation, so that no dead button stays', async () => {
    const world = await openWorld({ isAliceConnected: 'in the form' })
    const { alice, general, service } = world
    await alice.types(sensitive, general)
    const confirmation = await alice.sees('Sensitive flags', general)
    service.revoke(aliceToken)

    await alice.presses('Grant access', confirmation)

    await alice.sees('Nothing was granted: monitoring no longer accepts your token', general)
    await alice.doesNotSee('Sensitive flags', general)
  })
})

describe('the form', () => {
  it('that is corrected and submitted again, as Slack did not hear the answer, grants what it says now', async () => {
    const world = await openWorld({ isAliceConnected: 'in the form' })
    const { alice, general, slack, clock } = world
    slack.addPerson({ name: 'carol', email: 'carol@example.com' })
    await alice.types('/grant 12 dave@example.com', general)
    await alice.seesModal('Grant access')
    await alice.submits({ fields: { Role: 'Custom', Viewing: ['View the container'] } })
    await alice.sees('✅ Granted', general)
    clock.advance(11_000)

    // The same intent, as its form holds it, with another address.
    const { payload } = slack.deliveries.findLast(({ kind }) => kind === 'view_submission') ?? {}
    const changed = JSON.parse(JSON.stringify(payload).replaceAll('dave@example.com', 'bob@example.com'))
    await send(world, interaction({ ...changed, trigger_id: 'another' }))

    await alice.sees('bob@example.com', general)
    expect(posts(world).map(({ body }) => body)).toMatchObject([
      { email: 'dave@example.com' },
      { email: 'bob@example.com' },
    ])
  })

  it('opened for a guest marks them', async () => {
    const { alice, general, slack } = await openWorld({ isAliceConnected: 'in the form' })
    slack.addPerson({ name: 'gus', realName: 'Gus Guest', email: 'dave@example.com', isGuest: true })

    await alice.types('/grant 12 @gus', general)

    await expect.poll(() => alice.modal?.plain).toMatch(/From the Slack profile of .*a guest here/)
  })

  it('opens all the same when Slack does not say who somebody is', async () => {
    const world = await openWorld({ isAliceConnected: 'in the form' })
    const { alice, general, slack } = world
    world.expectRefusals()
    slack.addPerson({ name: 'dave', email: 'dave@example.com' })
    slack.trouble.fail('users.info', { error: 'fatal_error' })

    await alice.types('/grant 12 @dave', general)

    await expect.poll(() => alice.modal?.plain).toContain('Type their email address instead')
  })
})

describe('the outcome of somebody who has left', () => {
  it('is not tried again for ever', async () => {
    const world = await openWorld({ isAliceConnected: 'in the form' })
    const { alice, general, slack, clock } = world
    world.expectRefusals()
    slack.trouble.fail('response_url', { status: 500 }, { times: 1 })
    slack.trouble.fail('chat.postMessage', { error: 'fatal_error' }, { times: 1 })
    await alice.types('/grant 12 dave@example.com viewer', general)
    await alice.sees('Slack didn’t accept Bellhop’s reply', general)
    await slack.idle()
    alice.member.isDeleted = true
    const before = slack.calls.length
    const posted = () => slack.calls.slice(before).filter(({ method }) => method === 'chat.postMessage')

    for (let day = 0; day < 3; day += 1) {
      clock.advance(24 * 60 * minutes)
      await world.restart()
      await slack.idle(100)
    }

    expect(posted()).toHaveLength(1)
  })
})

describe('a person who is looked up while Slack limits the rate', () => {
  it('is found after the wait that Slack asks for', async () => {
    const world = await openWorld({ isAliceConnected: 'in the form' })
    const { alice, general, slack, waits } = world
    world.expectRefusals()
    slack.addPerson({ name: 'dave', email: 'dave@example.com' })
    slack.trouble.rateLimit('users.info', { retryAfterSeconds: 3, times: 1 })

    await alice.types('/grant 12 @dave viewer', general)

    await alice.sees('This address is from the Slack profile', general)
    expect(waits).toContain(3000)
  })
})

describe('a receipt of somebody else', () => {
  it.each(['grant.share', 'grant.rest', 'grant.edit', 'grant.look'])(
    'does nothing, though a request for it is signed: %s',
    async (action) => {
      const { world, line } = await openSeveral(4)
      const { alice, bob, general, service, slack } = world
      await world.connect(bob, bobToken)
      for (const status of [429, 400, 500]) service.trouble.answer(status, { only: 'POST', times: 1 })
      await alice.types(line, general)
      const { value } = (await alice.sees('1 of 4 granted', general)).control('Look again')?.element ?? {}
      await bob.types('/grant 12 alice@example.com viewer', general)
      const { payload } = await bob.presses('Edit and try again', await bob.sees('Not granted', general))
      await bob.seesModal('Grant access')
      await bob.closes()
      await slack.idle()
      const asked = service.requests.length

      const actions = [{ action_id: action, value, type: 'button' }]
      await send(world, interaction({ ...payload, actions }))
      await slack.idle()

      expect(service.requests).toHaveLength(asked)
      expect(bob.screen(general)).not.toContain('p1@example.com')
      expect(bob.modal).toBeUndefined()
      expect(alice.messages(general)).toHaveLength(1)
    },
  )
})

describe('a submission of the form that is replayed', () => {
  it('minutes later sends nothing', async () => {
    const world = await openWorld({ isAliceConnected: 'in the form' })
    const { alice, general, slack, clock } = world
    await alice.types('/grant 12 dave@example.com', general)
    await alice.seesModal('Grant access')
    const delivery = await alice.submits({ fields: { Role: 'Custom', Viewing: ['View the container'] } })
    await alice.sees('✅ Granted', general)
    clock.advance(4 * minutes)

    await slack.redeliver(delivery)
    await slack.idle()

    expect(posts(world)).toHaveLength(1)
  })
})
