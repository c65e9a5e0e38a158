// Rights that giving access needs, read anew with the token of whoever decides: API, CONTAINER_ACCESS, and each flag that
// is given, as nobody can give more than they have.
// Source: the service's documentation of users, and of “Query permissions” of a container.
import { MonitorError, orMonitorError } from '../errors.ts'
import type { House } from '../house.ts'
import type { NotDoneCode } from '../send/outcome.ts'

/**
 * Why this token can’t give these flags on this container; undefined if it can. `forbidden`: the token lacks a flag that it
 * needs, or the service doesn’t tell which flags it has.
 */
export async function whyNotToGive(
  { monitor }: House,
  token: string,
  containerId: number,
  flags: readonly string[],
): Promise<NotDoneCode | undefined> {
  const own = await orMonitorError(monitor.ownPermissions(token, containerId))
  if (own instanceof MonitorError) return own.code
  if (own.kind !== 'known') return 'forbidden'

  const needed = ['API', 'CONTAINER_ACCESS', ...flags]

  return needed.every((flag) => own.permissions.includes(flag)) ? undefined : 'forbidden'
}
