// Tells whether two tokens are the same without keeping either in the open: an HMAC under a key of its own,
// which follows from a key of ENCRYPTION_KEYS and is not in the database. Knows neither stores nor Slack.
import { createHmac, hkdfSync } from 'node:crypto'
import type { EncryptionKey } from './vault.ts'

/** `<key id>.<base64url of the HMAC>`. */
export type Fingerprint = string

export interface Fingerprints {
  /** By the first key. */
  of(token: string): Fingerprint
  /** By every key, the first one's first. */
  all(token: string): readonly Fingerprint[]
  /** `unknown` when its key is not there any more. */
  compare(token: string, kept: Fingerprint): 'same' | 'other' | 'unknown'
  /** Whether it was made by the first key. */
  isCurrent(kept: Fingerprint): boolean
}

const info = 'bellhop token fingerprint'
const keyBytes = 32

/** @param keys - The first makes fingerprints, all compare. At least one. */
export function createFingerprints(keys: readonly EncryptionKey[]): Fingerprints {
  const [first] = keys
  if (first === undefined) throw new TypeError('fingerprints need a key')
  const byId = new Map(
    keys.map(({ id, key }) => [id, Buffer.from(hkdfSync('sha256', key, '', info, keyBytes))]),
  )

  function made(keyId: string, key: Buffer, token: string): Fingerprint {
    return `${keyId}.${createHmac('sha256', key).update(token).digest('base64url')}`
  }

  function by(keyId: string, token: string): Fingerprint | undefined {
    const key = byId.get(keyId)
    return key && made(keyId, key, token)
  }

  return {
    of: (token) => by(first.id, token) ?? '',
    all: (token) => [...byId].map(([keyId, key]) => made(keyId, key, token)),
    compare(token, kept) {
      const made = by(keyIdOf(kept), token)
      if (made === undefined) return 'unknown'
      return made === kept ? 'same' : 'other'
    },
    isCurrent: (kept) => keyIdOf(kept) === first.id,
  }
}

/** The key it was made by. */
export function keyIdOf(kept: Fingerprint): string {
  return kept.slice(0, Math.max(kept.indexOf('.'), 0))
}
