// Binds an install to the browser that began it: a name of the browser's own, signed, and a state that only goes with it.
// Pure, but for randomness.
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const secretBytes = 32

/** Unguessable. */
export function newSecret(): string {
  return randomBytes(secretBytes).toString('base64url')
}

/** What the browser keeps: its name, and a signature that only Bellhop makes. */
export function signed(name: string, stateSecret: string): string {
  return `${name}.${signatureOf(name, stateSecret)}`
}

/** The name in a cookie; undefined when it was not signed here. */
export function nameIn(cookie: string | undefined, stateSecret: string): string | undefined {
  const [, name, signature] = /^([\w-]{43})\.([\w-]{43})$/.exec(cookie ?? '') ?? []
  if (name === undefined || signature === undefined) return undefined
  const own = Buffer.from(signatureOf(name, stateSecret))
  return timingSafeEqual(Buffer.from(signature), own) ? name : undefined
}

/** What is kept of a state: of another browser, it is another one. */
export function hashOf(state: string, browser: string): string {
  return createHash('sha256')
    .update(JSON.stringify([state, browser]))
    .digest('base64url')
}

function signatureOf(name: string, stateSecret: string): string {
  return createHmac('sha256', stateSecret).update(`bellhop install ${name}`).digest('base64url')
}
