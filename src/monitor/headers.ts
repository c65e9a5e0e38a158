// What every request carries.

// RFC 6750 allows less, but it is the service's business what its tokens look like.
const sendable = /^[\x21-\x7e]+$/

/** Undefined when the token cannot travel in a header, so that it cannot be anybody's token. */
export function headersFor(token: string): Record<string, string> | undefined {
  if (!sendable.test(token)) return undefined
  return {
    authorization: `Bearer ${token}`,
    accept: 'application/json',
    // Without it a server may compress unasked (RFC 9110, 12.5.3), and a small body could become a large one.
    'accept-encoding': 'identity',
    'user-agent': 'bellhop',
  }
}
