// Open requests for approval on the Home tab: somebody's own, and those of others that they can read already.
import { describe, expect, it } from 'vitest'
import { asked, asks, type Colleagues, openColleagues } from '../approval/colleagues.ts'
import { looksAtHome } from './looks-at-home.ts'

/** Colleagues whose requests go to #general. */
async function openWithChannel(): Promise<Colleagues> {
  const world = await openColleagues()
  await world.restart({ APPROVAL_CHANNEL: world.general.id })
  return world
}

describe('a request for approval on the Home tab', () => {
  it('is among the asker’s own, with its card, until it has ended', async () => {
    const world = await openColleagues()
    const { alice, bob } = world
    const card = await asked(world)

    const asking = await looksAtHome(bob, world)
    expect(asking.plain).toMatch(
      /Your requests\n• ⏳ Waiting for approval · Viewer on container 12 for dave@example\.com · expires 2\d{3}-/,
    )
    expect(asking.plain).not.toMatch(/Waiting for you|Not granted/)
    expect(JSON.stringify(asking.blocks)).toContain(`/p${card.ts.replace('.', '')}`)
    await alice.presses('Approve', card)
    await bob.sees('✅ Granted', bob.dm)

    const over = (await looksAtHome(bob, world)).plain
    expect(over).not.toMatch(/expires|Not granted/)
    expect(over).toMatch(
      /Your requests\n• ✅ Granted by alice · Viewer on container 12 for dave@example\.com · /,
    )
    const approved = (await looksAtHome(alice, world)).plain
    expect(approved).toMatch(/Your requests\n• ✅ Granted by you · Viewer on /)
  })

  it('that was declined has that as its end, in one line', async () => {
    const world = await openColleagues()
    const { bob, carol } = world
    await carol.presses('Decline', await asked(world))
    await carol.seesModal('Decline request')
    await carol.submits({ fields: { Reason: 'Not now' } })
    await bob.sees('Declined by carol', bob.dm)

    const { plain } = await looksAtHome(bob, world)

    expect(plain).toMatch(/Your requests\n• 🚫 Declined by carol: “.*” · Viewer on /)
    expect(plain.match(/dave@example/g)).toHaveLength(1)
  })

  it('for one of two has a line beside that of both', async () => {
    const world = await openColleagues()
    const { alice, bob, general, service } = world
    service.addUser({ email: 'erin@example.com' })
    service.trouble.answer(204, { only: 'POST', times: 1 })
    await asks(bob, '/grant 12 dave@example.com,erin@example.com viewer', general)
    const card = await alice.sees('🔑', general)

    expect((await looksAtHome(bob, world)).plain).toMatch(
      /• ⏳ Waiting for approval · Viewer on .* for erin@example\.com .*\n• 1 of 2 granted · Viewer on /,
    )
    await alice.presses('Approve', card)
    await bob.sees('✅ Granted by alice', bob.dm)
    expect((await looksAtHome(bob, world)).plain).toMatch(
      /✅ Granted by alice · Viewer on .* for erin/,
    )
  })

  it('waits for members of the approval channel but who asked and who gets the access, also of those who join, until it has ended', async () => {
    const world = await openWithChannel()
    const { alice, bob, carol, dave, general, slack } = world
    const erin = slack.addPerson({ name: 'erin', email: 'erin@example.com' })
    const card = await asked(world)

    const waiting = await looksAtHome(carol, world)
    expect(waiting.plain).toMatch(
      /Waiting for you\n• bob asks: Viewer on container 12 for dave@example\.com · expires 2\d{3}-/,
    )
    expect(JSON.stringify(waiting.blocks)).toContain(`/p${card.ts.replace('.', '')}`)
    for (const other of [bob, dave, erin])
      expect((await looksAtHome(other, world)).plain).not.toContain('Waiting for you')
    general.members.add(erin.member.id)
    expect((await looksAtHome(erin, world)).plain).toContain('Waiting for you')
    await alice.presses('Approve', card)
    await bob.sees('✅ Granted', bob.dm)

    expect((await looksAtHome(carol, world)).plain).not.toContain('Waiting for you')
  })

  it('waits for nobody in another channel but those whom its card mentions', async () => {
    const world = await openColleagues()
    const { alice, bob, carol, slack } = world
    await world.restart({ APPROVAL_MENTION: alice.id })
    const members = [bob, carol]
    const secret = slack.addChannel({ name: 'secret', isPrivate: true, botIsMember: true, members })
    await asks(bob, '/grant 12 dave@example.com viewer', secret)
    await carol.sees('🔑', secret)

    expect((await looksAtHome(alice, world)).plain).toContain('Waiting for you')
    expect((await looksAtHome(carol, world)).plain).not.toContain('Waiting for you')
  })
})
