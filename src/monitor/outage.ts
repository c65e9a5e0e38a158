// Outages of the service: said in the log when one begins and when it ends.
//
// A call fails when it gets no answer, or one of 5xx, after all its tries. It is an outage once two calls or more have
// failed in a row, the last at least five seconds after the first: one lost call is none, nor are many that are lost in
// the same moment. A call that failed a quarter of an hour before the next one does not count for it. Any other answer
// of the service ends it, a refusal as well.
//
// Nothing is asked for this: what people, live cards and doctor ask is all that is known. While nobody asks, it stays as
// it was at the last call.

import { createTrouble, type Log } from '../log/log.ts'
import type { Cause, NetworkFailure } from './failures.ts'

export interface OutageState extends NetworkFailure {
  /** When the first call of it failed, and the last; in milliseconds since 1970. */
  readonly since: number
  readonly lastFailedAt: number
}

/** Told how each call ended. Its methods cost little and never throw. */
export interface Calls {
  answered(): void
  failed(failure: NetworkFailure): void
}

export interface Outage extends Calls {
  /** Undefined while there is none. */
  state(): OutageState | undefined
}

const apartMs = 5_000
const rememberedMs = 15 * 60_000

export const nobodyListens: Calls = { answered: () => undefined, failed: () => undefined }

/** @param room.now - Milliseconds since 1970. */
export function createOutage(room: { readonly log: Log; readonly now: () => number }): Outage {
  const { now } = room
  const trouble = createTrouble(room)
  let inARow: (OutageState & { readonly calls: number }) | undefined

  return {
    answered() {
      if (inARow === undefined) return
      const { calls, lastFailedAt } = inARow
      inARow = undefined
      const lastFailedSecondsAgo = Math.max(0, Math.round((now() - lastFailedAt) / 1000))
      trouble.ends({ failedCalls: calls, lastFailedSecondsAgo }, 'the monitoring service answers again')
    },
    failed({ cause, code }) {
      const at = now()
      const before = inARow ?? { since: at, lastFailedAt: at }
      // A clock that was set back says nothing of how long ago that was.
      const isOld = at - before.lastFailedAt >= rememberedMs || at < before.since
      const first = isOld && trouble.since() === undefined ? undefined : inARow
      inARow = { cause, code, since: first?.since ?? at, lastFailedAt: at, calls: (first?.calls ?? 0) + 1 }
      if (at - inARow.since < apartMs) return
      trouble.begins({ cause, code }, `the monitoring service can’t be reached: ${inWords[cause]}`)
    },
    state: () => (trouble.since() === undefined ? undefined : inARow),
  }
}

/** What it is, and what to look at. */
const inWords: Readonly<Record<Cause, string>> = {
  dns: 'its host has no address; check DNS, and the host in MONITOR_API_URL',
  refused: 'nothing listens there; check that it runs, and check host and port in MONITOR_API_URL',
  certificate:
    'its certificate is not accepted; check whether it has expired or is for another host, and whether MONITOR_CA_FILE must name your own authority',
  timeout: 'it does not answer in time; check that it runs, and that no firewall is in between',
  connection:
    'the connection breaks or cannot be made; check the network in between, scheme and port in MONITOR_API_URL, and HTTPS_PROXY if it is set',
  fault: 'it answers with an error (5xx); check the service',
}
