// Flags (permissions) of somebody's token on a container, as far as the service tells them. The service itself decides.
import { MonitorError, orMonitorError } from '../errors.ts'
import type { House } from '../house.ts'
import type { Account, SlackUser } from '../slack/person.ts'
import { inTime } from '../work/under-way.ts'

/** How long a press waits for flags to be read. If they come later, none counts as lacking. */
const rightsMs = 300

/** True if the owner's token is known to lack the flag. Never rejects, whatever the service answers. */
export async function isKnownToLack(
  house: House,
  owner: SlackUser,
  containerId: number,
  flag: string,
): Promise<boolean> {
  const token = await house.tokens.find(owner)
  if (token === undefined) return false
  const lacked = await inTime(lackedFlags(house, { owner, token }, containerId, [flag]), rightsMs)
  return lacked !== undefined && lacked.length > 0
}

/** Picks from these flags those that the token is known to lack. Never rejects, whatever the service answers. */
export async function lackedFlags(
  { monitor, names }: House,
  account: Account,
  containerId: number,
  flags: readonly string[],
): Promise<readonly string[]> {
  const seen = names.used(account)
  const unsure = flags.filter((flag) => !seen.isLately(`has ${flag} ${containerId}`))
  if (unsure.length === 0) return []
  const own = await orMonitorError(monitor.ownPermissions(account.token, containerId))
  if (own instanceof MonitorError) return []
  // If the service doesn’t tell, the token counts for a while as having all flags, so the service isn’t asked again at once.
  const has = own.kind === 'known' ? own.permissions : unsure
  // Lacks are not remembered: somebody may have granted the flag a moment ago.
  for (const one of has) seen.noteLately(`has ${one} ${containerId}`)
  return unsure.filter((flag) => !has.includes(flag))
}
