// Links to users of monitoring on the Home tab: what people see of their own there, and how they correct it.
import { describe, expect, it } from 'vitest'
import type { Person } from '../../playground/slack/person/person.ts'
import { bobToken, openWorld, type World, type WorldOptions } from '../world.ts'
import { looksAtHome } from './looks-at-home.ts'

const rights = ['API', 'READ', 'ALERT_ASSIGN'] as const

/** Alice, Bob and Dave are members of container 12, and no addresses are shown. */
async function onCall(options: WorldOptions = {}): Promise<World> {
  const world = await openWorld({
    ...options,
    env: {
      MONITOR_ALERT_URL:
        'https://monitoring.example.com/container/{container}/asset/{asset}/alert?condition={condition}&item={item}&alert={timestamp}',
      ...options.env,
    },
  })
  const { service } = world
  service.addAlert({ ks: '5HkX', message: 'Disk full', severity: 2, containerId: 12, assetId: 34 })
  for (const name of ['alice', 'bob', 'dave'])
    service.addMember(12, { email: `${name}@example.com`, member: true })
  service.addToken({ token: bobToken, name: 'bob', flags: [...rights], userId: 8 })
  service.behaves({ addresses: 'none' })
  return world
}

/** Presses *Assign to me* for the first time, and chooses. */
async function saysWho(person: Person, who: string, { general, service, slack }: World): Promise<void> {
  await person.types(`/alert ${service.linkOf('5HkX')} private`, general)
  await slack.idle()
  await person.presses('Assign to me', await person.sees('Disk full', general))
  await person.seesModal('Who are you?')
  await person.submits({ fields: { 'You are': who } })
  await slack.idle()
}

describe('the Home tab of somebody who is linked', () => {
  it('says nothing of it before, and their name once their assignment has shown it', async () => {
    const world = await onCall()
    const { alice } = world
    expect((await looksAtHome(alice, world)).plain).not.toContain('in monitoring.')

    await saysWho(alice, 'Alice Archer', world)

    const home = await looksAtHome(alice, world)
    expect(home.plain).toContain('You’re Alice Archer in monitoring.')
    expect(home.buttons.at(-1)).toBe('Forget')
  })

  it('can be forgotten, and Assign to me asks again', async () => {
    const world = await onCall()
    const { alice, service, clock } = world
    await saysWho(alice, 'Alice Archer', world)
    await alice.presses('Forget', await looksAtHome(alice, world))
    await expect.poll(() => alice.home?.buttons).not.toContain('Forget')
    expect(alice.home?.plain).not.toContain('in monitoring.')

    service.alert('5HkX')?.act({ kind: 'Assign', data: { userId: 8, ownerId: 8 } })
    clock.advance(11_000)
    await alice.types(`/alert ${service.linkOf('5HkX')}`, world.general)
    await alice.presses('Assign to me', await alice.sees('· Bob Baker', world.general))
    await alice.seesModal('Who are you?')
  })
})

describe('a container’s token in place of one’s own', () => {
  it('is nobody, whoever had their own before', async () => {
    const world = await onCall()
    const { alice, general, service, slack } = world
    await saysWho(alice, 'Alice Archer', world)
    service.alert('5HkX')?.act({ kind: 'Assign', data: { userId: 8, ownerId: 8 } })
    service.addToken({ token: 'containers', name: 'container', flags: { 12: [...rights] } })
    world.clock.advance(11_000)
    await world.connect(alice, 'containers')
    await alice.types(`/alert ${service.linkOf('5HkX')} private`, general)
    await slack.idle()
    const puts = () => service.requests.filter(({ method }) => method === 'PUT').length
    const before = puts()

    await alice.presses('Assign to me', await alice.sees('Disk full', general))

    const answer = await alice.sees('belongs to a container, not to a person', general)
    expect(answer.buttons).toContain('Assign to somebody')
    await alice.types('/alert assign 5HkX me', general)
    await alice.sees('name them in place of “me”', general)
    expect(puts()).toBe(before)
  })

  it('is asked about once, and not at all of a token that has proven whose it is', async () => {
    const world = await onCall()
    const { alice, general, service, clock } = world
    await saysWho(alice, 'Alice Archer', world)
    const asked = () => service.requests.filter(({ path }) => path === '/container/id').length
    const before = asked()
    await world.restart()
    clock.advance(11_000)
    await alice.types('/alert assign 5HkX me', general)
    await alice.sees('is already yours', general)
    expect(asked()).toBe(before)
  })
})

describe('two people who act as one user of the service', () => {
  it('hear of it, and the audit channel names them', async () => {
    const world = await onCall()
    const { alice, bob, general, service, slack } = world
    const audit = slack.addChannel({ name: 'audit', members: [alice], botIsMember: true })
    await world.restart({ AUDIT_CHANNEL: audit.id })
    await saysWho(alice, 'Alice Archer', world)
    service.addToken({ token: 'shared', name: 'alice', flags: [...rights], userId: 7 })
    await world.connect(bob, 'shared')
    service.addAlert({ ks: 'next', message: 'Next', containerId: 12, assetId: 34, timestamp: 1_700_000_000 })
    await bob.types('/alert assign next 7 "Mine."', general)

    const answer = await bob.sees('Assigned: alert “next”.', general)
    expect(answer.plain).toContain(
      'Bellhop goes by their link until they press Forget on Bellhop’s Home tab.',
    )
    const line = await alice.sees('act as the same person', audit)
    expect(line.plain).toBe(
      'Bob Baker and Alice Archer act as the same person in monitoring (user 7). Bellhop goes by Alice Archer’s link.',
    )
    await alice.presses('Forget', await looksAtHome(alice, world))
    await expect.poll(() => alice.home?.buttons).not.toContain('Forget')
    service.addAlert({
      ks: 'third',
      message: 'Third',
      containerId: 12,
      assetId: 34,
      timestamp: 1_700_000_009,
    })
    await bob.types('/alert assign third 7 "Mine, too."', general)
    await expect.poll(() => bob.messages(general).at(-1)?.plain).toBe('✅ Assigned to you: alert “third”.')
  })
})
