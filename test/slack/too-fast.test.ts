// Somebody asks faster than is allowed: they are told, nothing is done, and what they typed is not lost.
import { describe, expect, it } from 'vitest'
import type { Person } from '../../playground/slack/person/person.ts'
import { alertUrl, openWorld, type World, type WorldOptions } from '../world.ts'

const tooFast = 'a minute from each person'

/** Nobody has asked for anything in the last minute: connecting is a command and a submission. */
async function open(perMinute: number, options: WorldOptions = {}): Promise<World> {
  const world = await openWorld({ env: { RATE_PER_MINUTE: String(perMinute) }, ...options })
  world.clock.advance(60_000)
  return world
}

/** Help is free: it is in the ack. */
async function asks(person: Person, times: number, { general }: World): Promise<void> {
  for (let count = 0; count < times; count += 1) await person.types('/alert watches', general)
}

const posts = ({ service }: World) => service.requests.filter(({ method }) => method === 'POST')
const told = (person: Person, { general }: World) =>
  person.messages(general).filter(({ plain }) => plain.includes(tooFast))

describe('somebody who asks too fast', () => {
  it.each(['http', 'socket'] as const)(
    'is told once, privately, when to try again (%s)',
    async (transport) => {
      const world = await open(3, { transport })
      const { alice, bob, general, service, clock, slack } = world
      service.addAlert({ ks: '5HkX', message: 'Disk full' })
      const before = service.requests.length

      await asks(alice, 8, world)
      await alice.types('/alert 5HkX', general)
      await alice.sees(tooFast, general)
      await slack.idle(100)

      expect(told(alice, world)).toHaveLength(1)
      expect(told(alice, world)[0]?.plain).toContain('Nothing was done. Try again in 20 seconds:')
      expect(bob.messages(general).filter(({ plain }) => plain.includes(tooFast))).toEqual([])
      expect(service.requests).toHaveLength(before)
      clock.advance(20_000)
      await alice.types('/alert 5HkX', general)
      await alice.sees('Disk full', general)
    },
  )

  it('is held back as well when they belong to another organisation, before Slack is asked who they are', async () => {
    const world = await open(3, { slack: { isGrid: true } })
    world.expectRefusals()
    const { alice, service, slack } = world
    const eve = slack.addPerson({ name: 'eve', teamId: 'T0OTHER01' })
    const shared = slack.addChannel({
      name: 'shared',
      members: [alice, eve],
      botIsMember: true,
      isShared: true,
    })
    service.addAlert({ ks: '5HkX', message: 'Disk full' })
    await alice.types('/alert 5HkX', shared)
    const card = await eve.sees('Disk full', shared)
    await slack.idle()
    const before = slack.calls.filter(({ method }) => method === 'users.info').length
    // It would be kept.
    slack.trouble.fail('users.info', { error: 'internal_error' }, { times: 8 })

    for (let count = 0; count < 8; count += 1) await eve.presses('Refresh', card)
    await eve.sees(tooFast, shared)
    await slack.idle()

    expect(slack.calls.filter(({ method }) => method === 'users.info').length - before).toBe(3)
  })

  it('is taken at any pace where the operator sets no limit', async () => {
    const world = await open(0)
    const { alice, general, service } = world
    service.addAlert({ ks: '5HkX', message: 'Disk full' })

    await asks(alice, 100, world)
    await alice.types('/alert 5HkX', general)

    await alice.sees('Disk full', general)
    expect(told(alice, world)).toEqual([])
  })

  it('does not hold others back', async () => {
    const world = await open(3)
    const { alice, bob, general } = world
    await asks(alice, 4, world)
    await alice.sees(tooFast, general)
    await bob.types('/alert watches', general)
    await bob.sees('You aren’t watching any alerts', general)
  })

  it('keeps the form with what is typed in it', async () => {
    const world = await open(3)
    const { alice, general, service, clock, slack } = world
    service.addAlert({ ks: '5HkX', message: 'Disk full' })
    await alice.types('/alert', general)
    await alice.seesModal('Look up an alert')
    await asks(alice, 2, world)

    await alice.submits({ fields: { 'Alert key': '5HkX', 'Post to': general } })

    expect(alice.modal?.errors['Alert key']).toContain(tooFast)
    clock.advance(20_000)
    await alice.submits()
    await alice.sees('Disk full', general)
    await slack.idle()
  })

  it('keeps a confirmation that has no inputs, and nothing is sent before it is confirmed', async () => {
    const world = await open(4)
    const { alice, general, clock, slack } = world
    await alice.types('/grant', general)
    await alice.seesModal('Grant access')
    await alice.submits({ fields: { Container: '12', Email: 'dave@example.com', Role: 'Custom' } })
    await alice.seesModal('Grant access')
    await asks(alice, 2, world)

    await alice.submits()

    expect(alice.modal?.plain).toContain('Nothing was sent. Try again in 15 seconds:')
    expect(posts(world)).toHaveLength(0)
    await alice.closes()
    clock.advance(15_000)
    await alice.submits()
    await alice.sees('Granted', general)
    await slack.idle()
    expect(posts(world)).toHaveLength(1)
  })

  it('is told that nothing was sent of a grant, and nothing was', async () => {
    const world = await open(3)
    const { alice, general, slack } = world
    await asks(alice, 3, world)
    await alice.types('/grant 12 dave@example.com viewer', general)
    await alice.sees('Nothing was sent.', general)
    await slack.idle(100)
    expect(posts(world)).toHaveLength(0)
  })

  it('asks once for a grant to several people', async () => {
    const world = await open(3)
    const { alice, general, service } = world
    const people = Array.from({ length: 6 }, (_, at) => `p${at}@example.com`)
    for (const email of people) service.addUser({ email })
    await alice.types(`/grant 12 ${people.join(' ')} viewer`, general)
    await alice.sees('6 of 6 granted', general)
    await alice.types('/grant 12 dave@example.com viewer', general)
    await alice.sees(/Granted.*dave/s, general)
  })

  it('can take back, all the same: disconnect and stop watching', async () => {
    const world = await open(4)
    const { alice, general, service } = world
    service.addAlert({ ks: '5HkX', message: 'Disk full' })
    await alice.types('/alert 5HkX watch', general)
    await alice.sees('Disk full', general)
    await alice.types('/alert watches', general)
    const list = await alice.sees('Stop watching', general)
    await asks(alice, 3, world)
    await alice.sees(tooFast, general)

    await alice.presses('Stop watching', list)
    await alice.sees('You aren’t watching any alerts', general)
    await alice.types('/alert disconnect', general)
    await alice.sees('Disconnected', general)
  })

  it('can cancel, all the same', async () => {
    const world = await open(3)
    const { alice, general } = world
    await alice.types('/grant 12 dave@example.com CONTAINER_ADMIN', general)
    const confirmation = await alice.sees('Cancel', general)
    await asks(alice, 3, world)
    await alice.sees(tooFast, general)
    await alice.presses('Cancel', confirmation)
    await alice.sees('Cancelled. Nothing was sent.', general)
  })

  it('is told once of mentions, and of previews not at all', async () => {
    const world = await open(2)
    const { alice, general, service, slack } = world
    service.addAlert({ ks: '5HkX', message: 'Disk full' })
    for (let count = 0; count < 2; count += 1) alice.says('@Bellhop alert help', general)
    await slack.idle(100)
    const before = service.requests.length
    for (let count = 0; count < 2; count += 1) alice.says('@Bellhop alert 5HkX', general)
    alice.says(alertUrl.replace('{ks}', '5HkX'), general)
    await slack.idle(200)
    expect(told(alice, world)).toHaveLength(1)
    expect(service.requests).toHaveLength(before)
  })
})
