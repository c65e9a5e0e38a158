// Reads an alert for somebody who asked for it, and has it written down that they did.
import type { Audit } from '../audit/audit.ts'
import { MonitorError } from '../errors.ts'
import type { AlertReads } from '../monitor/cache.ts'
import type { Alert } from '../monitor/schema.ts'
import { personKey, type SlackUser } from '../slack/ids.ts'

/**
 * @param how.isFresh - Asks the service even when it was asked a moment ago.
 * @throws MonitorError when the service does not give the alert.
 */
export type ReadAlert = (
  asker: SlackUser,
  token: string,
  ks: string,
  how: { readonly isFresh: boolean },
) => Promise<Alert>

export function createReadAlert(room: {
  readonly reads: AlertReads
  readonly audit: Pick<Audit, 'lookedUp'>
}): ReadAlert {
  const { reads, audit } = room
  return async ({ workspaceId, userId }, token, ks, { isFresh }) => {
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
