// The table of faults: Slack's.
import { expect, it } from 'vitest'
import { openWorld } from '../world.ts'
import { allIsWell } from './faults/fault.ts'
import { slackFaults } from './faults/rows-slack.ts'

it.each(slackFaults)(
  '$fault: $seen',
  async ({ options, play }) => {
    const world = await openWorld(options)
    await play(world)
    await allIsWell(world)
    expect(world.log.length).toBeGreaterThan(0)
  },
  300_000,
)
