// Whether the service can be reached at all: one GET without a token, which it has to refuse.
import type { Pool } from 'undici'
import { exchange } from '../http/exchange.ts'
import { plainHeaders } from './address.ts'
import { reasonOf } from './network-error.ts'
import { startDeadline } from './retry.ts'

/**
 * `answered`: any HTTP answer. A service that keeps its contract answers 401 (the API document, “Authentication”).
 * `silent`: none; `reason` is the system's code (`ECONNREFUSED`, `ENOTFOUND`, …), `timed-out` or `not-http`.
 */
export type Probe =
  | {
      readonly kind: 'answered'
      readonly status: number
      /** From asking to the head of the answer, in milliseconds, connecting included. */
      readonly tookMs: number
      /** Its clock, in milliseconds since 1970, cut to the second; undefined when it does not say. */
      readonly dateMs: number | undefined
    }
  | { readonly kind: 'silent'; readonly reason: string }

/** Never throws for anything that the network or the service does. Asks once. */
export async function probeOnce(pool: Pool, path: string, budgetMs: number): Promise<Probe> {
  const deadline = startDeadline(budgetMs)
  const from = performance.now()
  try {
    const headers = plainHeaders()
    const asked = exchange(
      pool,
      { method: 'GET', path, headers },
      { mostBytes: 0, wantsBody: () => false, signal: deadline.signal },
    )
    const { status, headers: told } = await deadline.race(asked)
    return { kind: 'answered', status, tookMs: performance.now() - from, dateMs: readDate(told.date) }
  } catch (error) {
    return { kind: 'silent', reason: reasonOf(error) }
  } finally {
    deadline.clear()
  }
}

/** RFC 9110, 6.6.1; in English and GMT always. */
function readDate(header: string | readonly string[] | undefined): number | undefined {
  const at = typeof header === 'string' && header.endsWith(' GMT') ? Date.parse(header) : Number.NaN
  return Number.isNaN(at) ? undefined : at
}
