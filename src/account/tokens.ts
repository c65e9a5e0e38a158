// People's tokens for the monitoring service: sealed when stored, opened when used, forgotten everywhere at once.
import { createHash, randomUUID } from 'node:crypto'
import type { DisconnectCause } from '../audit/trail.ts'
import type { House } from '../house.ts'
import type { SlackUser } from '../slack/ids.ts'

/** Tells whether two tokens are the same. A token is 128 random bits, so that nobody finds it from this. */
export type TokenHash = string

export function hashOf(token: string): TokenHash {
  return createHash('sha256').update(`bellhop token ${token}`).digest('base64url')
}

export type Tokens = ReturnType<typeof createTokens>

/** @param onForgotten - Called when somebody has no account any more, for what acts with it by itself. */
export function createTokens(
  { storage, vault, names, audit, log }: Pick<House, 'storage' | 'vault' | 'names' | 'audit' | 'log'>,
  onForgotten: (owner: SlackUser) => Promise<void>,
) {
  const { accounts } = storage

  function recordDisconnect(
    cause: DisconnectCause,
    of: { readonly workspaceId: string; readonly userId?: string },
  ): Promise<void> {
    const key = `disconnect:${randomUUID()}`
    return audit.record({ ...of, key, act: 'disconnect', outcome: 'done', cause })
  }

  async function open(owner: SlackUser): Promise<string | undefined> {
    const sealed = await accounts.find(owner)
    if (sealed === undefined) return undefined
    const opened = vault.open(sealed, { purpose: 'token', ...owner })
    if (opened === undefined)
      log.warn(
        { user: owner.userId },
        'no key in ENCRYPTION_KEYS decrypts this token; its owner has to connect again',
      )
    return opened
  }

  return {
    /** The person's token; undefined if they haven't connected, or no key opens it. */
    async find(owner: SlackUser): Promise<string | undefined> {
      const token = await open(owner)
      if (token !== undefined) names.used(owner, token)
      return token
    },
    /** When the token that `find` returns was stored, in milliseconds since 1970. */
    since: async (owner: SlackUser): Promise<number | undefined> =>
      (await open(owner)) === undefined ? undefined : accounts.since(owner),
    /** Replaces any earlier one. */
    async keep(owner: SlackUser, token: string): Promise<void> {
      await accounts.keep(owner, vault.seal(token, { purpose: 'token', ...owner }))
      // Another token may have shown them.
      names.forget(owner)
    },
    /** Of their token; undefined when `find` is. */
    async hashOf(owner: SlackUser): Promise<TokenHash | undefined> {
      const token = await open(owner)
      return token === undefined ? undefined : hashOf(token)
    },
    /**
     * True if there was one.
     * @param cause - For the audit trail. Default: they asked for it.
     */
    async forget(owner: SlackUser, cause: DisconnectCause = 'asked'): Promise<boolean> {
      await storage.forgetPerson(owner)
      const wasThere = await accounts.forget(owner)
      if (wasThere) await recordDisconnect(cause, { workspaceId: owner.workspaceId, userId: owner.userId })
      names.forget(owner)
      await onForgotten(owner)
      return wasThere
    },
    /** The bot was removed: all that is kept of its workspace goes. */
    async forgetWorkspace(workspaceId: string): Promise<void> {
      const count = await storage.forgetWorkspace(workspaceId)
      if (count > 0) await recordDisconnect('uninstalled', { workspaceId })
    },
  }
}
