// Rights come first: whoever's token may not add people isn't asked to weigh what they would grant.
import { expect, it } from 'vitest'
import { openWorld, posts } from '../world.ts'

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
