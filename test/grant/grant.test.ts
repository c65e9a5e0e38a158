import { describe, expect, it } from 'vitest'
import { actsOf } from '../audit/read.ts'
import { granted, grantsAt, requestsAt } from '../metrics/scraped.ts'
import { aliceToken, linesIn, openWorld, posts } from '../world.ts'
import { viewer } from './dave.ts'

const line = '/grant 12 dave@example.com viewer'

describe('/grant <container> <email> <perms>', () => {
  it('adds the person with exactly what was asked, and gives the asker a receipt', async () => {
    const world = await openWorld()
    const { alice, bob, general } = world

    await alice.types(line, general)

    const receipt = await alice.sees('Granted', general)
    expect(receipt.isEphemeral).toBe(true)
    expect(receipt.plain).toBe(
      '✅ Granted: dave@example.com is now Viewer on container 12\n[Share in channel] [… Change… / Remove…]',
    )
    expect(receipt.buttons).toEqual(['Share in channel', 'Change…', 'Remove…'])
    const [post, ...more] = posts(world)
    expect(more).toEqual([])
    expect(post).toMatchObject({
      path: '/container/12/user',
      query: '',
      status: 204,
      token: 'alice',
    })
    expect(post?.body).toEqual({ email: 'dave@example.com', permissions: viewer })
    await bob.doesNotSee('Granted', general)
  })
})

describe('what becomes of a grant', () => {
  it('comes after “Sending…” where monitoring takes its time', async () => {
    const world = await openWorld({ slowMs: 1 })
    const { alice, general, slack, service } = world
    const letGo = service.trouble.hold()

    await alice.types(line, general)

    await alice.sees('Sending…', general)
    letGo()
    await alice.sees('✅ Granted', general)
    await slack.idle()
    const [first, second, ...more] = alice.messages(general).map(({ plain }) => plain)
    expect([first, more]).toEqual(['Sending…', []])
    expect(second).toContain('✅ Granted')
  })

  it.each([
    [204, 'done', 'none', 'is now Viewer'],
    [400, 'not-done', 'bad-request', 'I can’t see dave@example.com on container 12'],
    [403, 'not-done', 'forbidden', 'a flag that is given on container 12'],
    [404, 'not-done', 'not-found', 'here’s no container 12'],
    [429, 'not-done', 'busy', 'monitoring is busy'],
    [500, 'uncertain', 'server-error', 'monitoring returned an error'],
    [302, 'uncertain', 'odd-answer', 'in a way I don’t understand'],
  ] as const)(
    '%i is told as %s (%s), in the audit trail, the log and the figures as well',
    async (status, kind, why, words) => {
      const world = await openWorld()
      const { alice, general, service, url } = world
      if (status !== 204) service.trouble.answer(status, { only: 'POST' })

      await alice.types(line, general)

      const headings = { done: '✅ Granted', 'not-done': 'Not granted', uncertain: 'Not certain' }
      const receipt = await alice.sees(headings[kind], general)
      expect(receipt.isEphemeral).toBe(true)
      expect(receipt.plain).toContain(words)
      await world.slack.idle()
      expect(posts(world)).toHaveLength(1)
      expect(await actsOf(world)).toEqual([kind === 'done' ? 'grant done' : `grant ${kind}:${why}`])
      const outcome = { done: 'ok', 'not-done': `service-${why}`, uncertain: 'uncertain' }[kind]
      await expect.poll(() => requestsAt(url, 'grant')).toEqual({ [`command ${outcome}`]: 1 })
      expect(await grantsAt(url)).toEqual({ [granted(kind, why, 'at_once')]: 1 })
      expect(linesIn(world.log, '"handled"')).toMatchObject([
        { kind: 'command', about: 'grant', outcome },
      ])
    },
  )

  it('401 asks to connect again and keeps the grant, which goes on by itself', async () => {
    const world = await openWorld()
    const { alice, general, service } = world
    service.revoke(aliceToken)

    await alice.types(line, general)
    await alice.presses('Connect account', await alice.sees('no longer accepts', general))
    await alice.seesModal('Connect account')
    service.addToken({
      token: 'alice-new',
      name: 'alice again',
      flags: ['API', 'CONTAINER_ACCESS'],
    })
    await alice.submits({ fields: { 'API token': 'alice-new' } })

    await alice.sees('Granted', general)
    expect(posts(world).map(({ status }) => status)).toEqual([401, 204])
    expect((await actsOf(world))[0]).toBe('grant not-done:refused')
  })
})

describe('at most one request', () => {
  it('is sent when Slack’s request is replayed', async () => {
    const world = await openWorld()
    const { alice, general, slack } = world
    const delivery = await alice.types(line, general)
    await alice.sees('Granted', general)

    await slack.redeliver(delivery)
    await slack.redeliver(delivery)
    world.clock.advance(60_000)
    await slack.redeliver(delivery)
    await slack.idle()

    expect(posts(world)).toHaveLength(1)
  })

  it('is sent again when somebody asks again later, as that is theirs to decide', async () => {
    const world = await openWorld()
    const { alice, general, clock } = world
    await alice.types(line, general)
    await alice.sees('Granted', general)
    clock.advance(11_000)

    await alice.types(line, general)

    await alice.sees('already on', general)
    expect(posts(world)).toHaveLength(2)
  })

  it('is sent when two processes on one database get the same request', async () => {
    const world = await openWorld()
    const { alice, general, slack, service } = world
    const other = await world.startAnother()
    service.trouble.slow(50)

    const delivery = await alice.types(line, general)
    slack.deliverTo(`${other.url}/slack/events`)
    await slack.redeliver(delivery)
    await alice.types(line, general)
    await alice.sees(
      'You asked for the same a moment ago. Its result is above, or on its way.',
      general,
    )
    await slack.idle()

    expect(posts(world)).toHaveLength(1)
  })
})

