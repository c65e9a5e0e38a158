// From every receipt of what was not granted, one press goes on; whatever is pressed, one request follows from it.
import { describe, expect, it } from 'vitest'
import type { Person } from '../../playground/slack/person/person.ts'
import { interaction, send } from '../signed-request.ts'
import { bobToken, openWorld, type World } from '../world.ts'
import { openSeveral } from './several-world.ts'

const line = '/grant 12 erin@example.com viewer'
const posts = ({ service }: World) => service.requests.filter(({ method }) => method === 'POST')
const providers = (world: World) => posts(world).map(({ body }) => Object(body).authProvider)

/** Erin exists twice, with Google and with Microsoft. */
async function openTwice() {
  const world = await openWorld()
  world.service.addUser({ email: 'erin@example.com', authProvider: 'Google' })
  world.service.addUser({ email: 'erin@example.com', authProvider: 'Microsoft' })
  return world
}

async function refusedTwice(typed = line) {
  const world = await openTwice()
  const { alice, general } = world
  await alice.types(typed, general)
  return { world, receipt: await alice.sees('⛔ Not granted: monitoring says no (400)', general) }
}

const waitsForIt = async (who: Person) => who.seesModal('Grant access')

describe('an address that exists more than once', () => {
  it('is granted by one press that says how the person signs in', async () => {
    const { world, receipt } = await refusedTwice()
    const { alice, general } = world
    expect(receipt.buttons).toEqual(['Edit and try again', 'via Google', 'via Microsoft'])

    await alice.presses('via Google', receipt)

    const granted = await alice.sees('✅ Granted: erin@example.com is now Viewer on container 12', general)
    expect(granted.plain).toContain('via Google')
    expect(providers(world)).toEqual([undefined, 'Google'])
    expect((await alice.sees('⛔ Not granted', general)).buttons).toEqual([])
  })

  it('is sent once, however often the button is pressed, by replay, and to two processes', async () => {
    const { world, receipt } = await refusedTwice()
    const { alice, general, slack, service, clock } = world
    const other = await world.startAnother()
    service.trouble.slow(50)

    const [delivery] = await Promise.all([
      alice.presses('via Google', receipt),
      alice.presses('via Google', receipt),
    ])
    slack.deliverTo(`${other.url}/slack/events`)
    await slack.redeliver(delivery)
    await alice.sees('✅ Granted', general)
    clock.advance(60_000)
    await slack.redeliver(delivery)
    await slack.idle()

    expect(providers(world)).toEqual([undefined, 'Google'])
  })

  it('is sent with one provider, though two are pressed at once, and the other is told so', async () => {
    const { world, receipt } = await refusedTwice()
    const { alice, general, slack, service } = world
    service.trouble.slow(50)

    await Promise.all([alice.presses('via Google', receipt), alice.presses('via Microsoft', receipt)])
    await alice.sees(
      /You already chose to try this again via (Google|Microsoft)\. Nothing more was sent\./,
      general,
    )
    await alice.sees('✅ Granted', general)
    await slack.idle()

    expect(posts(world)).toHaveLength(2)
  })

  it('is not sent with the other provider after the first, by a copy of the receipt that kept its buttons', async () => {
    const { world, receipt } = await refusedTwice()
    const { alice, general, slack } = world
    const { payload } = await alice.presses('via Google', receipt)
    await alice.sees('✅ Granted', general)
    const [action] = Array.isArray(payload.actions) ? payload.actions : []
    const value = JSON.stringify({ ...JSON.parse(String(Object(action).value)), provider: 'Microsoft' })

    const actions = [{ action_id: 'grant.via.2', value, type: 'button' }]
    await send(world, interaction({ ...payload, actions, trigger_id: '1.2.other' }))

    await alice.sees('You already chose to try this again via Google', general)
    await slack.idle()
    expect(posts(world)).toHaveLength(2)
  })

  it('offers the other provider where the first was refused as well', async () => {
    const world = await openWorld()
    const { alice, general, service } = world
    service.addUser({ email: 'erin@example.com', authProvider: 'Password' })
    service.addUser({ email: 'erin@example.com', authProvider: 'Microsoft' })
    await alice.types(line, general)
    await alice.presses('via Google', await alice.sees('doesn’t say why', general))

    const refused = await alice.sees('who signs in with Google', general)
    expect(refused.buttons).toEqual(['Edit and try again', 'via Microsoft'])
    await alice.presses('via Microsoft', refused)

    await alice.sees('✅ Granted', general)
    expect(providers(world)).toEqual([undefined, 'Google', 'Microsoft'])
  })

  it('is confirmed again where flags are sensitive, and after a quarter of an hour', async () => {
    const { world, receipt } = await refusedTwice()
    const { alice, general, clock } = world
    clock.advance(16 * 60_000)

    await alice.presses('via Google', receipt)
    const asked = await alice.sees('You asked for this a while ago', general)
    expect(asked.plain).toContain('via Google')
    expect(posts(world)).toHaveLength(1)
    await alice.presses('Grant access', asked)

    await alice.sees('✅ Granted', general)
    await alice.types('/grant 12 dave@example.com WEBHOOKS', general)
    await alice.presses('Grant access', await alice.sees('Sensitive flags', general))
    await alice.sees('✅ Granted: dave@example.com', general)
    clock.advance(11_000)
    await alice.types('/grant 12 dave@example.com WEBHOOKS', general)
    await alice.presses('Grant access', await alice.sees('Sensitive flags', general))
    const again = await alice.sees(/says no[\s\S]*You gave dave@example.com/, general)
    await alice.presses('via Google', again)
    await alice.sees('Sensitive flags', general)
    expect(posts(world)).toHaveLength(4)
  })

  it('cannot be tried by somebody else, nor with a provider that is not offered', async () => {
    const { world, receipt } = await refusedTwice()
    const { alice, bob, general, slack } = world
    await world.connect(bob, bobToken)
    const { value } = receipt.control('via Google')?.element ?? {}
    await bob.types('/grant 12 dave@example.com READ', general)
    const { payload } = await bob.presses('Edit and try again', await bob.sees('Not granted', general))
    await waitsForIt(bob)
    await bob.closes()
    const before = posts(world).length
    const press = (actionId: string, worth: unknown, by = payload) =>
      send(world, interaction({ ...by, actions: [{ action_id: actionId, value: worth, type: 'button' }] }))

    await press('grant.via.1', value)
    await bob.sees('I no longer have this grant, so nothing more was sent.', general)
    await press('grant.edit', JSON.parse(String(value)).id)
    const mine = await alice.presses('Edit and try again', receipt)
    await waitsForIt(alice)
    await alice.closes()
    const other = { ...JSON.parse(String(value)), provider: 'Nobody' }
    await press('grant.via.1', JSON.stringify(other), mine.payload)
    await alice.sees('This sign-in provider isn’t offered any more. Nothing was sent.', general)
    await press('grant.via.1', 'of another version', mine.payload)
    await slack.idle()

    expect(bob.modal).toBeUndefined()
    expect(posts(world)).toHaveLength(before)
  })
})

