// What every request carries.

import { version } from '../config/version.ts'
import { idNow } from '../log/request.ts'

// RFC 6750 allows less, but it is the service's business what its tokens look like.
const sendable = /^[\x21-\x7e]+$/

const userAgent = `bellhop/${version}`

/** Without a token: for whoever asks whether anything answers. */
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
