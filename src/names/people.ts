// Names of a container and its people, as somebody's own token shows them: from memory, else read from the service, each
// as seldom as can be.
import { MonitorError } from '../errors.ts'
import type { House } from '../house.ts'
import type { ContainerPeople } from '../monitor/reads.ts'
import { personKey, type SlackUser } from '../slack/ids.ts'

/** The service is asked again for a list, or for what it did not tell, after so long. */
export const againMs = 10 * 60_000

/** Whether this was so lately. A clock that was set back makes nothing last longer. */
export function isWithin(ms: number, at: number, now: number): boolean {
  return Math.abs(now - at) < ms
}

/**
 * People of a container: those of the last ten minutes, else read. `off` also where this token may not list them.
 * @throws MonitorError where they have to connect again, or the service gives no answer at the moment.
 */
export async function peopleOf(
  house: House,
  owner: SlackUser,
  token: string,
  containerId: number,
): Promise<ContainerPeople> {
  const { people, peopleAt } = house.names.used(owner, token).in(containerId)
  if (isWithin(againMs, peopleAt, house.now())) return { kind: 'listed', people }
  try {
    return await readPeople(house, owner, token, containerId)
  } catch (error) {
    if (!isAboutThis(error)) throw error
    return { kind: 'off' }
  }
}

/** The service has answered, and says nothing of others. */
export function isAboutThis(error: unknown): boolean {
  return error instanceof MonitorError && (error.code === 'forbidden' || error.code === 'malformed')
}

async function readPeople(
  { monitor, names, now }: House,
  owner: SlackUser,
  token: string,
  containerId: number,
): Promise<ContainerPeople> {
  const seen = names.used(owner, token)
  const found = await monitor.usersOf(token, containerId)
  if (found.kind === 'listed') seen.note(containerId, { people: found.people, peopleAt: now() })
  return found
}

/**
 * Reads the people, or the name, of a container, unless that was done in the last ten minutes, whatever came of it. Whoever
 * asks meanwhile waits for the same. Never throws for the service.
 */
export function learn(
  house: House,
  owner: SlackUser,
  token: string,
  containerId: number,
  what: 'people' | 'name',
): Promise<void> {
  return house.names.learning(`${what} ${personKey(owner)} ${containerId}`, async () => {
    const seen = house.names.used(owner, token)
    const askedAt = what === 'people' ? 'peopleAskedAt' : 'nameAskedAt'
    if (isWithin(againMs, seen.in(containerId)[askedAt], house.now())) return
    seen.note(containerId, { [askedAt]: house.now() })
    try {
      if (what === 'people') return void (await readPeople(house, owner, token, containerId))
      const found = await house.monitor.containerOf(token, containerId)
      if (found.kind === 'found') seen.note(containerId, { name: found.name })
    } catch (error) {
      if (!(error instanceof MonitorError)) throw error
    }
  })
}
