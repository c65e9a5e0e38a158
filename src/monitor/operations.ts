// Operations of the service: counted, for whoever keeps figures, and asked for only where it has them. Those that not
// every service has are never asked for with MONITOR_OPERATIONS=basic, and not for an hour after it answered that it has
// none.
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
  | 'container_of_token'
  | 'try_token'
  | 'probe'
  | WriteOperation

/** Its methods cost little and never throw. */
export interface MonitorObserver {
  /** One request, or one try of it, begins. */
  asked(operation: Operation): void
  /** One request, or one try of it. @param status - Undefined when there was no answer. */
  answered(operation: Operation, status: number | undefined, ms: number): void
  /** A read is asked again. */
  triedAgain(): void
}

export const nobodyCounts: MonitorObserver = {
  asked: () => undefined,
  answered: () => undefined,
  triedAgain: () => undefined,
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
    triedAgain: observer.triedAgain,
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

/** One that not every service has. */
export type OptionalOperation = Exclude<Operation, 'read_alert' | 'try_token' | 'add_user' | 'probe'>

/** Which of them are asked for just now. `until` is in milliseconds since 1970. */
export type OptionalState =
  | { readonly kind: 'basic' }
  | {
      readonly kind: 'all'
      readonly off: readonly { readonly operation: OptionalOperation; readonly until: number }[]
    }

/** Remembers which of them the service lacks, so that Bellhop doesn't ask for those for a while. */
export interface OptionalOperations {
  /** True while it is not to be asked for. */
  isOff(operation: OptionalOperation): boolean
  /**
   * To be told of each answer. 405 turns the operation off. So does 404, but only for three different things that were
   * asked about, and not once it has answered 200 or 204: a mistyped number must not cost everybody the operation.
   * @param about - What was asked about.
   */
  answered(operation: OptionalOperation, status: number, about: string): void
  state(): OptionalState
}

const offMs = 60 * 60_000
/** So many different things that were not found, and nothing that was, are no mistyped numbers. */
const unfoundToBeOff = 3

export function createOptionalOperations(room: {
  readonly operations: 'all' | 'basic'
  readonly log: Pick<Log, 'warn'>
  /** Milliseconds since 1970. */
  readonly now: () => number
}): OptionalOperations {
  const { operations, log, now } = room
  const proven = new Set<OptionalOperation>()
  const offUntil = new Map<OptionalOperation, number>()
  const unfound = new Map<OptionalOperation, Set<string>>()

  /** Of a service that has this operation, and of one that hasn't, 404 says the same. */
  function isUnknown(operation: OptionalOperation, about: string): boolean {
    if (proven.has(operation)) return false
    const seen = (unfound.get(operation) ?? new Set()).add(about)
    unfound.set(operation, seen)
    if (seen.size < unfoundToBeOff) return false
    unfound.delete(operation)
    return true
  }

  /** A clock that was set back must not make the hour longer. */
  function isOff(operation: OptionalOperation): boolean {
    const until = offUntil.get(operation)
    return until !== undefined && now() < until && until - now() <= offMs
  }

  return {
    isOff: (operation) => operations === 'basic' || isOff(operation),
    answered(operation, status, about) {
      if (status === 200 || status === 204) {
        proven.add(operation)
        offUntil.delete(operation)
        unfound.delete(operation)
        return
      }
      if (status !== 405 && (status !== 404 || !isUnknown(operation, about))) return
      offUntil.set(operation, now() + offMs)
      log.warn({ operation, status }, 'the service does not have this operation; it is not asked for an hour')
    },
    state() {
      if (operations === 'basic') return { kind: 'basic' }
      const off = [...offUntil].filter(([operation]) => isOff(operation))
      return { kind: 'all', off: off.map(([operation, until]) => ({ operation, until })) }
    },
  }
}

/** For whoever keeps no state of them: every operation is asked for. */
export const allOperationsOn: OptionalOperations = {
  isOff: () => false,
  answered: () => undefined,
  state: () => ({ kind: 'all', off: [] }),
}
