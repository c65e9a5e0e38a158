import { expect, it } from 'vitest'
import { openWorld } from '../world.ts'

it('a long history shows its newest part, and says how much of how much', async () => {
  const { alice, general, service } = await openWorld()
  const actions = Array.from({ length: 520 }, (_, at) => ({
    kind: 'Comment',
    timestamp: 1_700_000_000 + at,
    data: { message: `step ${at + 1} of it` },
  }))
  service.addAlert({ ks: '5HkX', message: 'Disk full', severity: 2, actions })

  await alice.types('/alert 5HkX', general)

  const reply = await alice.sees('newest 15 of 520', await alice.sees('Disk full', general))
  expect(reply.plain).toContain('the rest is in monitoring')
  const steps = [...reply.plain.matchAll(/step (\d+) of it/g)].map(([, step]) => Number(step))
  expect(steps).toEqual(Array.from({ length: 15 }, (_, at) => 506 + at))
})
