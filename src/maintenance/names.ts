// Gives names and modes of machines and containers, as somebody’s token has shown them, and finds those in maintenance.
import type { House } from '../house.ts'
import type { ModeTarget } from '../monitor/schema.ts'
import { containerInWords } from '../names/containers.ts'
import { learnName } from '../names/names.ts'
import type { Account, SlackUser } from '../slack/person.ts'
import { inContainer, type Maintenance, targetKey } from './maintenance.ts'

/** “db-03”, “asset 34”, or “Customer 1 (12)”, without a request to the service. Raw. */
export function nameIn(house: House, owner: SlackUser, { container, asset }: ModeTarget): string {
  if (asset === undefined) return containerInWords(house, owner, container)

  return house.assets.nameKnown(owner, { asset, container }) ?? `asset ${asset}`
}

/** Like `nameIn`, but first reads the container’s name if it is missing. */
export async function nameLearned(
  house: House,
  reader: Account,
  target: ModeTarget,
): Promise<string> {
  await learnName(house, reader, target.container)
  return nameIn(house, reader.owner, target)
}

/** A machine or a container that isn’t monitored as usual. */
export interface Quiet {
  readonly target: ModeTarget
  /** Raw. */
  readonly name: string
  /** True if it is disabled in monitoring; false if it is in maintenance. */
  readonly isDisabled: boolean
  /** The maintenance as Bellhop set it; undefined if it was set in monitoring. */
  readonly ours: Maintenance | undefined
}

/** The maintenance that a machine is in: its own, or that of its whole container. As the owner’s token showed it last. */
export async function quietAt(
  house: House,
  owner: SlackUser,
  { asset, container }: { readonly asset: number; readonly container?: number | undefined },
): Promise<Quiet | undefined> {
  const whole = container === undefined ? [] : [{ container }]
  const found = await quietAmong(house, owner, [{ container: container ?? 0, asset }, ...whole])
  return found.find(({ isDisabled }) => !isDisabled)
}

/**
 * Finds what isn’t monitored as usual: the container itself, and all in it.
 * @param since - Modes that were read before this time, in milliseconds since 1970, are read anew.
 */
export async function quietIn(
  house: House,
  reader: Account,
  container: number,
  since: number,
): Promise<readonly Quiet[]> {
  const listed = await house.assets.modesIn(reader, container, since)
  const machines = [...(listed?.keys() ?? [])].map((asset) => ({ container, asset }))
  return quietAmong(house, reader.owner, [{ container }, ...machines])
}

/**
 * Finds those of the targets that aren’t monitored as usual, with one request to the database at most.
 * @param targets - All in one container.
 */
export async function quietAmong(
  house: House,
  owner: SlackUser,
  targets: readonly ModeTarget[],
): Promise<readonly Quiet[]> {
  const { assets, storage } = house
  const found = targets.flatMap((target) => {
    const mode = assets.modeKnown(owner, target)
    const isUsual = mode === undefined || mode === 'normal'
    return isUsual ? [] : [{ target, isDisabled: mode === 'disabled' }]
  })
  const [first, ...others] = found.map(({ target }) => target)
  if (first === undefined) return []

  const { workspaceId } = owner
  // A single target is found by its own key: its container may be unknown.
  const kept = await storage.maintenances.list(
    others.length === 0
      ? { workspaceId, claim: targetKey(first) }
      : { workspaceId, ref: inContainer(first.container) },
  )
  return found.map((one) => ({
    ...one,
    name: nameIn(house, owner, one.target),
    ours: kept.find(({ target }) => targetKey(target) === targetKey(one.target)),
  }))
}
