// Failures of one call to the service, cut down to what may be told: errors of undici and Node are never passed on, as
// HTTPParserError holds the raw answer, SocketError the addresses.
import { errors } from 'undici'
import { MonitorError } from '../errors.ts'
import { TimeUp } from './call.ts'

/** An answer arrived, but it is not HTTP. */
export function isNotHttp(error: unknown): boolean {
  return error instanceof errors.HTTPParserError || error instanceof errors.HeadersOverflowError
}

/** Our own mistake in calling undici, not the network's. */
export function isMisuse(error: unknown): boolean {
  return error instanceof errors.InvalidArgumentError
}

/** The system's or undici's code, such as `ECONNREFUSED`, and nothing else of the error. */
export function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' && /^\w{1,60}$/.test(code) ? code : 'unknown network error'
}

/** The same, or `timed-out`, or `not-http`. */
export function reasonOf(error: unknown): string {
  if (error instanceof TimeUp) return 'timed-out'
  return isNotHttp(error) ? 'not-http' : codeOf(error)
}

export const causes = ['dns', 'refused', 'certificate', 'timeout', 'connection', 'fault'] as const
/** Why a call failed, as somebody would look for it. `fault`: the service answered, with 5xx. */
export type Cause = (typeof causes)[number]

export interface NetworkFailure {
  readonly cause: Cause
  /** The system's code, `timed-out`, `not-http`, or a status. */
  readonly code: string
}

/** Of Node and OpenSSL. Other faults of TLS (`ERR_SSL_…`) come from what does not speak it. */
const ofCertificate = /CERT|SIGNATURE|HOSTNAME_MISMATCH|INVALID_CA/

/** @param code - Of `reasonOf`. */
export function silence(code: string): NetworkFailure {
  return { cause: causeOf(code), code }
}

/** @param code - Of `reasonOf`. */
export function causeOf(code: string): Cause {
  if (/^(ENOTFOUND|EAI_)/.test(code)) return 'dns'
  if (code === 'ECONNREFUSED') return 'refused'
  if (code === 'timed-out' || /TIMEDOUT|TIMEOUT/.test(code)) return 'timeout'
  // What a proxy does says nothing of the service.
  return ofCertificate.test(code) && !code.startsWith('PROXY_') ? 'certificate' : 'connection'
}

/** Source: the API document of the service, “Errors”; what it does not name is outside the contract. */
export function refusal(status: number): MonitorError {
  switch (status) {
    case 400:
      return new MonitorError('bad-request', 'The service does not take this for an alert key (400).')
    case 401:
      return new MonitorError('refused', 'The service does not accept the token (401).')
    case 403:
      return new MonitorError('forbidden', 'The token lacks API and READ (403).')
    case 404:
      return new MonitorError('not-found', 'There is no such alert (404).')
    default:
      return new MonitorError(
        'malformed',
        `The service answered ${status}, which the contract does not name.`,
      )
  }
}
