// Secrets under the keys of ENCRYPTION_KEYS, sealed for one person, so that a stolen row opens nothing and a copied row
// opens for nobody else.
// Knows neither stores nor Slack.
import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto'
import type { SlackUser } from '../slack/ids.ts'

/** A sealed secret as text: `<key id>.<base64url of nonce, ciphertext and tag>`. Opened by the vault only. */
export type Sealed = string

/** A key of ENCRYPTION_KEYS. A KeyObject seals three times as fast as raw bytes. */
export interface EncryptionKey {
  /** Letters, digits, `-` and `_`. */
  readonly id: string
  /** 256 bits. */
  readonly key: KeyObject
}

/** What a sealed text belongs to. It opens for exactly the same. */
export interface SealBinding extends SlackUser {
  /** `key-check` is no secret, and nobody's: it shows that a key is the right one. */
  readonly purpose: 'token' | 'waiting' | 'connect-link' | 'key-check'
}

export interface Vault {
  seal(text: string, boundTo: SealBinding): Sealed
  /** Undefined when its key is not there any more, or when it was changed or belongs to somebody else. */
  open(sealed: Sealed, boundTo: SealBinding): string | undefined
}

/** A fresh nonce for each. */
const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** JSON keeps the parts apart, whatever characters they hold. */
function bindingOf(keyId: string, { purpose, workspaceId, userId }: SealBinding): Buffer {
  return Buffer.from(JSON.stringify(['bellhop', purpose, keyId, workspaceId, userId]))
}

/** @param keys - The first seals, all open. At least one. */
export function createVault(keys: readonly EncryptionKey[]): Vault {
  const [first] = keys
  if (first === undefined) throw new TypeError('a vault needs a key')
  const byId = new Map(keys.map(({ id, key }) => [id, key]))

  return {
    seal(text, boundTo) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, first.key, nonce, { authTagLength: tagBytes })
      cipher.setAAD(bindingOf(first.id, boundTo))
      const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `${first.id}.${sealed.toString('base64url')}`
    },
    open(sealed, boundTo) {
      const keyId = keyIdOf(sealed)
      const key = byId.get(keyId)
      const bytes = Buffer.from(sealed.slice(keyId.length + 1), 'base64url')
      if (key === undefined || bytes.length < nonceBytes + tagBytes) return undefined
      const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      })
      decipher.setAAD(bindingOf(keyId, boundTo))
      decipher.setAuthTag(bytes.subarray(-tagBytes))
      try {
        const text = [decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()]
        return Buffer.concat(text).toString('utf8')
      } catch {
        // The tag does not fit; `final` throws for nothing else.
        return undefined
      }
    },
  }
}

/** The id of the key that sealed it; empty in what is not sealed. */
function keyIdOf(kept: Sealed): string {
  return kept.slice(0, Math.max(kept.indexOf('.'), 0))
}
