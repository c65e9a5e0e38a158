// Reads an alert for somebody who asked for it, and has it written down that they did.
import type { Audit } from '../audit/audit.ts'
import { MonitorError, UserError } from '../errors.ts'
import type { AlertReads } from '../monitor/cache.ts'
import type { Alert } from '../monitor/schema.ts'
import { personKey, type SlackUser } from '../slack/ids.ts'

/**
 * @param how.isFresh - Asks the service even when it was asked a moment ago.
 * @throws UserError when the key is the asker's own token; MonitorError when the service does not give the alert.
 */
export type ReadAlert = (
  asker: SlackUser,
  token: string,
  ks: string,
  how: { readonly isFresh: boolean },
) => Promise<Alert>

/** To whoever types their token for a key. Raw. */
export const ownToken =
  'That is your own API token, not an alert key, so nothing was looked up. If others may have seen it, revoke it at the service and connect another.'

export function createReadAlert(room: {
  readonly reads: AlertReads
  readonly audit: Pick<Audit, 'lookedUp'>
}): ReadAlert {
  const { reads, audit } = room
  return async ({ workspaceId, userId }, token, ks, { isFresh }) => {
    // A key stands in an address, in the service's own log, and in the trail; and a token must not.
    if (ks.includes(token)) throw new UserError(ownToken)
    const read = isFresh ? reads.fresh : reads.read
    try {
      const alert = await read(personKey({ workspaceId, userId }), token, ks)
      audit.lookedUp({ workspaceId, userId, ks, outcome: 'done' })
      return alert
    } catch (error) {
      if (error instanceof MonitorError) {
        audit.lookedUp({ workspaceId, userId, ks, outcome: `not-done:${error.code}` })
      }
      throw error
    }
  }
}
