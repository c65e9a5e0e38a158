// Rights of somebody's own token on a container, as the service tells them, so that people hear what they lack before they
// write anything or weigh a warning. The service decides all the same when something is sent.
import { MonitorError } from '../errors.ts'
import type { House } from '../house.ts'
import type { SlackUser } from '../slack/ids.ts'
import { againMs, isWithin } from './people.ts'

/** A press waits no longer: what isn't known by then is unknown. Milliseconds. */
export const rightsMs = 300

/** True where their token is known to lack the flag there. Never rejects for the service. */
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
