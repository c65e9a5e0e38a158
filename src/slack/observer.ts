// Counts of the traffic with Slack: the port of whoever keeps figures. Names and numbers only.
import type { About, RequestOutcome } from '../log/request.ts'
import type { RefusalKind } from './client/refusals.ts'

export type RequestKind = 'command' | 'press' | 'submission' | 'shortcut' | 'suggestion' | 'event' | 'other'

export interface Handled {
  readonly kind: RequestKind
  /** What it was about, as far as it got. */
  readonly about: About | 'none'
  readonly outcome: RequestOutcome
  /** Until all of it was done. */
  readonly ms: number
}

/**
 * `ok`, `refused`: Slack's answer says so. A status stands for itself; `none` when there was no answer.
 */
export type CallStatus = 'ok' | 'refused' | '429' | '5xx' | 'other' | 'none'

/** Its methods cost little and never throw. */
export interface SlackObserver {
  handled(request: Handled): void
  /** @param ms - From its arrival until it was acked. */
  acked(kind: RequestKind, ms: number): void
  /** @param method - Of the Web API, or `response_url`. */
  called(method: string, status: CallStatus, ms: number): void
  /** Slack has refused a call. */
  refused(kind: RefusalKind): void
}

export const nobodyCounts: SlackObserver = {
  handled: () => undefined,
  acked: () => undefined,
  called: () => undefined,
  refused: () => undefined,
}
