// People's tokens for the monitoring service: sealed when stored, opened when used, forgotten everywhere at once; and
// the ports of the stores that remember who a Slack user is at the service, and what waits for it.
import { createHash, randomUUID } from 'node:crypto'
import type { Audit } from '../audit/audit.ts'
import type { DisconnectCause } from '../audit/trail.ts'
import type { Log } from '../log/log.ts'
import type { SlackUser } from '../slack/ids.ts'
import type { ConnectLinks } from './links.ts'
import type { Sealed, Vault } from './vault.ts'

/** Tells whether two tokens are the same. A token is 128 random bits, so that nobody finds it from this. */
export type TokenHash = string

export function hashOf(token: string): TokenHash {
  return createHash('sha256').update(`bellhop token ${token}`).digest('base64url')
}

/** Where people's sealed tokens are kept. One row per workspace and user. */
export interface Accounts {
  /** The sealed token, or undefined when this person has not connected. */
  find(owner: SlackUser): Promise<Sealed | undefined>
  /** When their token was kept, in milliseconds since 1970; undefined when they have not connected. */
  since(owner: SlackUser): Promise<number | undefined>
  /** Replaces any earlier one. */
  keep(owner: SlackUser, token: Sealed): Promise<void>
  /** Replaces `previous` with `resealed`; does nothing if the row has changed or gone meanwhile. */
  reseal(owner: SlackUser, previous: Sealed, resealed: Sealed): Promise<void>
  /**
   * People Bellhop hasn’t asked Slack about for so long, longest first.
   * @param how.mostEach - At most so many of one workspace.
   */
  notAskedFor(
    ms: number,
    how: { readonly mostEach: number; readonly most: number },
  ): Promise<readonly SlackUser[]>
  /** Notes that Slack is asked about them now, or that long ago. */
  noteAsked(owner: SlackUser, agoMs?: number): Promise<void>
  /** True if there was one. */
  forget(owner: SlackUser): Promise<boolean>
  ofWorkspace(workspaceId: string): Promise<readonly SlackUser[]>
  /** Forgets everybody of a workspace; returns how many there were. */
  forgetWorkspace(workspaceId: string): Promise<number>
}

/** One command that waits. `what` is the feature's own JSON, sealed for its owner. */
export interface WaitingCommand {
  readonly id: string
  readonly what: Sealed
  /** Milliseconds since 1970. */
  readonly since: number
}

/** Where commands wait while their asker connects an account. */
export interface WaitingCommands {
  keep(owner: SlackUser, command: WaitingCommand): Promise<void>
  /** Reads without taking; undefined when it is gone or somebody else's. */
  find(owner: SlackUser, id: string): Promise<WaitingCommand | undefined>
  /** Takes the command and forgets it: of two callers, one gets it. */
  take(owner: SlackUser, id: string): Promise<WaitingCommand | undefined>
  forgetAll(owner: SlackUser): Promise<void>
  forgetWorkspace(workspaceId: string): Promise<void>
  /** Forgets what has waited since before this time (milliseconds since 1970). */
  prune(before: number): Promise<void>
}

export interface Tokens {
  /** The person's token; undefined if they haven't connected, or no key opens it. */
  find(owner: SlackUser): Promise<string | undefined>
  /** When the token that `find` returns was stored, in milliseconds since 1970. */
  since(owner: SlackUser): Promise<number | undefined>
  /** Replaces any earlier one. */
  keep(owner: SlackUser, token: string): Promise<void>
  /** Of their token; undefined when `find` is. */
  hashOf(owner: SlackUser): Promise<TokenHash | undefined>
  /**
   * True if there was one.
   * @param cause - For the audit trail. Default: they asked for it.
   */
  forget(owner: SlackUser, cause?: DisconnectCause): Promise<boolean>
  forgetWorkspace(workspaceId: string): Promise<void>
}

export function createTokens({
  accounts,
  waiting,
  links,
  vault,
  onForgotten,
  onKept,
  onFound,
  audit,
  log,
}: {
  readonly accounts: Accounts
  readonly waiting: WaitingCommands
  readonly links: ConnectLinks
  readonly vault: Vault
  /** Called when somebody has no account any more, for what acts with it by itself. */
  readonly onForgotten: (owner: SlackUser) => Promise<void>
  /** Called when another token may have taken the place of theirs, for what the one before has shown. */
  readonly onKept: (owner: SlackUser) => Promise<void>
  /** Called with each token that is about to be used. */
  readonly onFound: (owner: SlackUser, token: string) => void
  readonly audit: Audit
  readonly log: Log
}): Tokens {
  function recordDisconnect(
    workspaceId: string,
    userId: string | undefined,
    cause: DisconnectCause,
  ): Promise<void> {
    return audit.record({
      workspaceId,
      userId,
      key: `disconnect:${randomUUID()}`,
      act: 'disconnect',
      outcome: 'done',
      cause,
    })
  }

  async function open(owner: SlackUser): Promise<string | undefined> {
    const sealed = await accounts.find(owner)
    if (sealed === undefined) return undefined
    const opened = vault.open(sealed, { purpose: 'token', ...owner })
    if (opened === undefined) {
      log.warn(
        { user: owner.userId },
        'no key in ENCRYPTION_KEYS decrypts this token; its owner has to connect again',
      )
      return undefined
    }
    if (opened.isStale) {
      await accounts.reseal(owner, sealed, vault.seal(opened.text, { purpose: 'token', ...owner }))
    }
    return opened.text
  }

  return {
    async find(owner) {
      const token = await open(owner)
      if (token !== undefined) onFound(owner, token)
      return token
    },
    since: async (owner) => ((await open(owner)) === undefined ? undefined : accounts.since(owner)),
    async keep(owner, token) {
      await accounts.keep(owner, vault.seal(token, { purpose: 'token', ...owner }))
      await onKept(owner)
    },
    async hashOf(owner) {
      const token = await open(owner)
      return token === undefined ? undefined : hashOf(token)
    },
    async forget(owner, cause = 'asked') {
      await waiting.forgetAll(owner)
      await links.forgetAll(owner)
      const wasThere = await accounts.forget(owner)
      if (wasThere) await recordDisconnect(owner.workspaceId, owner.userId, cause)
      await onForgotten(owner)
      return wasThere
    },
    async forgetWorkspace(workspaceId) {
      await waiting.forgetWorkspace(workspaceId)
      await links.forgetWorkspace(workspaceId)
      const count = await accounts.forgetWorkspace(workspaceId)
      if (count > 0) await recordDisconnect(workspaceId, undefined, 'uninstalled')
    },
  }
}
