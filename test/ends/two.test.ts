// Access that ends by itself, looked after by two processes on one database.
import { expect, it } from 'vitest'
import { ids } from '../grant/dave.ts'
import { given, hourMs, writes } from './given.ts'

it('is taken back once, and told once, by two processes to which it falls due at the same moment', async () => {
  const { world, alice, dave, slack, service, clock } = await given()
  await world.startAnother()
  service.trouble.slow(50)

  clock.advance(4 * hourMs)

  await alice.sees('✅ Ended', alice.dm)
  await dave.sees('has ended', dave.dm)
  // Looked for again some twenty times by each.
  await slack.idle(500)
  expect(writes(world).map(({ method }) => method)).toEqual(['POST', 'DELETE'])
  expect(ids(world)).toEqual([])
  expect(alice.messages(alice.dm)).toHaveLength(1)
  expect(dave.messages(dave.dm).filter(({ plain }) => plain.includes('has ended'))).toHaveLength(1)
})
