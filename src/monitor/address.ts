// Where things are at the service: base address, paths, and what may not become part of a path.
import { MonitorError } from '../errors.ts'

export interface Address {
  /** Scheme, host and port. */
  readonly origin: string
  /** Path of the base address without its last slash; may be empty. */
  readonly prefix: string
}

/** @throws TypeError when it is not an absolute URL. */
export function parseBaseUrl(baseUrl: string): Address {
  const url = new URL(baseUrl)
  return { origin: url.origin, prefix: url.pathname.replace(/\/+$/, '') }
}

/**
 * The path of an alert, whatever its key holds.
 *
 * @param ks - As typed, not yet escaped; may hold spaces and slashes.
 * @throws MonitorError `bad-request` for keys that cannot be sent: empty, `.` and `..` would change
 * the path on the way (RFC 3986, 5.2.4), and a lone surrogate has no UTF-8 form.
 */
export function alertPath({ prefix }: Address, ks: string, query: string): string {
  if (ks === '' || ks === '.' || ks === '..' || !ks.isWellFormed()) {
    throw new MonitorError('bad-request', 'This cannot be an alert key.')
  }
  return `${prefix}/alert/${encodeURIComponent(ks)}?${query}`
}

export function containerUserPath({ prefix }: Address, containerId: number): string {
  return `${prefix}/container/${containerId}/user`
}
