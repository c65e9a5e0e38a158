// Seals secrets with the keys of ENCRYPTION_KEYS, each for one person: a stolen row opens nothing without a key, and a row
// that is copied to somebody else doesn't open for them. Also keeps people's tokens, sealed so, and forgets them.
import {
  createCipheriv,
  createDecipheriv,
  createHash,
  type KeyObject,
  randomBytes,
  randomUUID,
} from 'node:crypto'
import type { DisconnectCause } from '../audit/trail.ts'
import type { House } from '../house.ts'
import type { SlackUser } from '../slack/person.ts'

/** A sealed secret as text: `<key id>.<base64url of nonce, ciphertext and tag>`. Opened by the vault only. */
export type Sealed = string

/** A key to seal with. As a KeyObject, it seals three times as fast as raw bytes. */
export interface EncryptionKey {
  /** Letters, digits, `-` and `_`. */
  readonly id: string
  /** 256 bits. */
  readonly key: KeyObject
}

/** The owner and purpose of a sealed text, which opens only for the same owner and purpose. */
export interface SealBinding extends SlackUser {
  /** `key-check` is no secret, and nobody's: it shows that a key is the right one. */
  readonly purpose: 'token' | 'waiting' | 'connect-link' | 'key-check'
}

/** Each secret gets a fresh nonce. */
const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/** Binds what is sealed to its purpose and owner. JSON keeps the parts apart, whatever characters they hold. */
function bindingOf(keyId: string, { purpose, workspaceId, userId }: SealBinding): Buffer {
  return Buffer.from(JSON.stringify(['bellhop', purpose, keyId, workspaceId, userId]))
}

export type Vault = ReturnType<typeof createVault>

/** @param keys - At least one. The first key seals; each opens what it has sealed. */
export function createVault(keys: readonly EncryptionKey[]) {
  const [first] = keys
  if (first === undefined) throw new TypeError('a vault needs a key')
  const byId = new Map(keys.map(({ id, key }) => [id, key]))

  return {
    seal(text: string, boundTo: SealBinding): Sealed {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, first.key, nonce, { authTagLength: tagBytes })
      cipher.setAAD(bindingOf(first.id, boundTo))
      const sealed = Buffer.concat([
        nonce,
        cipher.update(text, 'utf8'),
        cipher.final(),
        cipher.getAuthTag(),
      ])
      return `${first.id}.${sealed.toString('base64url')}`
    },
    /** The text; undefined when its key is not there any more, or the sealed text was changed or is somebody else's. */
    open(sealed: Sealed, boundTo: SealBinding): string | undefined {
      const [keyId = ''] = sealed.split('.', 1)
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

/**
 * A hash that tells whether two tokens, or secrets, are the same. Nobody can guess them from it: they have 128 random bits.
 */
export function hashOf(token: string): string {
  return createHash('sha256').update(`bellhop token ${token}`).digest('base64url')
}

/** Work that ran with somebody's token and ended with it. `container`: the name, raw, as the token has shown it. */
export interface Stopped {
  readonly watches: number
  readonly follows: readonly { readonly channelId: string; readonly container: string }[]
  /** How many accesses the token was to take back: now, no account takes them back. */
  readonly ends: number
}

export type Tokens = ReturnType<typeof createTokens>

/**
 * @param onForgotten - Called when somebody has no account any more: ends the work that ran with it, and returns that work.
 */
export function createTokens(
  {
    storage,
    vault,
    names,
    audit,
    log,
  }: Pick<House, 'storage' | 'vault' | 'names' | 'audit' | 'log'>,
  onForgotten: (owner: SlackUser) => Promise<Stopped>,
) {
  const { accounts } = storage

  function recordDisconnect(
    cause: DisconnectCause,
    workspaceId: string,
    userId?: string,
  ): Promise<void> {
    const key = `disconnect:${randomUUID()}`
    return audit.record({ workspaceId, userId, key, act: 'disconnect', outcome: 'done', cause })
  }

  async function open(owner: SlackUser) {
    const account = await accounts.find(owner)
    if (account === undefined) return undefined
    const token = vault.open(account.token, { purpose: 'token', ...owner })
    if (token !== undefined) return { token, keptAt: account.keptAt }
    const why = 'no key in ENCRYPTION_KEYS decrypts this token; its owner has to connect again'
    return void log.warn({ user: owner.userId }, why)
  }

  return {
    /** The person's token; undefined if they haven't connected, or no key opens it. */
    async find(owner: SlackUser): Promise<string | undefined> {
      const token = (await open(owner))?.token
      if (token !== undefined) names.used({ owner, token })
      return token
    },
    /** When the token that `find` returns was stored, in milliseconds since 1970. */
    since: async (owner: SlackUser) => (await open(owner))?.keptAt,
    async keep(owner: SlackUser, token: string) {
      await accounts.keep(owner, vault.seal(token, { purpose: 'token', ...owner }))
      // Names seen so far may come from another token.
      names.forget(owner)
    },
    /** A hash of the token that `find` returns; undefined when there is none. */
    async hashOf(owner: SlackUser): Promise<string | undefined> {
      const found = await open(owner)
      return found && hashOf(found.token)
    },
    /** Forgets a person’s token. @returns The work that stops with it; undefined if they had none. */
    async forget(owner: SlackUser, cause: DisconnectCause = 'asked'): Promise<Stopped | undefined> {
      await storage.forgetPerson(owner)
      const wasThere = await accounts.forget(owner)
      if (wasThere) await recordDisconnect(cause, owner.workspaceId, owner.userId)
      names.forget(owner)
      const stopped = await onForgotten(owner)
      return wasThere ? stopped : undefined
    },
    /** Forgets all that is kept of a workspace from which the bot was removed. */
    async forgetWorkspace(workspaceId: string) {
      const count = await storage.forgetWorkspace(workspaceId)
      if (count > 0) await recordDisconnect('uninstalled', workspaceId)
    },
  }
}
