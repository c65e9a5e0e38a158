// Operations of the service, counted for whoever keeps figures.
import type { Log } from '../log/log.ts'

/** Requests that change something; each is sent at most once. */
export type WriteOperation = 'add_user' | 'assign_alert' | 'comment_alert' | 'close_alert'

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

/** Its methods cost little and never throw. */
export interface MonitorObserver {
  /** One request, or one try of it, begins. */
  asked(operation: Operation): void
  /** One request, or one try of it. @param status - Undefined when there was no answer. */
  answered(operation: Operation, status: number | undefined, ms: number): void
}

export const nobodyCounts: MonitorObserver = {
  asked: () => undefined,
  answered: () => undefined,
}

/** Tells the log at `debug` as well, before and after each try. */
export function alsoLogged(observer: MonitorObserver, log: Log): MonitorObserver {
  return {
    asked(operation) {
      observer.asked(operation)
      log.debug({ operation }, 'the service is asked')
    },
    answered(operation, status, ms) {
      observer.answered(operation, status, ms)
      log.debug({ operation, status: status ?? 'none', ms: Math.round(ms) }, 'the service answered')
    },
  }
}

/** Begins to measure; to be called once, with the status or nothing. */
export function timed(
  observer: MonitorObserver,
  operation: Operation,
): (status?: number | undefined) => void {
  observer.asked(operation)
  const from = performance.now()
  return (status) => observer.answered(operation, status, performance.now() - from)
}
