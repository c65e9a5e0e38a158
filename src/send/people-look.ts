// Looks at the people of a container for somebody who may have been added.
import { MonitorError } from '../errors.ts'
import type { ContainerPeople, Monitor } from '../monitor/client.ts'
import type { Clock } from '../slack/ids.ts'
import type { Settled } from './outcome.ts'
import { type PeopleLook, proofInPeople, type Sight } from './people-proof.ts'
import type { AddUser } from './writes.ts'

export interface PeopleRoom {
  readonly monitor: Pick<Monitor, 'usersOf'>
  readonly now: Clock
}

/**
 * Lets all who look at the same time share one read of each container, never between two tokens. Reads begin after it
 * is made, so that they show what was sent before.
 */
export function readingOnce({ monitor, now }: PeopleRoom): PeopleRoom {
  const asked = new Map<string, Promise<ContainerPeople>>()
  return {
    now,
    monitor: {
      usersOf(token, containerId) {
        const key = JSON.stringify([containerId, token])
        const reading = asked.get(key) ?? monitor.usersOf(token, containerId)
        asked.set(key, reading)
        return reading
      },
    },
  }
}

/**
 * Never rejects for what the service does.
 * @param former - What was seen of them before: it stands where nothing can be read just now.
 */
export async function lookForPerson(
  room: PeopleRoom,
  token: string,
  write: AddUser,
  former: PeopleLook | undefined,
): Promise<Settled | PeopleLook> {
  const at = room.now()
  const found = await readFor(room, token, write, former?.saw)
  if (typeof found === 'object') return found
  return found === 'unread' && former !== undefined ? former : { saw: found, at }
}

async function readFor(
  { monitor }: PeopleRoom,
  token: string,
  write: AddUser,
  former: Sight | undefined,
): Promise<Settled | Sight> {
  try {
    const found = await monitor.usersOf(token, write.containerId)
    if (found.kind === 'listed') return proofInPeople(write, found.people, former)
    return found.kind === 'off' ? 'off' : 'unread'
  } catch (error) {
    if (!(error instanceof MonitorError)) throw error
    if (error.code === 'forbidden') return 'unreadable'
    return error.code === 'refused' ? 'refused' : 'unread'
  }
}
