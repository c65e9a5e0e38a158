// Path, headers and time of one call to the service, and what may not become part of them.
import { version } from '../config/version.ts'
import { MonitorError } from '../errors.ts'
import { idNow } from '../log/request.ts'

export interface BaseAddress {
  /** Scheme, host and port. */
  readonly origin: string
  /** Path of the base address without its last slash; may be empty. */
  readonly prefix: string
}

/** @throws TypeError when it is not an absolute URL. */
export function parseBaseUrl(baseUrl: string): BaseAddress {
  const url = new URL(baseUrl)
  return { origin: url.origin, prefix: url.pathname.replace(/\/+$/, '') }
}

/**
 * The path of an alert, whatever its key holds.
 *
 * @param ks - As typed, not yet escaped; may hold spaces and slashes.
 * @param behind - A query with its mark, or what is done to the alert with its slash.
 * @throws MonitorError `bad-request` for keys that cannot be sent: empty, `.` and `..` would change
 * the path on the way (RFC 3986, 5.2.4), and a lone surrogate has no UTF-8 form.
 */
export function alertPath({ prefix }: BaseAddress, ks: string, behind: `?${string}` | `/${string}`): string {
  if (ks === '' || ks === '.' || ks === '..' || !ks.isWellFormed()) {
    throw new MonitorError('bad-request', 'This cannot be an alert key.')
  }
  return `${prefix}/alert/${encodeURIComponent(ks)}${behind}`
}

/** @param assetId - Digits. */
export function assetAlertsPath({ prefix }: BaseAddress, assetId: string, query: string): string {
  return `${prefix}/asset/${encodeURIComponent(assetId)}/alerts?${query}`
}

/** @param container - `id`: of the token's own container. */
export function containerPath({ prefix }: BaseAddress, container: number | 'id'): string {
  return `${prefix}/container/${container}`
}

export function containerUserPath(address: BaseAddress, containerId: number): string {
  return `${containerPath(address, containerId)}/user`
}

// RFC 6750 allows less, but it is the service's business what its tokens look like.
const sendable = /^[\x21-\x7e]+$/

const userAgent = `bellhop/${version}`

/** What every request carries. Without a token: for whoever asks whether anything answers. */
export function plainHeaders(): Record<string, string> {
  const id = idNow()
  return {
    accept: 'application/json',
    // Without it a server may compress unasked (RFC 9110, 12.5.3), and a small body could become a large one.
    'accept-encoding': 'identity',
    'user-agent': userAgent,
    // Under which Bellhop's own log has it, so that the service's log and Bellhop's can be read side by side.
    ...(id === undefined ? {} : { 'x-request-id': id }),
  }
}

/** Undefined when the token cannot travel in a header, so that it cannot be anybody's token. */
export function headersFor(token: string): Record<string, string> | undefined {
  return sendable.test(token) ? { authorization: `Bearer ${token}`, ...plainHeaders() } : undefined
}

/** The time is used up. */
export class TimeUp extends Error {
  override readonly name = 'TimeUp'
}

/** The time that one call may take, with everything it tries. */
export interface Deadline {
  /** Aborts when the time is up. */
  readonly signal: AbortSignal
  /** Milliseconds, never negative. */
  leftMs(): number
  /**
   * Waits for work, but no longer than the deadline.
   * The signal alone is not enough: undici does not look at it while it connects.
   * @throws TimeUp
   */
  race<T>(work: Promise<T>): Promise<T>
  /** Stops the clock. */
  clear(): void
}

export function startDeadline(budgetMs: number): Deadline {
  const endsAt = performance.now() + budgetMs
  const controller = new AbortController()
  const { signal } = controller
  const timer = setTimeout(() => controller.abort(new TimeUp('The time is used up.')), budgetMs)
  return {
    signal,
    leftMs: () => Math.max(0, endsAt - performance.now()),
    race: (work) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) reject(signal.reason)
        signal.addEventListener('abort', () => reject(signal.reason))
        work.then(resolve, reject)
      }),
    clear: () => clearTimeout(timer),
  }
}