describe('Edit and try again', () => {
  it('opens the form with what was asked, and a typo is mended in one step', async () => {
    const world = await openWorld()
    const { alice, general } = world
    await alice.types('/grant 12 dvae@example.com READ,API member via Password', general)
    const receipt = await alice.sees('Not granted', general)
    expect(receipt.buttons).toEqual(['Edit and try again', 'via Google', 'via Microsoft'])

    await alice.presses('Edit and try again', receipt)
    const form = await alice.seesModal('Grant access')
    expect(form.values).toMatchObject({
      Container: '12',
      Email: 'dvae@example.com',
      'Sign-in provider': 'Password',
    })
    await alice.submits({ fields: { Email: 'dave@example.com' } })

    await alice.sees('✅ Granted: dave@example.com', general)
    expect(posts(world)[1]?.body).toMatchObject({
      email: 'dave@example.com',
      member: true,
      permissions: ['READ', 'API'],
      authProvider: 'Password',
    })
  })

  it('sends nothing when the form is closed, and can be pressed again', async () => {
    const { world, receipt } = await refusedTwice()
    const { alice, slack } = world
    await alice.presses('Edit and try again', receipt)
    await waitsForIt(alice)
    await alice.closes()

    await alice.presses('Edit and try again', receipt)
    await waitsForIt(alice)
    await slack.idle()

    expect(posts(world)).toHaveLength(1)
  })

  it.each([
    [403, ['Ask for approval', 'Edit and try again']],
    [404, ['Edit and try again']],
  ])('is offered for a %i', async (status, buttons) => {
    const { alice, general, service } = await openWorld()
    service.trouble.answer(status, { only: 'POST' })

    await alice.types(line, general)

    expect((await alice.sees('Not granted', general)).buttons).toEqual(buttons)
  })

  it('has only those of several who were refused', async () => {
    const { world, line: several } = await openSeveral(4)
    const { alice, general, service } = world
    service.trouble.answer(429, { only: 'POST', times: 1 })
    service.trouble.answer(400, { only: 'POST', times: 2 })
    await alice.types(several, general)
    const result = await alice.sees('1 of 4 granted', general)
    expect(result.buttons).toEqual(['Try the rest again', 'Edit and try again', 'Share in channel'])

    await alice.presses('Try the rest again', result)
    await alice.sees('✅ Granted: p1@example.com', general)
    const left = await alice.sees('1 of 4 granted', general)
    expect(left.buttons).toEqual(['Edit and try again', 'Share in channel'])
    await alice.presses('Edit and try again', left)

    const emails = posts(world)
      .filter(({ status }) => status === 400)
      .map(({ body }) => String(Object(body).email))
    expect(
      String((await waitsForIt(alice)).values.Email)
        .split('\n')
        .toSorted(),
    ).toEqual(emails.toSorted())
  })

  it('has whole addresses alone, and says how many did not fit', async () => {
    const { alice, general, service } = await openWorld()
    service.trouble.answer(400, { only: 'POST' })
    const emails = Array.from({ length: 20 }, (_, n) => `p${n}-${'x'.repeat(60)}@${'long.'.repeat(24)}com`)
    await alice.types(`/grant 12 ${emails.join(',')} READ`, general)

    await alice.presses('Edit and try again', await alice.sees('0 of 20 granted', general))

    const form = await waitsForIt(alice)
    expect(String(form.values.Email).split('\n')).toEqual(emails.slice(0, 15))
    expect(form.plain).toContain(
      'Only 15 of 20 addresses fit into this form. Grant access to the other 5 afterwards.',
    )
  })

  it('is offered with an outcome that was told late', async () => {
    const world = await openTwice()
    const { alice, general, slack } = world
    world.expectRefusals()
    slack.trouble.fail('response_url', { status: 500 }, { times: 1 })
    slack.trouble.fail('chat.postMessage', { error: 'fatal_error' }, { times: 1 })
    await alice.types(line, general)
    await slack.idle()
    await world.restart()

    const told = await alice.sees('Here’s the result of a grant you asked for earlier', alice.dm)
    expect(told.buttons).toEqual(['Edit and try again', 'via Google', 'via Microsoft'])
    await alice.presses('Edit and try again', told)

    expect((await waitsForIt(alice)).values).toMatchObject({ Container: '12', Email: 'erin@example.com' })
  })
})

