// Four eyes at the service: one of its users with two accounts in Slack can't approve for themselves, as far as that is
// proven. What somebody only chose counts for nothing.
import { describe, expect, it } from 'vitest'
import { alertUrl } from '../../playground/monitor/world.ts'
import type { Person } from '../../playground/slack/person/person.ts'
import { flags } from '../../src/grant/flags.ts'
import { openStorage } from '../../src/storage/storage.ts'
import { trailOf } from '../audit/read.ts'
import { looksAtHome } from '../home/looks-at-home.ts'
import type { WorldOptions } from '../world.ts'
import { asked, type Colleagues, openColleagues, posts } from './colleagues.ts'

const sameAsRecipient = 'You and the recipient are the same user in monitoring'
const sameAsRequester = 'You and the requester are the same user in monitoring'

/** Container 12 with an open alert, Alice (7), Bob (8) and Dave (9). Carol’s token acts as this user. */
async function openActing(carolIs: number, options: WorldOptions = {}): Promise<Colleagues> {
  const world = await openColleagues({ ...options, env: { MONITOR_ALERT_URL: alertUrl, ...options.env } })
  const { service } = world
  service.addAlert({ ks: '5HkX', message: 'Disk full', severity: 2, containerId: 12, assetId: 34 })
  for (const name of ['alice', 'bob', 'dave'])
    service.addMember(12, { email: `${name}@example.com`, member: true })
  service.addToken({ token: 'carol-token', name: 'carol', flags: [...flags], userId: carolIs })
  return world
}

/** Their first assignment shows which user of the service they are. */
async function assigns(person: Person, { service, slack }: Colleagues, to: number): Promise<void> {
  await person.types(`/alert ${service.linkOf('5HkX')} private`, person.dm)
  await person.sees('Disk full', person.dm)
  await person.types(`/alert assign 5HkX ${to}`, person.dm)
  await person.sees(/Assigned to/, person.dm)
  await slack.idle()
}

async function link(world: Colleagues, person: Person, userId: number, how: 'prove' | 'choose') {
  const { env, clock, slack } = world
  const storage = await openStorage({ url: env.DATABASE_URL ?? '', now: clock.now })
  const owner = { workspaceId: slack.workspace.teamId, userId: person.id }
  const linking =
    how === 'prove' ? storage.ownIds.prove(owner, userId) : storage.ownIds.choose(owner, userId, 'chosen')
  expect(await linking).toBe('linked')
  await storage.close()
}

/** The people of container 12, as this person’s own token shows them, for a form. */
async function seesPeople(person: Person, { service, slack }: Colleagues): Promise<void> {
  await person.types(`/alert ${service.linkOf('5HkX')}`, person.dm)
  await person.presses('Assign to somebody', await person.sees('Disk full', person.dm))
  await person.seesModal('Assign alert')
  await slack.idle()
  await person.closes()
}

async function mayNot(person: Person, world: Colleagues, words: string): Promise<void> {
  const card = await person.sees('🔑', world.general)
  await person.presses('Approve', card)
  const told = await person.sees(words, world.general)
  expect(told.plain).toContain('so somebody else has to approve it.')
  expect(told.isEphemeral).toBe(true)
  expect(posts(world).map(({ token }) => token)).toEqual(['bob'])
  const trail = await trailOf(world)
  expect(trail.filter(({ act }) => act === 'approve').map(({ outcome }) => outcome)).toEqual([
    'not-done:four-eyes',
  ])
}

