// The soak in small: `npm run soak -- --minutes 10` is the same for longer. What it waits for, others work beside.
import { expect, it } from 'vitest'
import { soak } from '../../bench/soak/soak.ts'

it('three bots on one PostgreSQL, killed, restarted and troubled while people work, leave books that add up', async () => {
  const seed = Math.floor(Math.random() * 2 ** 31)
  const { counted, wrong } = await soak({ minutes: 0.5, seed })

  // `npm run soak -- --minutes 0.5 --seed …` makes the same choices again.
  expect({ seed, wrong }).toEqual({ seed, wrong: [] })
  for (const fault of ['kill -9', 'SIGTERM', 'PostgreSQL restarted'])
    expect(counted[`fault: ${fault}`]).toBeGreaterThan(0)
  expect(counted['commands answered']).toBeGreaterThan(20)
  expect(counted['cards that were live']).toBeGreaterThan(2)
  expect(counted['grants: POSTs at the service']).toBeGreaterThan(5)
  expect(counted['ends: over']).toBeGreaterThan(10)
  expect(counted['ends: DELETEs at the service']).toBeGreaterThan(2)
}, 500_000)
