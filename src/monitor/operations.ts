// Operations of the service, and how long they take.
import type { Log } from '../log/log.ts'
import { serviceSeconds } from '../metrics/metrics.ts'

/** Requests that change something; each is sent at most once. */
export type WriteOperation = 'add_user' | 'change_user' | 'assign_alert' | 'comment_alert' | 'close_alert'

export type Operation =
  | 'read_alert'
  | 'asset_alerts'
  | 'container'
  | 'container_users'
  | 'container_alerts'
  | 'own_permissions'
  | 'try_token'
  | 'probe'
  | WriteOperation

/** Statuses that the service's contract names; others by their hundred. */
const named = new Set([200, 204, 400, 401, 403, 404, 429])

function statusOf(status: number | undefined): string {
  if (status === undefined) return 'none'
  if (named.has(status)) return String(status)
  return status >= 100 && status < 600 ? `${Math.floor(status / 100)}xx` : 'other'
}

/** Begins to measure a request, or a try of it; to be called once, with the status or nothing. */
export function timed(operation: Operation, log: Log | undefined): (status?: number | undefined) => void {
  log?.debug({ operation }, 'the service is asked')
  const from = performance.now()
  return (status) => {
    const ms = performance.now() - from
    serviceSeconds.observe({ operation, status: statusOf(status) }, ms / 1000)
    log?.debug({ operation, status: status ?? 'none', ms: Math.round(ms) }, 'the service answered')
  }
}