describe('an approver who is the recipient at the service', () => {
  it('may not approve, as their assignment has shown it and their own token shows the address', async () => {
    const world = await openActing(9)
    await assigns(world.carol, world, 7)
    await asked(world)

    await mayNot(world.carol, world, sameAsRecipient)
  })

  it('may not, though they have connected with another token since', async () => {
    const world = await openActing(9)
    const { carol, service } = world
    await seesPeople(world.bob, world)
    await assigns(carol, world, 7)
    service.addToken({ token: 'carols-next', name: 'carol', flags: [...flags], userId: 17 })
    await world.connect(carol, 'carols-next')
    await asked(world)

    await mayNot(carol, world, sameAsRecipient)
  })

  it('may not, though they have disconnected since it was asked, and are somebody else now', async () => {
    const world = await openActing(9)
    const { carol, general, service } = world
    await seesPeople(world.bob, world)
    await link(world, carol, 9, 'prove')
    await asked(world)
    await carol.types('/alert disconnect', general)
    await carol.sees('Disconnected', general)
    service.addToken({ token: 'carols-next', name: 'carol', flags: [...flags], userId: 17 })
    await world.connect(carol, 'carols-next')

    await mayNot(carol, world, 'When this was asked, you and the recipient were the same user in monitoring')
  })

  it('may not after a restart either, where the asker’s token had shown the address', async () => {
    const world = await openActing(9)
    await seesPeople(world.bob, world)
    await asked(world)
    await link(world, world.carol, 9, 'prove')
    await world.restart()

    await mayNot(world.carol, world, sameAsRecipient)
  })

  it('may not where the recipient, in Slack, has proven it before them', async () => {
    const world = await openActing(9)
    const { dave } = world
    await link(world, dave, 9, 'prove')
    await asked(world)
    const { env, clock, slack } = world
    const storage = await openStorage({ url: env.DATABASE_URL ?? '', now: clock.now })
    await storage.ownIds.forget({ workspaceId: slack.workspace.teamId, userId: dave.id })
    await storage.close()
    await link(world, world.carol, 9, 'prove')

    await mayNot(world.carol, world, sameAsRecipient)
  })

  it('is not asked on Home either', async () => {
    const world = await openActing(9)
    const { alice, carol } = world
    await seesPeople(world.bob, world)
    await asked(world)
    expect((await looksAtHome(carol, world)).plain).toContain('Waiting for you')
    await link(world, carol, 9, 'prove')

    expect((await looksAtHome(carol, world)).plain).not.toContain('Waiting for you')
    expect((await looksAtHome(alice, world)).plain).toContain('Waiting for you')
  })

  it.each([
    ['has only chosen that', async (world: Colleagues) => link(world, world.carol, 9, 'choose')],
    ['has proven to be another', async (world: Colleagues) => link(world, world.carol, 17, 'prove')],
    ['has said nothing', async () => {}],
  ])('may where they have proven nothing of that: who %s', async (_, has) => {
    const world = await openActing(9)
    const { bob, carol, general } = world
    await seesPeople(bob, world)
    await seesPeople(carol, world)
    await has(world)
    await asked(world)
    await has(world)

    await carol.presses('Approve', await carol.sees('🔑', general))

    await bob.sees('Approved by carol', bob.dm)
    expect(posts(world).map(({ token }) => token)).toEqual(['bob', 'carol'])
  })

  it('may where no token shows the recipient’s address', async () => {
    const world = await openActing(9)
    const { bob, carol, general } = world
    world.service.behaves({ addresses: 'none' })
    await seesPeople(bob, world)
    await assigns(carol, world, 7)
    await asked(world)

    await carol.presses('Approve', await carol.sees('🔑', general))

    await bob.sees('Approved by carol', bob.dm)
  })
})

describe('an approver who is the asker at the service', () => {
  it('may not approve, with another token of the same user, once the asker has disconnected', async () => {
    const world = await openActing(8)
    const { bob, carol, general } = world
    await link(world, bob, 8, 'prove')
    await asked(world)
    await bob.types('/alert disconnect', general)
    await bob.sees('Disconnected', general)
    await assigns(carol, world, 7)

    await mayNot(carol, world, sameAsRequester)
  })

  it('may not where their own token shows the asker’s address beside their user', async () => {
    const world = await openActing(8)
    await asked(world)
    await assigns(world.carol, world, 7)

    await mayNot(world.carol, world, sameAsRequester)
  })

  it('may not where the asker’s token had shown the asker’s address, and nobody had proven it then', async () => {
    const world = await openActing(8)
    await seesPeople(world.bob, world)
    await asked(world)
    await link(world, world.carol, 8, 'prove')
    await world.restart()

    await mayNot(world.carol, world, sameAsRequester)
  })

  it('may where both have only chosen who they are', async () => {
    const world = await openActing(8)
    const { bob, carol, general } = world
    await link(world, bob, 8, 'choose')
    await asked(world)
    await bob.types('/alert disconnect', general)
    await bob.sees('Disconnected', general)
    await link(world, carol, 8, 'choose')

    await carol.presses('Approve', await carol.sees('🔑', general))

    await bob.sees('Approved by carol', bob.dm)
  })
})
