// Containers by name where access is granted: on receipts and on Home, as the sender's own token has shown them.
import { describe, expect, it } from 'vitest'
import { flags } from '../../src/grant/roles.ts'
import type { World } from '../world.ts'
import { asked, connectBob, namedCard, openShown } from './shown-world.ts'

const line = '/grant 12 erin@example.com READ'

async function openGranting(options = {}): Promise<World> {
  const world = await openShown(options)
  world.service.addUser({ email: 'erin@example.com' })
  return world
}

describe('a receipt', () => {
  it('names the container that its sender’s token has shown, alone and in the channel', async () => {
    const world = await openGranting()
    await namedCard(world)
    const { alice, bob, general } = world

    await alice.types(line, general)
    const receipt = await alice.sees('✅ Granted', general)
    expect(receipt.plain).toMatch(/erin@example\.com now has .* on Customer 1 \(12\)/)
    expect(receipt.text).toMatch(/now has .* on Customer 1 \(12\)/)
    // What is typed again has to work.
    expect(receipt.plain).not.toContain('/grant Customer')
    await alice.presses('Share in channel', receipt)
    expect((await bob.sees('requested by alice', general)).plain).toContain('Customer 1 (12)')
  })

  it('has the number where only somebody else’s token has shown the name', async () => {
    const world = await openGranting()
    await namedCard(world)
    const { bob, general, service } = world
    await connectBob(world)
    service.addToken({ token: 'bob-token-77d20e', name: 'bob', flags: [...flags], userId: 8 })

    await bob.types(line, general)

    expect((await bob.sees('✅ Granted', general)).plain).toMatch(/now has .* on container 12/)
  })

  it('is not waited for by a name: it is read afterwards, once, and known the next time', async () => {
    const world = await openGranting()
    const { alice, general, service } = world
    const before = service.requests.length
    await alice.types(line, general)
    expect((await alice.sees('✅ Granted', general)).plain).toMatch(/now has .* on container 12/)
    await world.serviceWasAsked('/container/12', 1)

    await expect
      .poll(async () => {
        await alice.opensHome()
        return (await alice.seesHome('Your requests')).plain
      })
      .toContain('READ on Customer 1 (12)')
    await alice.types('/grant 12 dave@example.com READ', general)
    await alice.sees('Already so', general)
    expect(asked(world, before).filter((path) => path === '/container/12 alice')).toHaveLength(1)
  })
})
