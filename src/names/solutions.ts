// Shortest solution that a container asks for, as somebody's own token shows its property: inherited ones aren't shown
// there, so that no property says nothing. It is kept in memory alone, and shown to whoever closes an alert with it.
import { MonitorError } from '../errors.ts'
import type { SlackUser } from '../slack/ids.ts'
import { containerKnown, type FromLink } from './containers.ts'
import { markOf } from './memory.ts'
import { againMs, isWithin, remember } from './people.ts'
import type { NamesRoom } from './room.ts'

/**
 * Characters that a solution of this alert needs, as this owner's token has shown it in the last ten minutes; undefined
 * where nobody knows. Asks nobody.
 * @param ks - As the service writes it.
 */
export async function shortestKnown(
  room: NamesRoom,
  owner: SlackUser,
  ks: string,
  link: FromLink | undefined,
): Promise<number | undefined> {
  const containerId = await containerKnown(room, owner, ks, link)
  const { solution } = (containerId && room.memory.of(owner)?.containers.get(containerId)) || {}
  return solution && isWithin(againMs, solution.at, room.now()) ? solution.shortest : undefined
}

/** Reads it, at most once in ten minutes, where the alert's container is known. Never throws for the service. */
export async function learnShortest(
  room: NamesRoom,
  owner: SlackUser,
  token: string,
  ks: string,
  link: FromLink | undefined,
): Promise<void> {
  if (room.further.isOff('container')) return
  room.memory.used(owner, token)
  const containerId = await containerKnown(room, owner, ks, link)
  if (containerId === undefined) return
  const { solution } = room.memory.of(owner)?.containers.get(containerId) ?? {}
  if (solution !== undefined && isWithin(againMs, solution.at, room.now())) return
  const mark = markOf(token)
  const at = room.now()
  await room.underWay.learning(`solution ${mark} ${containerId}`, async () => {
    try {
      const found = await room.monitor.shortestSolutionIn(token, containerId)
      const shortest = found.kind === 'found' ? found.shortest : undefined
      remember(room, owner, mark, containerId, () => ({ solution: { shortest, at } }))
    } catch (error) {
      if (!(error instanceof MonitorError)) throw error
    }
  })
}
