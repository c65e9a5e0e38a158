// Tools for tests of maintenance: container 12 with machines, which #general follows.
import { openCustomer } from '../follow/follow.ts'
import { placeUrl, type WorldOptions } from '../world.ts'

/** Container 12 is Customer 1, with web-01 (33), db-03 (34) and db-04 (35). */
export async function openMachines(options: WorldOptions = {}) {
  const world = await openCustomer({
    ...options,
    env: { MONITOR_ALERT_URL: placeUrl, ...options.env },
  })
  for (const [id, name] of [
    [33, 'web-01'],
    [34, 'db-03'],
    [35, 'db-04'],
  ] as const)
    world.service.addAsset(id, { name })
  return world
}