describe('a confirmation', () => {
  async function asked() {
    const world = await openWorld()
    await world.alice.types('/grant 12 dave@example.com WEBHOOKS', world.general)
    const confirmation = await world.alice.sees('Sensitive flags', world.general)
    return { ...world, world, confirmation }
  }

  it('is asked for sensitive flags, which it names, and nothing is sent before', async () => {
    const world = await openWorld()
    const { alice, general } = world

    await alice.types('/grant 12 dave@example.com READ,CONTAINER_ADMIN,WEBHOOKS', general)

    const confirmation = await alice.sees(
      /Sensitive flags:\n• CONTAINER_ADMIN[^\n]*\n• WEBHOOKS: Make, change or delete webhooks/,
      general,
    )
    expect(confirmation.isEphemeral).toBe(true)
    expect(confirmation.buttons).toEqual(['Grant access', 'Cancel'])
    expect(posts(world)).toEqual([])
    await alice.presses('Grant access', confirmation)
    await alice.sees('Granted', general)
    await alice.doesNotSee('Sensitive flags', general)
  })

  it('that is cancelled sends nothing', async () => {
    const { world, alice, general, confirmation } = await asked()

    await alice.presses('Cancel', confirmation)

    await alice.sees('Cancelled. Nothing was sent.', general)
    await alice.doesNotSee('Sensitive flags', general)
    expect(posts(world)).toEqual([])
  })

  it('that is granted and cancelled at the same moment is one of the two, and says which', async () => {
    const { world, alice, general, slack, confirmation } = await asked()

    await Promise.all([
      alice.presses('Cancel', confirmation),
      alice.presses('Grant access', confirmation),
    ])
    await slack.idle()

    const said = alice.screen(general)
    expect(posts(world)).toHaveLength(said.includes('Cancelled') ? 0 : 1)
    expect(said.includes('Cancelled') !== said.includes('Granted')).toBe(true)
  })

  it('is gone after an hour', async () => {
    const { world, alice, general, clock, confirmation } = await asked()
    clock.advance(61 * 60_000)

    await alice.presses('Grant access', confirmation)

    await alice.sees('This was cancelled or has expired. Nothing was sent.', general)
    expect(posts(world)).toEqual([])
  })
})

describe('/grant … @person', () => {
  it('gives nothing to somebody who has left Slack since', async () => {
    const world = await openWorld()
    const { alice, general, slack } = world
    const dave = slack.addPerson({ name: 'dave', email: 'dave@example.com' })
    await alice.types('/grant 12 @dave viewer', general)
    const confirmation = await alice.sees('dave@example.com', general)
    await slack.deactivate(dave)

    await alice.presses('Grant access', confirmation)

    await alice.sees('Nothing was sent: dave left Slack after this was asked for.', general)
    await alice.doesNotSee('[Grant access]', general)
    expect(posts(world)).toEqual([])
  })

  it.each([
    ['a bot', { name: 'robot', isBot: true, email: 'dave@example.com' }, 'is a bot'],
    [
      'somebody deactivated',
      { name: 'gone', isDeleted: true, email: 'dave@example.com' },
      'is deactivated',
    ],
    [
      'somebody of another organisation',
      { name: 'other', teamId: 'T0OTHER01', email: 'o@other.example' },
      'belongs to another organisation',
    ],
    ['somebody without an address', { name: 'hidden' }, 'shows no email address'],
  ])('refuses %s', async (_who, person, words) => {
    const world = await openWorld()
    const { alice, general, slack } = world
    slack.addPerson(person)

    await alice.types(`/grant 12 @${person.name} viewer`, general)

    await alice.sees(words, general)
    expect(posts(world)).toEqual([])
  })

  it('fills the address into the form when there are no perms', async () => {
    const { alice, general, slack } = await openWorld()
    slack.addPerson({ name: 'dave', realName: 'Dave Miller', email: 'dave@example.com' })

    await alice.types('/grant 12 @dave', general)

    await expect
      .poll(() => alice.modal?.values, { timeout: 30_000, interval: 5 })
      .toMatchObject({
        Container: '12',
        Email: 'dave@example.com',
      })
  })
})

describe('Share in channel', () => {
  it('shows the receipt to all, with who asked, once', async () => {
    const world = await openWorld()
    const { alice, bob, general } = world
    await alice.types(line, general)
    const receipt = await alice.sees('Granted', general)

    await alice.presses('Share in channel', receipt)
    const shared = await bob.sees('Granted', general)
    expect(shared.plain).toContain('requested by alice')
    await alice.presses('Share in channel', receipt)

    await alice.sees('already shared in the channel', general)
    expect(bob.messages(general).filter(({ plain }) => plain.includes('Granted'))).toHaveLength(1)
  })

  it('can be pressed again where Slack refused it', async () => {
    const world = await openWorld()
    world.expectRefusals()
    const { alice, bob, general, slack } = world
    await alice.types(line, general)
    const receipt = await alice.sees('Granted', general)
    slack.trouble.fail('chat.postMessage', { error: 'restricted_action' }, { times: 1 })
    slack.trouble.fail('response_url', { error: 'no_permission' }, { times: 1 })
    await alice.presses('Share in channel', receipt)
    await alice.sees('Slack', general)
    await alice.presses('Share in channel', receipt)
    await bob.sees('Granted', general)
  })
})
