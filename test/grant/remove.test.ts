// `/grant remove`: one question for all that are named, one request each, and “Removed” once the list doesn’t show them.
import { describe, expect, it } from 'vitest'
import { asked as askedOfColleagues, openColleagues } from '../approval/colleagues.ts'
import { trailOf } from '../audit/read.ts'
import { openWorld, type World, type WorldOptions } from '../world.ts'
import { daveIs, viewer } from './dave.ts'

const line = '/grant remove 12 dave@example.com'
const gone = '✅ Removed: dave@example.com is no longer on Customer 1 (12)'

const removals = ({ service }: World) =>
  service.requests.filter(({ method }) => method === 'DELETE')
const idsOn = ({ service }: World) => service.membersOf(12).map(({ id }) => id)

/** Alice, who alone manages access, and Dave are on container 12; he is a member, so that the list must show him. */
async function openWith(options?: WorldOptions): Promise<World> {
  const world = await openWorld(options)
  const permissions = ['API', 'READ', 'CONTAINER_ACCESS']
  world.service.addMember(12, { email: 'alice@example.com', permissions, member: true })
  daveIs(world, { permissions: viewer, member: true })
  return world
}

async function asked(options?: WorldOptions) {
  const world = await openWith(options)
  await world.alice.types(line, world.general)
  return {
    world,
    question: await world.alice.sees('Remove Dave Doe (dave@example.com)', world.general),
  }
}

