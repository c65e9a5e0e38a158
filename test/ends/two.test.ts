// Access that ends by itself, looked after by two processes on one database.
import { expect, it } from 'vitest'
import { openWorld } from '../world.ts'

it('is taken back once, and told once, by two processes to which it falls due at the same moment', async () => {
  const world = await openWorld()
  const { alice, general, slack, service, clock } = world
  const dave = slack.addPerson({ name: 'dave', email: 'dave@example.com' })
  await alice.types('/grant 12 dave@example.com viewer for 4h', general)
  await alice.sees('✅ Granted', general)
  await world.startAnother()
  service.trouble.slow(50)

  clock.advance(4 * 3_600_000)

  await alice.sees('✅ Ended', alice.dm)
  await dave.sees('has ended', dave.dm)
  // Looked for again some twenty times by each.
  await slack.idle(500)
  expect(service.requests.flatMap(({ method }) => (method === 'GET' ? [] : [method]))).toEqual([
    'POST',
    'DELETE',
  ])
  expect(service.membersOf(12)).toEqual([])
  expect(alice.messages(alice.dm)).toHaveLength(1)
  expect(dave.messages(dave.dm).filter(({ plain }) => plain.includes('has ended'))).toHaveLength(1)
})
