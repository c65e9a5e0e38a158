// Name, people and rights of a container, as somebody's own token shows them: from memory, else read from the service, each
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
  { monitor, names, now }: House,
  owner: SlackUser,
  token: string,
  containerId: number,
): Promise<ContainerPeople> {
  const seen = names.used(owner, token)
  const { people, peopleAt } = seen.in(containerId)
  if (isWithin(againMs, peopleAt, now())) return { kind: 'listed', people }
  try {
    const found = await monitor.usersOf(token, containerId)
    if (found.kind === 'listed') seen.note(containerId, { people: found.people, peopleAt: now() })
    return found
  } catch (error) {
    if (!isAboutThis(error)) throw error
    return { kind: 'off' }
  }
}

/** The service has answered, and says nothing of others. */
export function isAboutThis(error: unknown): boolean {
  return error instanceof MonitorError && (error.code === 'forbidden' || error.code === 'malformed')
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
      if (what === 'people') return void (await peopleOf(house, owner, token, containerId))
      const found = await house.monitor.containerOf(token, containerId)
      if (found.kind === 'found') seen.note(containerId, { name: found.name })
    } catch (error) {
      if (!(error instanceof MonitorError)) throw error
    }
  })
}

/** A press waits no longer for rights: what isn't known by then is unknown. Milliseconds. */
export const rightsMs = 300

/**
 * True where their token is known to lack the flag there, so that they hear it before they write anything or weigh a
 * warning. The service decides all the same when something is sent. Never rejects for the service.
 */
export async function isLacking(
  { monitor, names, now }: House,
  owner: SlackUser,
  token: string,
  containerId: number,
  flag: string,
): Promise<boolean> {
  const seen = names.used(owner, token)
  const { flags, flagsAt } = seen.in(containerId)
  // A lack is read again: somebody may have granted it a moment ago.
  if (isWithin(againMs, flagsAt, now()) && (flags?.includes(flag) ?? true)) return false
  try {
    const own = await monitor.ownPermissions(token, containerId)
    const has = own.kind === 'known' ? own.permissions : undefined
    seen.note(containerId, { flags: has, flagsAt: now() })
    return has !== undefined && !has.includes(flag)
  } catch (error) {
    if (error instanceof MonitorError) return false
    throw error
  }
}
