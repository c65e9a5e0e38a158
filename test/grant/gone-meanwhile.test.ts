// Somebody whom the service no longer knows on the container (404) once a change or a removal is sent, though the read a
// moment before showed them.
import { describe, expect, it } from 'vitest'
import { openWorld, puts } from '../world.ts'
import { viewer } from './dave.ts'

async function openWith() {
  const world = await openWorld()
  for (const email of ['dave@example.com', 'erin@example.com'])
    world.service.addMember(12, { email, permissions: viewer })
  return world
}

describe('a 404', () => {
  it('to a change asks once more, with what they have now', async () => {
    const world = await openWith()
    const { alice, general, service } = world
    await alice.types('/grant change 12 dave@example.com +BILLING', general)
    const question = await alice.sees('[Change access]', general)
    service.trouble.answer(404, { only: 'PUT', times: 1 })

    await alice.presses('Change access', question)
    await alice.presses('Change access', await alice.sees('meanwhile', general))

    await alice.sees('✅ Changed', general)
    expect(puts(world)).toHaveLength(2)
  })

  it('to the removal of one of several is no reason not to remove the others', async () => {
    const world = await openWith()
    const { alice, general, service } = world
    await alice.types('/grant remove 12 dave@example.com,erin@example.com', general)
    const question = await alice.sees('Remove 2 people', general)
    service.trouble.answer(404, { only: 'DELETE', times: 1 })

    await alice.presses('Remove access', question)

    await alice.sees('✅ erin@example.com', general)
    expect(service.membersOf(12).map(({ email }) => email)).not.toContain('erin@example.com')
    expect(alice.screen(general)).not.toContain('✅ dave@example.com')
  })
})
