// Names of what is in maintenance, and modes, as somebody’s token has shown them. Asks nobody at the service.
import type { House } from '../house.ts'
import type { ModeTarget } from '../monitor/schema.ts'
import { containerInWords } from '../names/containers.ts'
import type { SlackUser } from '../slack/person.ts'
import { type Maintenance, targetKey } from './maintenance.ts'

/** “db-03”, “asset 34”, or “Customer 1 (12)”. Raw. */
export function nameIn(house: House, owner: SlackUser, target: ModeTarget): string {
  const { container, asset } = target
  if (asset === undefined) return containerInWords(house, owner, container)
  return house.assets.nameKnown(owner, { asset, container }) ?? `asset ${asset}`
}

/** A machine or a container in maintenance. `ours`: as Bellhop set it; undefined where that was done in monitoring. */
export interface Quiet {
  readonly target: ModeTarget
  /** Raw. */
  readonly name: string
  readonly ours: Maintenance | undefined
}

/** Maintenance of a machine, or of its whole container. */
export async function quietAt(
  house: House,
  owner: SlackUser,
  { asset, container }: { readonly asset: number; readonly container?: number | undefined },
): Promise<Quiet | undefined> {
  const whole = container === undefined ? [] : [{ container }]
  const [quiet] = await quietAmong(house, owner, [{ container: container ?? 0, asset }, ...whole])
  return quiet
}

/** Finds those that are in maintenance. The database is asked only where one is. */
export async function quietAmong(
  house: House,
  owner: SlackUser,
  targets: readonly ModeTarget[],
): Promise<readonly Quiet[]> {
  const { assets, storage } = house
  const quiet = targets.filter((one) => assets.modeKnown(owner, one) === 'maintenance')
  return Promise.all(
    quiet.map(async (target) => {
      const claim = targetKey(target)
      const [ours] = await storage.maintenances.list({ workspaceId: owner.workspaceId, claim })
      return { target, name: nameIn(house, owner, target), ours }
    }),
  )
}
