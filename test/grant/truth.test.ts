// Truth of what is told, in every order of presses, submits and connections.
import { describe, expect, it } from 'vitest'
import { interaction, send } from '../signed-request.ts'
import { aliceToken, bobToken, connects, openWorld, posts } from '../world.ts'
import { openSeveral } from './several-world.ts'

const sensitive = '/grant 12 dave@example.com WEBHOOKS'
const minutes = 60_000

describe('a confirmation that waited for an account', () => {
  it('is sent once, though it was pressed twice and both prompts are answered', async () => {
    const world = await openWorld()
    const { bob, general, clock, service } = world
    service.addToken({ token: 'bob-admin', name: 'bob-admin', flags: ['API', 'CONTAINER_ACCESS'] })
    await bob.types(sensitive, general)
    const confirmation = await bob.sees('Sensitive flags', general)
    await bob.presses('Grant access', confirmation)
    const first = await bob.sees('To do this', general)
    await bob.presses('Grant access', confirmation)
    await world.slack.idle()
    const second = bob.messages(general).filter(({ plain }) => plain.includes('To do this'))[1]
    await connects(bob, 'bob-admin', first)
    await bob.sees('✅ Granted', general)
    await bob.closes()
    clock.advance(16 * minutes)

    await connects(bob, 'bob-admin', second)
    await world.slack.idle()

    expect(posts(world)).toHaveLength(1)
    expect(bob.screen(general)).not.toMatch(/nothing was sent/i)
  })
})

describe('a token that is refused', () => {
  it('puts the way to connect in place of the confirmation, so that no dead button stays', async () => {
    const world = await openWorld()
    const { alice, general, service } = world
    await alice.types(sensitive, general)
    const confirmation = await alice.sees('Sensitive flags', general)
    service.revoke(aliceToken)

    await alice.presses('Grant access', confirmation)

    await alice.sees('Nothing was sent. Monitoring no longer accepts your token', general)
    await alice.doesNotSee('Sensitive flags', general)
  })
})

describe('the form', () => {
  it('that is corrected and submitted again, as Slack did not hear the answer, grants what it says now', async () => {
    const world = await openWorld()
    const { alice, general, slack, clock } = world
    slack.addPerson({ name: 'carol', email: 'carol@example.com' })
    await alice.types('/grant 12 dave@example.com', general)
    await alice.seesModal('Grant access')
    await alice.submits({ fields: { Role: 'Custom', Viewing: ['View the container'] } })
    await alice.sees('✅ Granted', general)
    clock.advance(11_000)

    // The same intent, as its form holds it, with another address.
    const { payload } = slack.deliveries.findLast(({ kind }) => kind === 'view_submission') ?? {}
    const changed = JSON.parse(
      JSON.stringify(payload).replaceAll('dave@example.com', 'bob@example.com'),
    )
    await send(world, interaction({ ...changed, trigger_id: 'another' }))

    await alice.sees('bob@example.com', general)
    expect(posts(world).map(({ body }) => body)).toMatchObject([
      { email: 'dave@example.com' },
      { email: 'bob@example.com' },
    ])
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

describe('a receipt of somebody else', () => {
  it.each([
    ...['grant.share', 'grant.rest', 'grant.edit', 'grant.look', 'grant.invite'].map((one) => [
      one,
      '',
    ]),
    ['grant.person', 'add 3 '],
    ['grant.person', 'change 3 '],
    ['grant.person', 'remove 3 '],
  ])('does nothing, though a request for it is signed: %s %s', async (action, before) => {
    const { world, line } = await openSeveral(4)
    const { alice, bob, general, service, slack } = world
    await world.connect(bob, bobToken)
    for (const status of [429, 400, 500]) service.trouble.answer(status, { only: 'POST', times: 1 })
    await alice.types(line, general)
    const { value: id } =
      (await alice.sees('1 of 4 granted', general)).control('Look again')?.element ?? {}
    const value = `${before}${id}`
    await bob.types('/grant 12 alice@example.com viewer', general)
    const { payload } = await bob.presses(
      'Edit and try again',
      await bob.sees('Not granted', general),
    )
    await bob.seesModal('Grant access')
    await bob.closes()
    await slack.idle()
    const asked = service.requests.length

    const actions = [{ action_id: action, value, type: 'button' }]
    await send(world, interaction({ ...payload, actions }))
    await slack.idle()

    expect(service.requests).toHaveLength(asked)
    expect(bob.screen(general)).not.toMatch(/p\d@example\.com/)
    expect(bob.modal).toBeUndefined()
    expect(alice.messages(general)).toHaveLength(1)
  })
})
