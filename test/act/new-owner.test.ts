// Owners of alerts, new and former: who hears of it, what of the alert, and how often.
import { describe, expect, it } from 'vitest'
import type { Person } from '../../playground/slack/person/person.ts'
import type { SeenMessage } from '../../playground/slack/person/seen.ts'
import type { World } from '../world.ts'
import { assignForm, diskFull, linkedCard, onCallWithBob, takenBy } from './on-card.ts'

/** A card of Alice’s; Bob has assigned an alert of his own to himself, and is known from then on. */
async function bobIsKnown(manner?: string) {
  const { world, alice, bob, general, service, slack } = await onCallWithBob()
  const other = service.addAlert({
    ...diskFull,
    ks: 'other',
    message: 'Other',
    timestamp: 1_700_000_000,
  })
  await bob.types(`/alert ${service.linkOf(other.ks)} private`, general)
  await bob.presses('Assign to me', await bob.sees('Other', general))
  await bob.sees('assigned to Bob Baker', general)
  await slack.idle()
  return { ...world, world, shown: await linkedCard(world, alice, manner) }
}

async function assigns(
  person: Person,
  shown: SeenMessage,
  to: string,
  Message = '',
): Promise<void> {
  await assignForm(person, shown)
  await person.submits({ fields: { 'Assign to': to, ...(Message === '' ? {} : { Message }) } })
}

/** All that somebody hears of owning an alert. */
const told = ({ bob }: World, person = bob): readonly string[] =>
  person.messages(person.dm).flatMap(({ plain }) => (plain.includes(' an alert ') ? [plain] : []))

describe('a new owner who is somebody else', () => {
  it('hears that an alert was assigned to them, by whom, and where its card is, and nothing of it', async () => {
    const { world, alice, bob, general, shown } = await bobIsKnown()

    await assigns(alice, shown, 'Bob Baker', 'You know these disks')

    const notice = await bob.sees('assigned an alert to you', bob.dm)
    await world.slack.idle()
    expect(notice.plain).toBe('@alice (Alice Archer) assigned an alert to you. Open its card')
    expect(JSON.stringify(notice.blocks)).toContain(`/archives/${general.id}/p`)
    expect(JSON.stringify(notice.blocks)).not.toMatch(/Disk|5HkX|You know/)
    expect(told(world)).toHaveLength(1)
  })

  it.each([
    ['by the address that monitoring shows', 'as-chosen', 1],
    ['by nothing, and hears nothing, where it shows none', 'none', 0],
  ] as const)('is found %s', async (_, addresses, times) => {
    const { world, alice, general, service } = await onCallWithBob()
    service.behaves({ addresses })
    await assigns(alice, await linkedCard(world, alice), 'Bob Baker')
    await alice.sees('assigned to Bob Baker', general)
    await world.slack.idle(100)
    expect(told(world)).toHaveLength(times)
  })

  it('hears nothing once they have left', async () => {
    const { alice, bob, general, slack, shown } = await bobIsKnown()
    bob.member.isDeleted = true
    await assigns(alice, shown, 'Bob Baker')
    await alice.sees('assigned to Bob Baker', general)
    await slack.idle(100)
    expect(slack.calls.filter(({ args }) => args.channel === bob.member.id)).toEqual([])
  })

  it.each([
    ['only its asker sees', ' private', () => undefined],
    [
      'is in a channel they aren’t in',
      '',
      ({ general, bob }: World) => general.members.delete(bob.id),
    ],
  ])('gets no link to a card that %s, and can have one of their own', async (_, how, leaves) => {
    const { world, alice, bob, shown } = await bobIsKnown(how)
    leaves(world)
    await assigns(alice, shown, 'Bob Baker')
    const notice = await bob.sees('assigned an alert to you', bob.dm)
    expect(notice.plain).not.toContain('Open its card')
    await bob.presses('Show card', notice)
    await bob.sees('Disk full', bob.dm)
  })

  it('hears nothing where it was theirs already, or somebody else was quicker', async () => {
    const { world, alice, general, shown } = await bobIsKnown()
    takenBy(world, 8)
    await assigns(alice, shown, 'Bob Baker')
    await alice.sees(/already|Nothing was sent/, general)
    await world.slack.idle(100)
    expect(told(world)).toEqual([])
  })
})

describe('a former owner', () => {
  it('hears who took their alert over, once, and whoever took it hears nothing', async () => {
    const { world, alice, bob, general, slack } = await onCallWithBob()
    const shown = await linkedCard(world, alice)
    await alice.presses('Assign to me', shown)
    await alice.sees('assigned to Alice Archer', general)

    await bob.presses('Take over', await bob.sees('assigned to Alice Archer', general))

    await alice.sees('reassigned', alice.dm)
    await slack.idle()
    expect(told(world, alice)).toEqual([
      '@bob (Bob Baker) reassigned an alert you had. Open its card',
    ])
    expect(told(world)).toEqual([])
  })

  it('hears that somebody else has it now', async () => {
    const { world, alice, bob, general, slack } = await onCallWithBob()
    const dave = slack.addPerson({ name: 'dave', email: 'dave@example.com' })
    takenBy(world, 8)
    const shown = await linkedCard(world, alice)

    await assigns(alice, shown, 'Dave Doe')

    const lost = '@alice (Alice Archer) reassigned an alert you had. Open its card'
    expect((await bob.sees('an alert you had', bob.dm)).plain).toBe(lost)
    await dave.sees('assigned an alert to you', dave.dm)
    await alice.sees('assigned to Dave Doe', general)
    await slack.idle()
    expect(told(world)).toEqual([lost])
  })
})

describe('one’s own alert', () => {
  it('is handed over in one line, and nobody but who gets it hears so, and can see its card', async () => {
    const { world, alice, bob, general, slack } = await onCallWithBob()
    const shown = await linkedCard(world, alice)
    await alice.presses('Assign to me', shown)
    await alice.sees('assigned to Alice Archer', general)

    await alice.types('/alert assign 5HkX @bob', general)

    await alice.sees('Assigned to Bob Baker', general)
    const notice = await bob.sees('assigned an alert to you', bob.dm)
    await slack.idle()
    expect(told(world)).toHaveLength(1)
    expect(told(world, alice)).toEqual([])
    await bob.presses('Show card', notice)
    await bob.sees('Disk full', bob.dm)
  })
})
