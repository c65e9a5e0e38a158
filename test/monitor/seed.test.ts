// Alerts of the seed while people play with them: what can happen to each, and how all are as at the start again.
import { describe, expect, test } from 'vitest'
import { seed } from '../../playground/monitor/seed/seed.ts'
import { seedTokens } from '../../playground/monitor/seed/seed-people.ts'
import { connectTo, startService } from './setup.ts'

const start = Date.UTC(2026, 0, 5, 9)

async function startSeed() {
  const service = await startService()
  const monitor = connectTo(service.url)
  const read = (ks: string) => monitor.readAlert(seedTokens.bob, ks)
  return { service, monitor, read, seeded: seed(service, start) }
}

describe('an alert of the seed', () => {
  test('has a story of its own that goes on after its end', async () => {
    const { seeded, read } = await startSeed()

    const told = Array.from({ length: 8 }, () => seeded.happens('disk-full')?.happened)

    expect(told).toEqual([
      'gets a comment',
      'gets worse, from CRITICAL to ALERT',
      'is assigned',
      'calls an integration',
      'gets better, from ALERT to CRITICAL',
      'is closed',
      'opens again',
      'gets a comment',
    ])
    expect(await read('one-hit')).toMatchObject({ actions: [], lastSeverity: 5 })
  })
})

describe('a reset', () => {
  test('makes every alert and all members what they were, and tokens stay as they are', async () => {
    const { service, monitor, seeded, read } = await startSeed()
    const before = await Promise.all(seeded.keys.map(read))
    const dave = { email: 'dave@example.com', authProvider: undefined, member: false, permissions: [] }
    await monitor.addUser(seedTokens.alice, 12, dave)
    for (const ks of seeded.keys) for (let step = 0; step < 6; step += 1) seeded.happens(ks)
    service.addAlert({ ks: 'another' })
    service.revoke(seedTokens.carol)

    seeded.reset()

    expect(await Promise.all(seeded.keys.map(read))).toEqual(before)
    expect(service.alerts()).toHaveLength(seeded.keys.length)
    expect(service.membersOf(12).map(({ name }) => name)).toEqual([
      'Alice Archer',
      'Bob Baker',
      'Heidi Holm',
      'Carol Chen',
    ])
    expect(await monitor.addUser(seedTokens.carol, 12, dave)).toMatchObject({ code: 'refused' })
    expect(await monitor.addUser(seedTokens.alice, 12, dave)).toEqual({ kind: 'done' })
    expect(seeded.happens('disk-full')?.happened).toBe('gets a comment')
  })
})
