// Readers of doctor: an admin reads all of it, everybody else what they can do something about.
import { describe, expect, it } from 'vitest'
import { openInstalls } from '../install/world.ts'
import { bobToken, openWorld, type World } from '../world.ts'
import { asksDoctor, seesDetails, seesTicket } from './asking.ts'
import { allBut, allScopes } from './scopes.ts'

const oneLine = /Bellhop needs attention from whoever runs it \(reference ([0-9a-f]{8})\)/

/** As the playground has it: nobody is an admin, there is no public address, and no event has come yet. */
async function open(botScopes = allScopes): Promise<World> {
  const world = await openWorld({ slack: { botScopes } })
  await world.connect(world.bob, bobToken)
  return world
}

describe('somebody who is no admin', () => {
  it('reads that all is well where it is, without a public address and before any event', async () => {
    const world = await open()

    const told = await asksDoctor(world, world.bob)

    expect(told.plain).toMatch(/^✅ All \d+ checks passed\n/)
    expect(told.plain).not.toMatch(/🟡|🔴|PUBLIC_URL|Events|reference/)
  })

  it('reads one line about what an operator has to fix, whose reference leads to the rest in the log', async () => {
    const world = await open()
    const { bob, general, log } = world
    await world.service.trouble.down()

    const told = await asksDoctor(world, bob)

    expect(told.plain).toMatch(/^🔴 2 of \d+ checks need attention\n/)
    expect(told.plain).toMatch(
      /🔴 Bellhop needs attention .*\)\s+Affected: Monitoring service\.\n🟡 Your account/,
    )
    expect(told.plain).not.toMatch(/MONITOR_API_URL|Nothing is listening/)
    const [, reference] = oneLine.exec(told.plain) ?? []
    const lines = log.map((line) => JSON.parse(line)).filter(({ request }) => request === reference)
    expect(lines).toContainEqual(
      expect.objectContaining({
        msg: 'doctor found what only whoever runs Bellhop can fix',
        found: ['Monitoring service: Nothing is listening there.'],
      }),
    )

    expect((await seesDetails(world, bob)).plain).not.toMatch(/MONITOR_API_URL|Nothing is listening/)
    await bob.closes()
    const ticket = (await seesTicket(world, bob, general)).plain
    expect(ticket).toMatch(oneLine)
    expect(ticket).not.toContain('MONITOR_API_URL')
  })

  it('reads nothing about what they do not notice', async () => {
    const world = await open(allBut('links:write'))

    expect((await asksDoctor(world, world.bob)).plain).toMatch(/^✅ All \d+ checks passed\n/)
  })

  it('reads it where nobody is known as an admin, for want of a scope', async () => {
    const world = await open(allBut('users:read'))
    world.expectRefusals()

    expect((await asksDoctor(world, world.bob)).plain).toMatch(oneLine)
  })
})

describe('whoever reads all of it', () => {
  it('is an admin, who reads what to do', async () => {
    const world = await openWorld({ slack: { botScopes: allScopes }, isAliceAdmin: true })
    await world.service.trouble.down()

    const told = await asksDoctor(world)

    expect(told.plain).toMatch(/🔴 Monitoring service\s+Nothing is listening there\.\s+→ Start it/)
    expect(told.plain).not.toMatch(oneLine)
  })

  it('is whoever installed Bellhop, admin or not', async () => {
    const world = await openInstalls()
    const { acme } = world
    const { member, admin, general } = acme
    await world.install(member)
    await world.service.trouble.down()

    const told = await asksDoctor({ alice: member, general })
    expect(told.plain).toMatch(/🔴 Monitoring service\s+Nothing is listening there\./)

    await world.install(admin)
    expect((await asksDoctor({ alice: member, general })).plain).toMatch(oneLine)
  })
})
