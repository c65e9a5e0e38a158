// Rights come first: whoever's token may not add people isn't asked to weigh what they would grant.
import { describe, expect, it } from 'vitest'
import type { Flag } from '../../src/grant/roles.ts'
import { openWorld, posts } from '../world.ts'
import { daveIs } from './dave.ts'

const lacks = 'Your token lacks CONTAINER_ACCESS there'

async function openWithBob() {
  const world = await openWorld({ isAliceConnected: false })
  world.service.addToken({
    token: 'bob-reads',
    name: 'bob',
    flags: { 12: ['API', 'READ'] },
    userId: 8,
  })
  await world.connect(world.bob, 'bob-reads')
  return world
}

it('a line with sensitive flags: they hear so in place of the question, and ask a colleague from there', async () => {
  const world = await openWithBob()
  const { bob, general } = world

  await bob.types('/grant 12 dave@example.com admin', general)

  const answer = await bob.sees(lacks, general)
  expect(answer.buttons).toEqual(['Ask for approval'])
  expect(answer.plain).not.toContain('Sensitive flags')
  await bob.presses('Ask for approval', answer)
  expect((await bob.seesModal('Ask for approval')).plain).toContain('dave@example.com')
  expect(posts(world)).toEqual([])
})

it('the form closes, and says so where it was opened', async () => {
  const world = await openWithBob()
  const { bob, general } = world

  await bob.types('/grant', general)
  await bob.seesModal('Grant access')
  await bob.fillsIn({ Container: '12', Email: 'dave@example.com', Role: 'Admin' })
  await bob.submits()

  expect((await bob.sees(lacks, general)).buttons).toEqual(['Ask for approval'])
  expect(bob.modal).toBeUndefined()
  expect(posts(world)).toEqual([])
})

describe('a refusal for no known reason (400) where the token’s own flags can be read', () => {
  const flags: readonly Flag[] = ['API', 'READ', 'CONTAINER_ACCESS']
  async function openCeiling() {
    const world = await openWorld()
    const { alice, service } = world
    service.addToken({ token: 'limited', name: 'limited', flags, userId: 7 })
    service.behaves({ ceiling: 400 })
    await world.connect(alice, 'limited')
    return { ...world, world }
  }

  it('names the flag that is missing, and doesn’t guess at the address', async () => {
    const { alice, general } = await openCeiling()
    await alice.types('/grant 12 dave@example.com READ,REPORTING_VIEW', general)
    const told = await alice.sees('your token lacks REPORTING_VIEW on container 12', general)
    expect(told.plain).toContain('Somebody who has all of that can do it.')
    expect(told.plain).not.toMatch(/account|address/)
  })

  it('names it for a change as well', async () => {
    const { world, alice, general } = await openCeiling()
    daveIs(world, { permissions: ['READ'] })
    await alice.types('/grant change 12 dave@example.com +WEBHOOKS', general)
    await alice.presses('Change access', await alice.sees('+ WEBHOOKS', general))
    await alice.sees('⛔ Not changed: your token lacks WEBHOOKS on Customer 1 (12)', general)
  })

  it('says as before who is there already, or isn’t known, where no flag is missing', async () => {
    const { world, alice, general } = await openCeiling()
    daveIs(world, { permissions: ['READ'] })
    await alice.types('/grant 12 dave@example.com READ,REPORTING_VIEW', general)
    await alice.sees('dave@example.com is already on container 12, with READ', general)
    await alice.types('/grant 12 dave@example.com READ', general)
    await alice.sees(/They have all of that already\.\n\[/, general)
    await alice.types('/grant 12 nobody@example.com READ', general)
    await alice.sees('I can’t see nobody@example.com on', general)
  })
})
