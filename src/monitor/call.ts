// Calls to the service: their paths and headers, and how long they took. Also `read`, which sends a GET again while that may
// help, after growing random pauses, within a deadline.
import { setTimeout as wait } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import { version } from '../config/version.ts'
import { MonitorError } from '../errors.ts'
import { type Answer, type Connector, exchange, type HttpsProxy, isTooLarge } from '../http/http.ts'
import { idNow, type Log } from '../log/log.ts'
import { serviceSeconds } from '../metrics/metrics.ts'
import { doubling, retry } from '../work/retry.ts'
import { isNotHttp, type NetworkFailure, type Outage, silence } from './failures.ts'

/** The address of the service, and the paths of what it has there. @throws TypeError when it is not an absolute URL. */
export function baseAddress(baseUrl: string) {
  const { origin, pathname } = new URL(baseUrl)
  const prefix = pathname.replace(/\/+$/, '')
  return {
    origin,
    /**
     * The path of an alert, whatever its key holds.
     *
     * @param ks - As typed, not yet escaped; may hold spaces and slashes.
     * @param behind - A query with its question mark, or an operation with its slash.
     * @throws MonitorError `bad-request` for keys that cannot be sent: empty, `.` and `..` would change
     * the path on the way (RFC 3986, 5.2.4), and a lone surrogate has no UTF-8 form.
     */
    alert(ks: string, behind: `?${string}` | `/${string}`): string {
      if (ks === '' || ks === '.' || ks === '..' || !ks.isWellFormed()) {
        throw new MonitorError('bad-request', 'This cannot be an alert key.')
      }
      return `${prefix}/alert/${encodeURIComponent(ks)}${behind}`
    },
    /** @param assetId - Digits. */
    asset: (assetId: string, behind: string) => `${prefix}/asset/${assetId}${behind}`,
    container: (containerId: number, behind: string) =>
      `${prefix}/container/${containerId}${behind}`,
  }
}

// Tokens that a header can carry. RFC 6750 allows fewer signs, but it is the service's business what its tokens look like.
const sendable = /^[\x21-\x7e]+$/

/** Headers of every request. One that only asks whether the service answers has no others, and so no token. */
export function plainHeaders(): Record<string, string> {
  const id = idNow()
  return {
    accept: 'application/json',
    // Without this header, a server may compress unasked (RFC 9110, 12.5.3), and a small body could become a large one.
    'accept-encoding': 'identity',
    'user-agent': `bellhop/${version}`,
    // The id in Bellhop's own log, so that its log and the service's can be read side by side.
    ...(id === undefined ? {} : { 'x-request-id': id }),
  }
}

/** Headers of a request with a token; undefined when no header can carry the token, so that it cannot be anybody's. */
export function headersFor(token: string): Record<string, string> | undefined {
  return sendable.test(token) ? { authorization: `Bearer ${token}`, ...plainHeaders() } : undefined
}

/** Requests that change something; each is sent at most once. */
export type WriteOperation =
  | `${'add' | 'change' | 'remove' | 'invite' | 'uninvite'}_user`
  | `${'assign' | 'comment' | 'close'}_alert`
  | `set_${'asset' | 'container'}_mode`

export type Operation =
  | 'read_alert'
  | 'asset'
  | 'asset_alerts'
  | 'container'
  | 'container_users'
  | 'container_invites'
  | 'container_alerts'
  | 'container_assets'
  | 'own_permissions'
  | 'try_token'
  | 'probe'
  | WriteOperation

/** Begins to measure a request, or one try of it. Call the returned function once, with the status if there was one. */
export function timed(operation: Operation, log: Log | undefined) {
  const from = performance.now()
  return (status?: number) => {
    const ms = performance.now() - from
    serviceSeconds.observe({ operation, status: String(status ?? 'none') }, ms / 1000)
    log?.debug({ operation, status: status ?? 'none', ms: Math.round(ms) }, 'the service answered')
  }
}

/** Statuses worth another try; any other 5xx is a fault that no retry mends. */
const worthAnotherTry: ReadonlySet<number> = new Set([429, 502, 503, 504])

const mostTries = 4
const longestDelayMs = 2_000
/** No try is begun with less time left: nothing would be answered in it, and a timer may fire a little early. */
const shortestTryMs = 10

