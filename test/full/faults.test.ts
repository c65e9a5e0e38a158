// The table of faults: the service’s and Slack’s, in a world of its own each; the database’s and the clock’s on a process.
import { expect, it } from 'vitest'
import { openWorld } from '../world.ts'
import { allIsWell } from './faults/fault.ts'
import { databaseFaults } from './faults/rows-database.ts'
import { serviceFaults } from './faults/rows-service.ts'
import { slackFaults } from './faults/rows-slack.ts'

it.each([...serviceFaults, ...slackFaults])(
  '$fault: $seen',
  async ({ options, play }) => {
    const world = await openWorld(options)
    await play(world)
    await allIsWell(world)
    expect(world.log.length).toBeGreaterThan(0)
  },
  300_000,
)

it.each(databaseFaults)('$fault: $seen', ({ play }) => play(), 300_000)
