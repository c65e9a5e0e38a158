// Tools for tests of access that Alice gives Dave for a time.
import { openWorld, type World, type WorldOptions } from '../world.ts'
import { untilLookedAt } from './many.ts'

export const hourMs = 3_600_000
export const minuteMs = 60_000
export const line = '/grant 12 dave@example.com viewer for 4h'

/** What somebody has on container 12 by now: Dave, unless another number is given. */
export const has = ({ service }: World, id = 9) =>
  service.membersOf(12).find((one) => one.id === id)?.permissions

export async function given(typed = line, options?: WorldOptions) {
  const world = await openWorld(options)
  await world.alice.types(typed, world.general)
  await world.alice.sees('✅ Granted', world.general)
  await world.slack.idle()
  return world
}

/** Its time comes. */
export async function isOver(world: World, ms = 4 * hourMs) {
  world.clock.advance(ms + 1_000)
  await untilLookedAt(world)
}
