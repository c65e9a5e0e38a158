// What somebody may count of the traffic with the service: the port of whoever keeps figures. Numbers only.

export type Operation = 'read_alert' | 'try_token' | 'add_user' | 'probe'

/** Its methods cost little and never throw. */
export interface MonitorObserver {
  /** One request, or one try of it. @param status - Undefined when there was no answer. */
  answered(operation: Operation, status: number | undefined, ms: number): void
  /** A read is asked again. */
  triedAgain(): void
}

export const nobodyCounts: MonitorObserver = { answered: () => undefined, triedAgain: () => undefined }

/** Begins to measure; to be called once, with the status or nothing. */
export function timed(
  observer: MonitorObserver,
  operation: Operation,
): (status?: number | undefined) => void {
  const from = performance.now()
  return (status) => observer.answered(operation, status, performance.now() - from)
}
