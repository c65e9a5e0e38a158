// Counts of the traffic with Slack: the port of whoever keeps figures. Names and numbers only.
import type { About, RequestOutcome } from '../log/request.ts'
import type { RefusalKind } from './client/refusals.ts'

export const requestKinds = [
  'command',
  'press',
  'submission',
  'shortcut',
  'suggestion',
  'event',
  'other',
] as const
export type RequestKind = (typeof requestKinds)[number]

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
  /** Something is done once more: a call that Slack asked to wait for, or an event that could not be handled. */
  triedAgain(what: 'slack' | 'event'): void
  /** A person was asked to wait: for their own pace, or as too much is under way. */
  heldBack(why: 'person' | 'busy'): void
}

export const nobodyCounts: SlackObserver = {
  handled: () => undefined,
  acked: () => undefined,
  called: () => undefined,
  refused: () => undefined,
  triedAgain: () => undefined,
  heldBack: () => undefined,
}
