// `/alert maintenance`: one question, what it begins, and how it ends.
import { describe, expect, it } from 'vitest'
import { followed, passes } from '../follow/follow.ts'
import { openMachines } from './maintenance.ts'

describe('/alert maintenance db-03 for 2h', () => {
  it('asks once, puts the machine in maintenance until then, and a channel that follows hears of it', async () => {
    const world = await openMachines()
    const { alice, bob, general, ops, service, slack, clock } = world
    await followed(world)

    await alice.types('/alert maintenance 12', ops)
    await alice.sees('Nothing is in maintenance', ops)
    await alice.types('/alert maintenance db-03 for 2h', ops)
    const question = await alice.sees('Put db-03 (Customer 1 (12)) in maintenance until', ops)
    expect(question.plain).toContain('Channels that follow Customer 1 (12) will hear of it')
    expect(service.modeOf('asset/34').mode).toBe('normal')
    await alice.presses('Start maintenance', question)

    await alice.sees('🔧 db-03 is in maintenance until', ops)
    expect(service.modeOf('asset/34').mode).toBe('maintenance')
    expect(service.requests.findLast(({ method }) => method === 'PATCH')?.body).toEqual({
      mode: 'maintenance',
      duration: 120,
    })
    await bob.sees('🔧 Alice Archer put db-03 in maintenance until', general)
    await passes(world)
    await bob.sees(
      /Following Customer 1[\s\S]*🔧 db-03 is in maintenance until .* \(Alice Archer\)/,
      general,
    )

    await slack.idle()
    clock.advance(119 * 60_000)
    await slack.idle()
    clock.advance(2 * 60_000)
    await bob.sees('✅ db-03 is monitored again', general)
  })
})
