// New owners of alerts: who hears that they got one, what of it, and how often.
import { describe, expect, it } from 'vitest'
import type { Person } from '../../playground/slack/person/person.ts'
import type { SeenMessage } from '../../playground/slack/person/seen.ts'
import type { World } from '../world.ts'
import { diskFull, linkedCard, onCallWithBob } from './on-card.ts'

/** Bob assigns an alert of his own to himself, and is known from then on. */
async function bobIsKnown(world: World): Promise<void> {
  const { bob, general, service } = world
  const other = service.addAlert({ ...diskFull, ks: 'other', message: 'Other', timestamp: 1_700_000_000 })
  await bob.types(`/alert ${service.linkOf(other.ks)} private`, general)
  await bob.presses('Assign to me', await bob.sees('Other', general))
  await bob.sees('assigned to Bob Baker', general)
  await world.slack.idle()
}

async function assigns(person: Person, shown: SeenMessage, to: string, Message = ''): Promise<void> {
  await person.presses('Assign to somebody', shown)
  await person.seesModal('Assign alert')
  await person.submits({ fields: { 'Assign to': to, ...(Message === '' ? {} : { Message }) } })
}

function told({ bob }: World): readonly string[] {
  return bob.messages(bob.dm).flatMap(({ plain }) => (plain.includes('assigned an alert') ? [plain] : []))
}

describe('a new owner who is somebody else', () => {
  it('hears that an alert was assigned to them, by whom, and where its card is, and nothing of it', async () => {
    const world = await onCallWithBob()
    const { alice, bob, general } = world
    await bobIsKnown(world)
    const shown = await linkedCard(world, alice)

    await assigns(alice, shown, 'Bob Baker', 'You know these disks')

    const notice = await bob.sees('assigned an alert to you', bob.dm)
    await world.slack.idle()
    expect(notice.plain).toBe('@alice (Alice Archer) assigned an alert to you. Open its card')
    expect(JSON.stringify(notice.blocks)).toContain(`/archives/${general.id}/p`)
    expect(JSON.stringify(notice.blocks)).not.toMatch(/Disk|5HkX|You know/)
    expect(told(world)).toHaveLength(1)
  })

  it('hears nothing where nobody has proven who they are in Slack', async () => {
    const world = await onCallWithBob()
    const { alice, general } = world
    await assigns(alice, await linkedCard(world, alice), 'Bob Baker')
    await alice.sees('assigned to Bob Baker', general)
    await world.slack.idle(100)
    expect(told(world)).toEqual([])
  })

  it('gets no link to a card that only its asker sees', async () => {
    const world = await onCallWithBob()
    const { alice, bob } = world
    await bobIsKnown(world)
    await assigns(alice, await linkedCard(world, alice, ' private'), 'Bob Baker')
    const notice = await bob.sees('assigned an alert to you', bob.dm)
    expect(notice.plain).toBe('@alice (Alice Archer) assigned an alert to you. You’ll find it in monitoring.')
  })

  it('hears nothing where it was theirs already, or somebody else was quicker', async () => {
    const world = await onCallWithBob()
    const { alice, general, service } = world
    await bobIsKnown(world)
    const shown = await linkedCard(world, alice)
    service.alert('5HkX')?.act({ kind: 'Assign', data: { userId: 8, ownerId: 8 } })
    await assigns(alice, shown, 'Bob Baker')
    await alice.sees(/already|Nothing was sent/, general)
    await world.slack.idle(100)
    expect(told(world)).toEqual([])
  })
})
