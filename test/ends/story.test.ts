// Access that ends by itself: given for a time, warned of, taken back with the account that gave it, and called ended once
// monitoring shows it.
import { describe, expect, it } from 'vitest'
import { trailOf } from '../audit/read.ts'
import { openWorld, type World, type WorldOptions } from '../world.ts'

const hourMs = 3_600_000
const viewer = ['READ', 'API', 'REPORTING_VIEW', 'VIEW_LOG']
const line = '/grant 12 dave@example.com viewer for 4h'

const writes = ({ service }: World) => service.requests.filter(({ method }) => method !== 'GET')
const has = ({ service }: World) => service.membersOf(12).find(({ id }) => id === 9)?.permissions

async function given(typed = line, options?: WorldOptions) {
  const world = await openWorld(options)
  const { alice, general, slack } = world
  const dave = slack.addPerson({ name: 'dave', realName: 'Dave Doe', email: 'dave@example.com' })
  general.members.add(dave.id)
  await alice.types(typed, general)
  const receipt = await alice.sees('✅ Granted', general)
  return { ...world, world, dave, receipt }
}

describe('access for a time', () => {
  it('is taken back at its time, and the person and the giver hear of it before and after', async () => {
    const { world, alice, dave, clock, receipt, service } = await given()
    expect(receipt.plain).toMatch(/Until 20\d\d-/)
    expect(receipt.plain).toContain(', then taken back with your account.')
    expect(receipt.buttons).toEqual([
      'Share in channel',
      ...['Extend by 1 hour', 'Extend by 4 hours', 'Extend by 1 day', 'Keep for good', 'Remove now'],
    ])
    expect(has(world)).toEqual(viewer)

    clock.advance(4 * hourMs - 10 * 60_000)
    await dave.sees('Your access to Customer 1 (12) ends', dave.dm)
    await alice.sees('dave@example.com has Viewer on Customer 1 (12) until', alice.dm)
    expect(has(world)).toEqual(viewer)

    clock.advance(10 * 60_000)
    await alice.sees(
      '✅ Ended: dave@example.com no longer has Viewer on Customer 1 (12). Monitoring shows it.',
      alice.dm,
    )
    await dave.sees('Your access to Customer 1 (12) has ended.', dave.dm)
    expect(service.membersOf(12)).toEqual([])
    expect(writes(world).map(({ method }) => method)).toEqual(['POST', 'DELETE'])
    expect((await trailOf(world)).slice(-2)).toMatchObject([
      { act: 'grant', outcome: 'done', until: expect.any(Number) },
      { act: 'take-back', outcome: 'done', email: 'dave@example.com', had: viewer },
    ])
  })
})