export interface MonitorOptions {
  /** http or https; may hold a path and a slash at its end. */
  readonly apiUrl: string
  /** Total time of one call with all its tries, in milliseconds. Default 8,000. */
  readonly budgetMs?: number
  /** Upper bound of the wait before the second try, in milliseconds, doubled for each further try. Default 200. */
  readonly retryDelayMs?: number
  readonly log?: Log
  /** Told how each call ended. */
  readonly outage?: Pick<Outage, 'ended'>
  /** True to ask for nothing but reading alerts and adding users, which every service has. Default: false. */
  readonly basic?: boolean
  /** Default: the service is reached directly. */
  readonly proxy?: HttpsProxy | undefined
  /** Certificates (PEM) that are trusted beside those that Node trusts. */
  readonly authorities?: readonly string[] | undefined
}

export const defaults = {
  budgetMs: 8_000,
  retryDelayMs: 200,
  outage: { ended: () => undefined },
  basic: false,
} as const satisfies Partial<MonitorOptions>

/** Everything that a call to the service needs. */
export interface Service extends Required<Pick<MonitorOptions, keyof typeof defaults>> {
  readonly log?: Log
  readonly address: ReturnType<typeof baseAddress>
  readonly agent: Dispatcher
  /** Makes an agent for one write, on connections of its own. @param around - Wraps the function that connects. */
  readonly agentOfOne: (around: (connect: Connector) => Connector) => Dispatcher
  /**
   * Begins a call under an id, which the service gets as well.
   * @throws MonitorError `unreachable` once the bot stops: nothing is begun then.
   */
  call<T>(begin: () => Promise<T>): Promise<T>
}

/**
 * Sends a GET, and again while that may help. The body is read only if the status is 200. A pause that does not fit into
 * the time left is not begun.
 * @param most - Tries at most.
 * @throws MonitorError `refused`, unsent, for an impossible token; else by how the last try ended: `busy`, `unreachable`,
 * or `malformed` (not HTTP, or larger than allowed).
 */
export function read(
  service: Service,
  operation: Operation,
  token: string,
  path: string,
  most = mostTries,
): Promise<Answer> {
  return service.call(async () => {
    const headers = headersFor(token)
    if (headers === undefined)
      throw new MonitorError('refused', 'The token cannot be sent in a header.')
    const request = { origin: service.address.origin, method: 'GET', path, headers } as const
    const endsAt = performance.now() + service.budgetMs
    const wantsBody = (status: number) => status === 200
    const delays = doubling(service.retryDelayMs, longestDelayMs)
    /** How the last try ended: a status, or why no answer came. */
    let last: number | NetworkFailure | undefined

    async function once(): Promise<Answer> {
      const done = timed(operation, service.log)
      let status: number | undefined
      try {
        const totalMs = endsAt - performance.now()
        const answer = await exchange(service.agent, request, { wantsBody, totalMs })
        status = last = answer.status
        if (status < 500 && status !== 429) return answer
        const retryAfterMs = parseRetryAfter(answer.headers['retry-after'])
        throw new MonitorError('busy', `The monitoring service answered ${status}.`, retryAfterMs)
      } catch (error) {
        if (error instanceof MonitorError) throw error
        const failure = silence(error)
        last = isTooLarge(error) ? 200 : failure
        const code = isTooLarge(error) || isNotHttp(error) ? 'malformed' : 'unreachable'
        throw new MonitorError(code, `The monitoring service gave no answer (${failure.code}).`)
      } finally {
        done(status)
      }
    }

    function pauseAfter(error: unknown, tries: number): number | undefined {
      if (!(error instanceof MonitorError) || error.code === 'malformed') return undefined
      if (typeof last === 'number' && !worthAnotherTry.has(last)) return undefined
      const pauseMs = Math.max(error.retryAfterMs, Math.random() * delays(tries))
      return tries < most && performance.now() + pauseMs + shortestTryMs < endsAt
        ? pauseMs
        : undefined
    }

    try {
      return await retry(once, { pauseAfter, wait })
    } finally {
      if (last !== undefined) service.outage.ended(last)
    }
  })
}

/** @returns Milliseconds; 0 when absent, or not in seconds. */
export function parseRetryAfter(header: string | readonly string[] | undefined): number {
  return /^\d+$/.test(`${header}`) ? Number(header) * 1_000 : 0
}
