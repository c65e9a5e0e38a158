// People's tokens of the monitoring service: sealed when kept, opened when used, forgotten everywhere at once.
import type { Log } from '../log.ts'
import type { AlertReads } from '../monitor/cache.ts'
import { personKey, type SlackUser } from '../slack/ids.ts'
import type { Accounts } from './accounts.ts'
import type { Vault } from './vault.ts'
import type { WaitingCommands } from './waiting.ts'

export interface Tokens {
  /** The person's token, or undefined when they have not connected (or no key opens what is kept). */
  find(owner: SlackUser): Promise<string | undefined>
  /** When the token that `find` gives was kept, in milliseconds since 1970. */
  since(owner: SlackUser): Promise<number | undefined>
  /** Replaces any earlier one. */
  keep(owner: SlackUser, token: string): Promise<void>
  /** True when there was one. */
  forget(owner: SlackUser): Promise<boolean>
  forgetWorkspace(workspaceId: string): Promise<void>
}

export function createTokens(stores: {
  readonly accounts: Accounts
  readonly waiting: WaitingCommands
  readonly vault: Vault
  readonly reads: Pick<AlertReads, 'forget'>
  /** Told when somebody has no account any more, by whoever acts with it on their own. Supplied by `app`. */
  readonly onForgotten: (owner: SlackUser) => Promise<void>
  readonly log: Log
}): Tokens {
  const { accounts, waiting, vault, reads, onForgotten, log } = stores

  async function find(owner: SlackUser): Promise<string | undefined> {
    const sealed = await accounts.find(owner)
    if (sealed === undefined) return undefined
    const opened = vault.open(sealed, { purpose: 'token', ...owner })
    if (opened === undefined) {
      log.warn(
        { user: owner.userId },
        'no key of ENCRYPTION_KEYS opens this token; its owner has to connect again',
      )
      return undefined
    }
    if (opened.isStale) {
      await accounts.reseal(owner, sealed, vault.seal(opened.text, { purpose: 'token', ...owner }))
    }
    return opened.text
  }

  return {
    find,
    since: async (owner) => ((await find(owner)) === undefined ? undefined : accounts.since(owner)),
    async keep(owner, token) {
      await accounts.keep(owner, vault.seal(token, { purpose: 'token', ...owner }))
    },
    async forget(owner) {
      // First what waits: a token that is being tried now is not kept then.
      await waiting.forgetAll(owner)
      const wasThere = await accounts.forget(owner)
      reads.forget(personKey(owner))
      await onForgotten(owner)
      return wasThere
    },
    async forgetWorkspace(workspaceId) {
      await waiting.forgetWorkspace(workspaceId)
      await accounts.forgetWorkspace(workspaceId)
    },
  }
}
