// People of a container, and its name, read from the service with somebody's own token, each as seldom as can be.
import { MonitorError } from '../errors.ts'
import type { ContainerPeople } from '../monitor/containers.ts'
import { personKey, type SlackUser } from '../slack/ids.ts'
import { markOf, nothingSeen, type SeenContainer } from './memory.ts'
import type { NamesRoom } from './room.ts'
import { keepSeen, loadSeen, remember } from './seen.ts'

/** The service is asked again for a list, or for what it did not tell, after so long. */
export const againMs = 10 * 60_000
/** What is known is read again after so long, should somebody ask: names change. */
const freshMs = 24 * 60 * 60_000

/** Whether this was so lately. A clock that was set back makes nothing last longer. */
export function isWithin(ms: number, at: number, now: number): boolean {
  return Math.abs(now - at) < ms
}

/**
 * People of a container, for a form: those of the last ten minutes, else read.
 * @throws MonitorError as `Monitor.usersOf`.
 */
export async function peopleOf(
  room: NamesRoom,
  owner: SlackUser,
  token: string,
  containerId: number,
): Promise<ContainerPeople> {
  const { memory, further, now } = room
  const { mark } = memory.used(owner, token)
  const known = memory.listOf(owner, mark, containerId)
  if (known !== undefined && isWithin(againMs, known.at, now()) && !further.isOff('container_users')) {
    return known.people
  }
  return readPeople(room, owner, token, containerId)
}

function readPeople(
  room: NamesRoom,
  owner: SlackUser,
  token: string,
  containerId: number,
): Promise<ContainerPeople> {
  const { monitor, memory, underWay, now } = room
  const mark = markOf(token)
  return underWay.people(nameOf(owner, token, containerId), async () => {
    const people = await monitor.usersOf(token, containerId)
    if (people.kind === 'listed') {
      memory.keepList(owner, mark, containerId, { people, at: now() })
      const named = people.people.filter(({ name }) => name.trim() !== '')
      await keepSeen(room, owner, token, containerId, {
        people: named.map(({ id, name }) => [id, name] as const),
      })
    }
    remember(room, owner, mark, containerId, () => ({
      peopleAskedAt: now(),
      ...(people.kind === 'no-container' && { isNowhere: true }),
    }))
    return people
  })
}

async function readName(
  room: NamesRoom,
  owner: SlackUser,
  token: string,
  containerId: number,
): Promise<void> {
  const found = await room.monitor.containerOf(token, containerId)
  if (found.kind === 'found') await keepSeen(room, owner, token, containerId, { name: found.name })
  if (found.kind === 'no-container') {
    remember(room, owner, markOf(token), containerId, () => ({ isNowhere: true }))
  }
}

/** Whether it is worth asking for somebody's name in a container. */
export function lacksPerson({ people, peopleAt }: SeenContainer, userId: number, now: number): boolean {
  return !people.has(userId) || !isWithin(freshMs, peopleAt, now)
}

/** Whether it is worth asking for a container's name. */
export function lacksName({ name, nameAt }: SeenContainer, now: number): boolean {
  return name === undefined || !isWithin(freshMs, nameAt, now)
}

/**
 * Reads the people, or the name, of a container, unless that was done in the last ten minutes, whatever came of it, by
 * this process or another. Whoever asks meanwhile waits for the same. Never throws for the service.
 */
export function learn(
  room: NamesRoom,
  owner: SlackUser,
  token: string,
  containerId: number,
  what: 'people' | 'name',
): Promise<void> {
  return room.underWay.learning(`${what} ${nameOf(owner, token, containerId)}`, async () => {
    const { memory, containerNames, now } = room
    const { mark } = memory.used(owner, token)
    const column = what === 'people' ? 'peopleAskedAt' : 'nameAskedAt'
    const { [column]: askedAt } = memory.of(owner)?.containers.get(containerId) ?? nothingSeen
    if (isWithin(againMs, askedAt, now())) return
    if (!(await containerNames.claim(owner, containerId, what, againMs))) {
      await loadSeen(room, owner, mark, containerId)
      return
    }
    remember(room, owner, mark, containerId, () => ({ [column]: now() }))
    try {
      await (what === 'people' ? readPeople : readName)(room, owner, token, containerId)
    } catch (error) {
      if (!(error instanceof MonitorError)) throw error
    }
  })
}

function nameOf(owner: SlackUser, token: string, containerId: number): string {
  return `${personKey(owner)} ${markOf(token)} ${containerId}`
}
