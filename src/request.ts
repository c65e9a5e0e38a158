// The request that is being handled: what its log lines, its error message and its figures are known by.
import { AsyncLocalStorage } from 'node:async_hooks'
import { randomUUID } from 'node:crypto'
import type { MonitorErrorCode } from './errors.ts'

/**
 * How a request ended. `user-error`: the asker can mend it. `limited`, `busy`: it was not begun. `failed`: a defect of
 * ours, or a Slack that does not take the answer.
 */
export type Outcome =
  | 'ok'
  | 'user-error'
  | `service-${MonitorErrorCode}`
  | 'limited'
  | 'busy'
  | 'replayed'
  | 'failed'

export interface HandledRequest {
  /** Short; the reference in error messages. */
  readonly id: string
  /** What it is about, once that is known. */
  asked?: string
  outcome: Outcome
  /** Work that goes on after the answer; the request is done when all of it is. */
  readonly goesOn: Promise<unknown>[]
}

const current = new AsyncLocalStorage<HandledRequest | undefined>()

/** Runs `work`, and whatever it starts, as one request with an id of its own. */
export function asRequest<T>(work: (request: HandledRequest) => T): T {
  const request: HandledRequest = { id: randomUUID().slice(0, 8), outcome: 'ok', goesOn: [] }
  return current.run(request, () => work(request))
}

/** The request that this is done for; undefined in what the bot does of its own accord. */
export function requestNow(): HandledRequest | undefined {
  return current.getStore()
}

/** Runs what a request only happens to start: it is done for others as well, or for nobody. */
export function apart<T>(work: () => T): T {
  return current.run(undefined, work)
}
