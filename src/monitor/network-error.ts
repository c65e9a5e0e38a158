// What undici and Node say when the network fails, cut down to what may be told.
// Their own errors are never passed on: HTTPParserError holds the raw answer, SocketError the addresses.
import { errors } from 'undici'

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
