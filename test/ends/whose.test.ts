// Whose access ends: somebody stays their number while addresses change hands, and what one token lists says nothing of what
// another one does.
import { describe, expect, it } from 'vitest'
import { asAnother } from '../send/left-behind.ts'
import { aliceToken, openWorld, type World } from '../world.ts'

const hourMs = 3_600_000
const minuteMs = 60_000
const line = '/grant 12 dave@example.com viewer for 4h'

const ids = ({ service }: World) => service.membersOf(12).map(({ id }) => id)
const writes = ({ service }: World) => service.requests.filter(({ method }) => method !== 'GET')
const told = (world: World) => world.alice.screen(world.alice.dm)

async function given(typed = line) {
  const world = await openWorld()
  await world.alice.types(typed, world.general)
  const receipt = await world.alice.sees('✅ Granted', world.general)
  await world.slack.idle()
  return { ...world, world, receipt }
}

/** Its time comes, and a minute passes. */
async function isOver({ clock, slack }: World) {
  clock.advance(4 * hourMs + 1_000)
  await slack.idle(200)
  clock.advance(minuteMs)
  await slack.idle(200)
}

describe('an address that is somebody else’s by now', () => {
  it('ends the access of the number that got it, and of nobody else', async () => {
    const { world, alice, service } = await given()
    service.changeAddress(9, 'dave.doe@example.com')
    service.addMember(12, { id: 77, email: 'dave@example.com', permissions: ['READ'] })
    await isOver(world)
    await alice.sees('✅ Ended', alice.dm)
    expect(ids(world)).toEqual([77])
  })

  it('lets no end go by a grant to it, as nobody has shown who got that', async () => {
    const { world, alice, general, service, slack } = await given()
    service.changeAddress(9, 'dave.doe@example.com')
    service.addUser({ id: 77, email: 'dave@example.com' })
    service.behaves({ people: 'members' })
    await alice.types('/grant 12 dave@example.com viewer', general)
    await slack.idle(200)
    service.behaves({ people: 'everybody' })
    expect(ids(world)).toEqual([9, 77])
    await isOver(world)
    await alice.sees('✅ Ended', alice.dm)
    expect(ids(world)).toEqual([77])
  })
})

it('somebody whom a look has shown is known by that number', async () => {
  const world = await openWorld()
  const { alice, general, service, slack } = world
  service.behaves({ people: 'members' })
  service.trouble.cut({ when: 'after-effect', only: 'POST', times: 1 })
  await alice.types(line, general)
  const unsure = await alice.sees('❓ Not certain', general)
  await slack.idle()
  service.behaves({ people: 'everybody' })
  await alice.presses('Look again', unsure)
  await alice.sees('Monitoring lists them', general)
  await slack.idle()
  service.changeAddress(9, 'dave.doe@example.com')
  await isOver(world)
  await alice.sees('✅ Ended', alice.dm)
  expect(ids(world)).toEqual([])
})

it('two ends of one person who has changed their address wait for each other, and nothing is left', async () => {
  const { world, alice, general, service, slack } = await given()
  service.changeAddress(9, 'dave.doe@example.com')
  await alice.types('/grant change 12 dave.doe@example.com +BILLING for 4h', general)
  await alice.presses('Change access', await alice.sees('Viewer and BILLING', general))
  await alice.sees('✅ Changed', general)
  await slack.idle()
  service.trouble.slow(100, { only: 'PUT' })
  await isOver(world)
  await expect.poll(() => ids(world)).toEqual([])
  await slack.idle(300)
  expect(
    writes(world)
      .slice(2)
      .map(({ method }) => method),
  ).toEqual(['PUT', 'DELETE'])
})

describe('a colleague who removes it', () => {
  /** Carol reads where approvals are asked for that Alice’s account is gone. */
  async function orphaned(typed: string) {
    const { world, ...rest } = await given(typed)
    const { alice, general, service, slack } = world
    const carol = slack.addPerson({ name: 'carol', email: 'carol@example.com' })
    const approvals = slack.addChannel({ name: 'approvals', members: [carol], botIsMember: true })
    await world.restart({ APPROVAL_CHANNEL: approvals.id })
    const flags = ['API', 'READ', 'CONTAINER_ACCESS'] as const
    service.addToken({ token: 'carol-token', name: 'carol', flags: [...flags] })
    general.members.add(carol.id)
    await world.connect(carol, 'carol-token')
    await alice.types('/alert disconnect', general)
    await alice.presses('Disconnect', await alice.sees('If you disconnect, I can’t', general))
    const stuck = await carol.sees('Alice Archer’s account can’t take it back', approvals)
    return { ...rest, world, carol, approvals, stuck }
  }

  it('is not told that it’s gone where their own list lacks whom the giver’s showed as a member', async () => {
    const { world, carol, approvals, stuck, service } = await orphaned(
      '/grant 12 dave@example.com viewer member for 4h',
    )
    service.addMember(12, { id: 9, email: 'dave@example.com', member: false })
    service.behaves({ people: 'members' })
    await carol.presses('Remove now', stuck)
    await carol.sees('Monitoring doesn’t list dave@example.com', approvals)
    expect(carol.screen(approvals)).not.toContain('✅ Ended')
    expect(writes(world)).toHaveLength(1)
  })

  it('in vain proves nothing of the giver’s list later', async () => {
    const { world, alice, carol, approvals, stuck, service } = await orphaned(line)
    await world.connect(alice, aliceToken)
    service.trouble.answer(204, { only: 'DELETE', times: 1 })
    await carol.presses('Remove now', stuck)
    await carol.sees('Monitoring doesn’t show yet that it’s gone.', approvals)
    service.behaves({ people: 'members' })
    await isOver(world)
    await carol.sees('⚠️ Monitoring no longer shows dave@example.com', approvals)
    expect(told(world)).not.toContain('✅ Ended')
  })
})

it('whoever has it by their number can’t say that it’s gone', async () => {
  const { world, alice, general, service, slack } = await given()
  const dave = slack.addPerson({ name: 'dave', email: 'dave.diver@example.com' })
  const approvals = slack.addChannel({ name: 'approvals', members: [dave], botIsMember: true })
  general.members.add(dave.id)
  await world.restart({ APPROVAL_CHANNEL: approvals.id })
  service.addToken({ token: 'dave-token', name: 'dave', flags: ['API', 'CONTAINER_ACCESS'] })
  await world.connect(dave, 'dave-token')
  const { teamId: workspaceId } = slack.workspace
  await asAnother(world, ({ ownIds }) =>
    ownIds.keep({ workspaceId, userId: dave.id }, { userId: 9, isMatched: true }),
  )
  service.behaves({ people: 'members' })
  await isOver(world)
  await dave.presses('It’s gone', await dave.sees('Monitoring no longer shows', approvals))
  await dave.sees('This is your own access', approvals)
  await alice.types('/grant due', general)
  await alice.sees('dave@example.com · Viewer', general)
})