describe('/grant remove', () => {
  it('asks once, with what they have there, and says that it is done once the list shows it', async () => {
    const { world, question } = await asked()
    const { alice, general, slack } = world
    expect(question.plain).toBe(
      'Remove Dave Doe (dave@example.com) from Customer 1 (12)?\nThey have Viewer there.\n[Remove access] [Cancel]',
    )
    expect(removals(world)).toEqual([])
    await Promise.all([
      alice.presses('Remove access', question),
      alice.presses('Remove access', question),
    ])

    const told = await alice.sees(gone, general)
    await slack.idle()

    expect(told.buttons).toEqual(['Share in channel'])
    expect(removals(world)).toMatchObject([
      { path: '/container/12/user/9', token: 'alice', status: 204 },
    ])
    expect(removals(world)[0]?.body).toBeUndefined()
    expect(idsOn(world)).toEqual([7])
    expect((await trailOf(world)).at(-1)).toMatchObject({
      act: 'remove',
      outcome: 'done',
      email: 'dave@example.com',
      personId: 9,
      had: viewer,
      has: [],
    })
  })

  it('is sent once by two processes that get the press', async () => {
    const { world, question } = await asked()
    const { alice, general, slack, service } = world
    const other = await world.startAnother()
    service.trouble.slow(50)
    const delivery = await alice.presses('Remove access', question)
    slack.deliverTo(`${other.url}/slack/events`)
    await slack.redeliver(delivery)
    await alice.presses('Remove access', question)
    await alice.sees(gone, general)
    await slack.idle()
    expect(removals(world)).toHaveLength(1)
  })

  it('is refused for somebody from a parent container, whom the service would refuse', async () => {
    const world = await openWith()
    const { alice, general, service } = world
    service.addMember(12, { email: 'ines@example.com', permissions: viewer, inherit: true })
    for (const typed of ['remove 12 ines@example.com', 'change 12 ines@example.com +BILLING']) {
      await alice.types(`/grant ${typed}`, general)
      await alice.sees(
        'ines@example.com has access to Customer 1 (12) from a parent container.',
        general,
      )
    }
    expect(service.requests.filter(({ method }) => method !== 'GET')).toEqual([])
  })

  it('of several is one question, which says who can’t be removed there; a line for each outcome', async () => {
    const world = await openWith()
    const { alice, general, service } = world
    service.addMember(12, { email: 'erin@example.com', permissions: ['WEBHOOKS'] })
    service.addMember(12, { email: 'ines@example.com', permissions: viewer, inherit: true })

    await alice.types(`${line},erin@example.com,ines@example.com,frank@example.com`, general)
    const question = await alice.sees('Remove 2 people from Customer 1 (12)?', general)
    for (const words of [
      ...['Dave Doe (dave@example.com) · Viewer', 'Erin (erin@example.com) · WEBHOOKS'],
      'I can’t see frank@example.com on Customer 1 (12).',
      'ines@example.com has access to Customer 1 (12) from a parent container.',
    ])
      expect(question.plain).toContain(words)
    await alice.presses('Remove access', question)

    const told = await alice.sees('2 of 2 removed', general)
    expect(told.plain).toContain('✅ dave@example.com\n✅ erin@example.com')
    expect(service.membersOf(12).map(({ email }) => email)).toEqual([
      'alice@example.com',
      'ines@example.com',
    ])
  })

  it('of oneself, and of the last who may manage access, is said first and asked for twice', async () => {
    const world = await openWith()
    const { alice, general } = world
    await alice.types('/grant remove 12 alice@example.com', general)
    const question = await alice.sees('Remove Alice Archer', general)
    expect(question.plain).toContain(
      'This is your own access.\nAfter this, nobody I can see there has CONTAINER_ACCESS.\n',
    )
    await alice.presses('Remove access', question, { confirm: true })

    const told = await alice.sees('❓ Not certain', general)
    expect(told.plain).toContain('the token lacks READ, so nobody can see what became of it')
    expect(idsOn(world)).toEqual([9])
  })

  it('takes a flag from the last who may manage access only when asked twice', async () => {
    const world = await openWith()
    const { alice, general } = world
    await alice.types('/grant change 12 alice@example.com -CONTAINER_ACCESS', general)
    const question = await alice.sees('Change Alice Archer', general)
    expect(question.plain).toContain('− CONTAINER_ACCESS ⚠️')
    alice.declines('Change access', question)
  })

  it.each<[string, (world: World) => void, string]>([
    [
      'have another role by then: asked about once more',
      (world) => daveIs(world, { permissions: ['READ'] }),
      'Nothing was sent: somebody has changed this meanwhile.',
    ],
    [
      'are gone by then, of whom a list shows it as they were a member: said',
      ({ service }) => service.removeMember(12, 9),
      '✅ Already so: dave@example.com',
    ],
  ])('sends nothing where they %s', async (_, happens, words) => {
    const { world, question } = await asked()
    happens(world)
    await world.alice.presses('Remove access', question)
    await world.alice.sees(words, world.general)
    expect(removals(world)).toEqual([])
  })

  it.each<[string, (world: World) => void]>([
    [
      'a 204 that changed nothing',
      ({ service }) => service.trouble.answer(204, { only: 'DELETE', times: 1 }),
    ],

    [
      'a removal that shows much later',
      ({ service }) => service.behaves({ visible: { reads: 3 } }),
    ],
  ])(
    'is not certain after %s, until a look shows it; nothing is sent twice',
    async (_, happens) => {
      const { world, question } = await asked()
      const { alice, general, service } = world
      happens(world)
      await alice.presses('Remove access', question)
      const unsure = await alice.sees(
        '❓ Not certain: dave@example.com may or may not be on Customer 1 (12)',
        general,
      )
      service.removeMember(12, 9)
      await alice.presses('Look again', unsure)
      await alice.sees(gone, general)
      expect(removals(world)).toHaveLength(1)
    },
  )

  it.each([
    [true, 'Already so'],
    [false, '❓ Not certain'],
  ])(
    'of who isn’t listed any more is sent nothing, and was a member: %s',
    async (member, words) => {
      const world = await openWith()
      const { alice, general, service } = world
      daveIs(world, { member })
      await alice.types(line, general)
      const question = await alice.sees('Remove Dave Doe', general)
      service.behaves({ people: 'members' })
      daveIs(world, { member: false })
      await alice.presses('Remove access', question)
      await alice.sees(words, general)
      expect(removals(world)).toEqual([])
    },
  )

  it('of who wasn’t listed is not done by a look for somebody else', async () => {
    const world = await openWith()
    const { alice, general, service, slack } = world
    daveIs(world, { member: false })
    service.addMember(12, { email: 'erin@example.com', permissions: viewer, member: true })
    await alice.types('/grant remove 12 dave@example.com,erin@example.com', general)
    const question = await alice.sees('[Remove access]', general)
    service.behaves({ people: 'members' })
    service.trouble.answer(204, { only: 'DELETE', times: 1 })
    await alice.presses('Remove access', question)
    const unsure = await alice.sees('[Look again]', general)
    await alice.presses('Look again', unsure)
    await alice.sees('Looked again', general)
    await slack.idle(100)
    expect(alice.screen(general)).not.toMatch(/✅|1 of 2 removed/)
  })

  it('can be asked of a colleague, who sees what is taken, and is told to whoever asked', async () => {
    const world = await openColleagues({ env: { APPROVAL_FLAGS: 'READ' } })
    const { bob, carol, dave, service } = world
    daveIs(world, { permissions: viewer, member: true })
    const card = await askedOfColleagues(world, line)
    expect(card.plain).toContain('🔑 bob asks: Remove dave@example.com from Customer 1 (12)')
    expect(card.plain).toContain('Dave Doe (dave@example.com) · Viewer')

    await carol.presses('Approve', card)

    await bob.sees('✅ Removed by carol', bob.dm)
    expect(removals(world)).toMatchObject([{ token: 'carol' }])
    expect(service.membersOf(12)).toEqual([])
    await dave.doesNotSee('access', dave.dm)
    expect((await trailOf(world)).map(({ act, kind }) => `${act} ${kind ?? ''}`.trim())).toEqual(
      expect.arrayContaining(['ask remove', 'approve remove', 'remove']),
    )
  })

  it('that a colleague approves sends nothing where they have changed since it was asked', async () => {
    const world = await openColleagues()
    const { carol, general } = world
    daveIs(world, { permissions: viewer, member: true })
    const card = await askedOfColleagues(world, line)
    daveIs(world, { permissions: [...viewer, 'BILLING'] })

    await carol.presses('Approve', card)

    const told = await carol.sees('The request stays open.', general)
    expect(told.plain).toContain('somebody has changed their access meanwhile')
    expect(removals(world)).toEqual([])
  })

  it('of somebody whose address is hidden can’t be asked of a colleague', async () => {
    const world = await openColleagues()
    const { bob, general, service } = world
    service.addMember(12, { email: 'lea.lund@example.com', hidesEmail: true, permissions: viewer })
    await bob.types('/grant who 12', general)
    await bob.presses('Remove…', await bob.sees('Lea Lund · address hidden', general))
    await bob.sees(
      'A colleague can’t approve that: monitoring hides their address from you',
      general,
    )
  })
})
