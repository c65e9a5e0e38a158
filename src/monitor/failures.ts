// Failures of calls to the service. One failure is cut down to what may be told: undici's HTTPParserError holds the raw
// answer, and its SocketError the addresses. Several in a row are an outage.
import { errors } from 'undici'
import { errorCode, MonitorError, type MonitorErrorCode } from '../errors.ts'
import { createTrouble, type Log } from '../log/log.ts'

export function isNotHttp(error: unknown): boolean {
  return error instanceof errors.HTTPParserError || error instanceof errors.HeadersOverflowError
}

/** True when the time that a call may take is used up. */
export function isTimeUp(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'TimeoutError'
}

export const outageCauses = [
  'dns',
  'refused',
  'certificate',
  'timeout',
  'connection',
  'fault',
] as const
/** Why a call failed, by what an operator would check. `fault`: the service answered, with 5xx. */
export type OutageCause = (typeof outageCauses)[number]

export interface NetworkFailure {
  readonly cause: OutageCause
  /** The system's or undici's code, such as `ECONNREFUSED`, `timed-out`, `not-http`, or a status. */
  readonly code: string
}

/**
 * Codes of Node and OpenSSL about a certificate. Other faults of TLS (`ERR_SSL_…`) come from servers that don’t speak TLS.
 */
const ofCertificate = /CERT|SIGNATURE|HOSTNAME_MISMATCH|INVALID_CA/

/** Why there was no answer; nothing else of the error is kept. */
export function silence(error: unknown): NetworkFailure {
  if (isTimeUp(error)) return { cause: 'timeout', code: 'timed-out' }
  if (isNotHttp(error)) return { cause: 'connection', code: 'not-http' }
  const own = errorCode(error) ?? ''
  const code = /^\w{1,60}$/.test(own) ? own : 'unknown network error'
  return { cause: causeOf(code), code }
}

function causeOf(code: string): OutageCause {
  if (/^(ENOTFOUND|EAI_)/.test(code)) return 'dns'
  if (code === 'ECONNREFUSED') return 'refused'
  if (/TIMEDOUT|TIMEOUT/.test(code)) return 'timeout'
  return ofCertificate.test(code) ? 'certificate' : 'connection'
}

/** Statuses that refuse. Source: the API document of the service, “Errors”. */
export const refusals: Readonly<Record<number, Exclude<MonitorErrorCode, 'malformed'>>> = {
  400: 'bad-request',
  401: 'refused',
  403: 'forbidden',
  404: 'not-found',
}

export function refusal(status: number): MonitorError {
  const code = refusals[status] ?? 'malformed'
  return new MonitorError(code, `The monitoring service answered ${status}.`)
}

// An outage begins when calls have failed in a row (no answer, or 5xx, after all tries) for at least five seconds: calls that
// fail at the same moment don’t make one. It ends with any other answer, even a refusal. Only calls that are made anyway
// count: none is made to find an outage.

export type Outage = ReturnType<typeof createOutage>

const apartMs = 5_000

/** Notices from the ends of calls whether the service can be reached, and logs when that changes. */
export function createOutage(how: { readonly log: Log; readonly now: () => number }) {
  const { now } = how
  const trouble = createTrouble(how)
  /** The last of the failures in a row, and when the first was, in milliseconds since 1970; undefined after an answer. */
  let inARow: (NetworkFailure & { readonly since: number }) | undefined
  return {
    /** Call it with how each call ended: its status, or why there was no answer. Costs little and never throws. */
    ended(how: number | NetworkFailure): void {
      if (typeof how === 'number' && how < 500) {
        inARow = undefined
        trouble.ends('the monitoring service answers again')
        return
      }
      const { cause, code } =
        typeof how === 'number' ? { cause: 'fault' as const, code: String(how) } : how
      inARow = { cause, code, since: inARow?.since ?? now() }
      if (now() - inARow.since < apartMs) return
      trouble.begins({ cause, code }, `the monitoring service can’t be reached. ${remedy}`)
    },
    state: () => (trouble.since() === undefined ? undefined : inARow),
  }
}

/** Hint for an operator whose service can’t be reached. */
export const remedy =
  'Check that it runs, host and port in MONITOR_API_URL, DNS and firewalls, HTTPS_PROXY if it’s set, and whether MONITOR_CA_FILE must name your own authority.'

/** For the person who asked: what happened and what to do. Plain text. */
export const monitorSentences: Readonly<Record<MonitorErrorCode, string>> = {
  'bad-request':
    'Monitoring says that isn’t an alert key. Copy the key or the link from the alert.',
  refused: 'Monitoring no longer accepts your token. Connect your account again.',
  forbidden:
    'Your token lacks API or READ on this alert’s container: it needs both. Somebody with CONTAINER_ACCESS there can add what’s missing.',
  'not-found': 'There’s no such alert. Check the key, capitals included.',
  busy: 'Monitoring is busy or has a fault. Nothing was changed. Try again in a minute.',
  unreachable: 'Monitoring isn’t responding. Nothing was changed. Try again in a minute.',
  malformed: 'Monitoring answered in a way I don’t understand. Tell whoever runs Bellhop.',
}
