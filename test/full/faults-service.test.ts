// The table of faults: the service’s.
import { expect, it } from 'vitest'
import { openWorld } from '../world.ts'
import { allIsWell } from './faults/fault.ts'
import { serviceFaults } from './faults/rows-service.ts'

it.each(serviceFaults)(
  '$fault: $seen',
  async ({ options, play }) => {
    const world = await openWorld(options)
    await play(world)
    await allIsWell(world)
    expect(world.log.length).toBeGreaterThan(0)
  },
  300_000,
)