describe('Try again', () => {
  it.each([
    ['busy', '⏳ Not granted: monitoring is busy (429)'],
    ['unreachable', '⏳ Not granted: Bellhop couldn’t reach monitoring'],
  ])('asks once more where monitoring was %s', async (why, words) => {
    const world = await openWorld()
    const { alice, general, service, slack } = world
    if (why === 'busy') service.trouble.answer(429, { only: 'POST', times: 1 })
    else await service.trouble.down()
    await alice.types('/grant 12 dave@example.com viewer', general)
    const receipt = await alice.sees(words, general)
    expect(receipt.buttons).toEqual(['Try again'])
    await service.trouble.up()
    const before = posts(world).length

    await Promise.all([alice.presses('Try again', receipt), alice.presses('Try again', receipt)])

    await alice.sees('✅ Granted: dave@example.com', general)
    await slack.idle()
    expect(posts(world)).toHaveLength(before + 1)
    expect((await alice.sees(words, general)).buttons).toEqual([])
  })
})

describe('Share in channel', () => {
  it('is offered only where somebody was granted access', async () => {
    const { alice, general, service } = await openWorld()
    await alice.types('/grant 12 dave@example.com viewer', general)
    expect((await alice.sees('✅ Granted', general)).buttons).toEqual(['Share in channel'])
    service.trouble.answer(500, { only: 'POST', times: 1 })
    await alice.types('/grant 12 erin@example.com viewer', general)

    const unsure = await alice.sees(
      '❓ Not certain: erin@example.com may or may not be on container 12',
      general,
    )
    expect(unsure.plain).toContain('The request went out, but monitoring returned an error.')
    expect(unsure.plain).toContain(
      'Check container 12 in monitoring before you try again. Bellhop won’t resend it.',
    )
    expect(unsure.buttons).toEqual(['Look again'])
  })
})

describe('a refusal', () => {
  it('names the flags that nobody can give who lacks them, where a sensitive one was asked for', async () => {
    const { alice, bob, general, service, ...world } = await openWorld()
    await world.connect(bob, bobToken)
    await bob.types('/grant 12 dave@example.com WEBHOOKS', general)
    await bob.presses('Grant access', await bob.sees('Sensitive flags', general))
    const receipt = await bob.sees(
      '⛔ Not granted: your token lacks API or CONTAINER_ACCESS on container 12',
      general,
    )
    expect(receipt.plain).toContain('Nobody can grant a flag they don’t have themselves.')

    service.trouble.answer(400, { only: 'POST' })
    await alice.types('/grant 12 dave@example.com READ', general)
    const plain = await alice.sees('monitoring says no (400)', general)
    expect(plain.plain).not.toContain('Nobody can give')
  })

  it('of a grant without flags says what that is', async () => {
    const { alice, general } = await openWorld()
    await alice.types('/grant 12 dave@example.com', general)
    await waitsForIt(alice)
    await alice.submits({ fields: { Role: 'Custom' } })
    await expect.poll(() => alice.modal?.plain).toContain('No flags: they can open dashboards only.')
    await alice.submits()

    const receipt = await alice.sees('✅ Granted: dave@example.com is now on container 12', general)
    expect(receipt.plain).toContain('Access to dashboards only')
  })
})
