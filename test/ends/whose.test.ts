// Whose access ends: somebody stays their number while addresses change hands, and what one token lists says nothing of what
// another one does.
import { describe, expect, it } from 'vitest'
import { addCarol, asksIn } from '../approval/colleagues.ts'
import { daveIs, ids } from '../grant/dave.ts'
import { aliceToken, openWorld, type World } from '../world.ts'
import {
  disconnects,
  endsAfter,
  given,
  gives,
  hourMs,
  isOver,
  line,
  minuteMs,
  passes,
  writes,
} from './given.ts'

const told = (world: World) => world.alice.screen(world.alice.dm)

describe('an address that is somebody else’s by now', () => {
  it('ends the access of the number that got it, and of nobody else', async () => {
    const { world, service } = await given()
    service.changeAddress(9, 'dave.doe@example.com')
    service.addMember(12, { id: 77, email: 'dave@example.com', permissions: ['READ'] })
    await endsAfter(world, 4 * hourMs)
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
    await endsAfter(world, 4 * hourMs)
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
  await endsAfter(world, 4 * hourMs)
  expect(ids(world)).toEqual([])
})

it.each<[string, (world: World) => Promise<string>]>([
  [
    'is given more under an address of today',
    async (world) => {
      await gives(world)
      world.service.changeAddress(9, 'dave.doe@example.com')
      return 'dave.doe@example.com'
    },
  ],
  [
    'was known by address alone at first, as nobody listed them',
    async (world) => {
      const { alice, general, service, slack } = world
      service.behaves({ people: 'members' })
      await alice.types(line, general)
      await alice.sees('Monitoring doesn’t show them to you yet.', general)
      await slack.idle()
      service.behaves({ people: 'everybody' })
      return 'dave@example.com'
    },
  ],
])('two ends of one person who %s wait for each other, and nothing is left', async (_, begins) => {
  const world = await openWorld()
  const { alice, general, service, slack } = world
  const address = await begins(world)
  await alice.types(`/grant change 12 ${address} +BILLING for 4h`, general)
  await alice.presses('Change access', await alice.sees('Viewer and BILLING', general))
  await alice.sees('✅ Changed', general)
  await slack.idle()
  service.trouble.slow(100, { only: 'PUT' })
  await isOver(world)
  await passes(world, minuteMs)
  await expect.poll(() => ids(world)).toEqual([])
  await slack.idle(300)
  const sent = writes(world).map(({ method }) => method)
  expect(sent.slice(2)).toEqual(['PUT', 'DELETE'])
})

describe('a colleague who removes it', () => {
  /** Carol reads where approvals are asked for that Alice’s account is gone. */
  async function orphaned(typed: string) {
    const { world, ...rest } = await given(typed)
    const carol = addCarol(world)
    const approvals = await asksIn(world, carol)
    await world.connect(carol, 'carol-token')
    await disconnects(world)
    const stuck = await carol.sees('Alice Archer’s account can’t take it back', approvals)
    return { ...rest, world, carol, approvals, stuck }
  }

  it('is not told that it’s gone where their own list lacks whom the giver’s showed as a member', async () => {
    const { world, carol, approvals, stuck, service } = await orphaned(
      '/grant 12 dave@example.com viewer member for 4h',
    )
    daveIs(world, { member: false })
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
