// People's tokens for the monitoring service: sealed when stored, opened when used, forgotten everywhere at once; and
// the ports of the stores that remember who a Slack user is at the service, and what waits for it.
import { randomUUID } from 'node:crypto'
import type { Audit } from '../audit/audit.ts'
import type { DisconnectCause } from '../audit/trail.ts'
import type { Log } from '../log/log.ts'
import type { AlertReads } from '../monitor/cache.ts'
import { personKey, type SlackUser } from '../slack/ids.ts'
import type { ConnectLinks } from './links.ts'
import type { Fingerprint, Fingerprints, Sealed, Vault } from './vault.ts'

/** Where people's sealed tokens are kept. One row per workspace and user. */
export interface Accounts {
  /** The sealed token, or undefined when this person has not connected. */
  find(owner: SlackUser): Promise<Sealed | undefined>
  /** When their token was kept, in milliseconds since 1970; undefined when they have not connected. */
  since(owner: SlackUser): Promise<number | undefined>
  /** Replaces any earlier one, its fingerprint too, which goes to `PastTokens`. */
  keep(owner: SlackUser, token: Sealed, fingerprint?: Fingerprint): Promise<void>
  /** Undefined when there is no account, or when an older version of Bellhop stored its token. */
  fingerprintOf(owner: SlackUser): Promise<Fingerprint | undefined>
  /** Stores a fingerprint beside this very token; does nothing if the row has changed or gone meanwhile. */
  mark(owner: SlackUser, token: Sealed, fingerprint: Fingerprint): Promise<void>
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
  /**
   * True if there was one. Its fingerprint goes to `PastTokens`.
   * @param sealed - Forgets this very token, and leaves another one. Default: whichever it is.
   */
  forget(owner: SlackUser, sealed?: Sealed): Promise<boolean>
  ofWorkspace(workspaceId: string): Promise<readonly SlackUser[]>
  /** Forgets everybody of a workspace, fingerprints too; returns how many there were. */
  forgetWorkspace(workspaceId: string): Promise<number>
}

/**
 * `same`: one of them gave up this very token. `unknown`: the key that marked another token of theirs is gone, so nobody
 * can tell.
 */
export type Compared = 'same' | 'other' | 'unknown'

/**
 * Fingerprints of tokens that people gave up, while a request for approval may still name them: tokens that were
 * disconnected, replaced, or taken away when their owner left.
 * `Accounts` writes what this reads: a token is marked here before it is replaced or forgotten there.
 */
export interface PastTokens {
  /** @param made - Of one token, by every key there is. At least one. */
  compare(people: readonly SlackUser[], made: readonly Fingerprint[]): Promise<Compared>
  /**
   * Forgets what no request can name any more. A request names tokens that its asker and recipients gave up after it was
   * asked, or at most `ttlMs` before. So a fingerprint lasts `ttlMs` longer than its token, or until the last request
   * that is by its owner or for them is closed: `2 * ttlMs` at most.
   * @param ttlMs - How long a request stays open.
   */
  prune(ttlMs: number): Promise<void>
  forgetWorkspace(workspaceId: string): Promise<void>
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
  /** Whether this process has kept or found one of theirs lately: others are likely to have none. A hint only. */
  wasFound(userId: string): boolean
  /** When the token that `find` returns was stored, in milliseconds since 1970. */
  since(owner: SlackUser): Promise<number | undefined>
  /** Replaces any earlier one. */
  keep(owner: SlackUser, token: string): Promise<void>
  /** Distinguishes the person's token from others; undefined when `find` is. */
  fingerprintOf(owner: SlackUser): Promise<Fingerprint | undefined>
  /** Compares a token with those that these people, all of one workspace, gave up recently. */
  compareWithPast(token: string, people: readonly SlackUser[]): Promise<Compared>
  /**
   * True if there was one. Its fingerprint stays as long as a request for approval may name it.
   * @param cause - For the audit trail. Default: they asked for it.
   */
  forget(owner: SlackUser, cause?: DisconnectCause): Promise<boolean>
  /** Forgets a token that its owner gave up while it was stored. Another one of theirs stays, and what waits for it. */
  takeBack(owner: SlackUser, token: string): Promise<void>
  forgetWorkspace(workspaceId: string): Promise<void>
}

const mostFound = 10_000

export function createTokens(room: {
  readonly accounts: Accounts
  readonly pastTokens: Pick<PastTokens, 'compare'>
  readonly waiting: WaitingCommands
  readonly links: Pick<ConnectLinks, 'forgetAll' | 'forgetWorkspace'>
  readonly vault: Vault
  readonly fingerprints: Fingerprints
  readonly reads: Pick<AlertReads, 'forget'>
  /** Called when somebody has no account any more, for what acts with it by itself. Supplied by `app`. */
  readonly onForgotten: (owner: SlackUser) => Promise<void>
  /** Called when another token may have taken the place of theirs, for what the one before has shown. */
  readonly onKept: (owner: SlackUser) => Promise<void>
  /** Called with each token that is about to be used. */
  readonly onFound: (owner: SlackUser, token: string) => void
  readonly audit: Pick<Audit, 'record'>
  readonly log: Log
}): Tokens {
  const { accounts, pastTokens, waiting, links, vault, fingerprints, reads, audit, log } = room
  const { onForgotten, onKept, onFound } = room
  const found = new Set<string>()

  /** The one that has been there longest goes. */
  function noteFound(userId: string): void {
    found.add(userId)
    const [first] = found
    if (found.size > mostFound && first !== undefined) found.delete(first)
  }

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

  /** The token, and its present seal. */
  async function open(owner: SlackUser) {
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
    if (!opened.isStale) return { token: opened.text, sealed }
    const resealed = vault.seal(opened.text, { purpose: 'token', ...owner })
    await accounts.reseal(owner, sealed, resealed)
    return { token: opened.text, sealed: resealed }
  }

  /** Ends what somebody's token does by itself, and forgets what it has shown. */
  async function endUses(owner: SlackUser): Promise<void> {
    found.delete(owner.userId)
    reads.forget(personKey(owner))
    await onForgotten(owner)
  }

  async function fingerprintOf(owner: SlackUser): Promise<Fingerprint | undefined> {
    const kept = await accounts.fingerprintOf(owner)
    if (kept !== undefined && fingerprints.isCurrent(kept)) return kept
    // From an older version or an older key: made again from the token.
    const opened = await open(owner)
    if (opened === undefined) return undefined
    const fingerprint = fingerprints.of(opened.token)
    await accounts.mark(owner, opened.sealed, fingerprint)
    return fingerprint
  }

  return {
    async find(owner) {
      const token = (await open(owner))?.token
      if (token === undefined) return undefined
      noteFound(owner.userId)
      onFound(owner, token)
      return token
    },
    wasFound: (userId) => found.has(userId),
    since: async (owner) => ((await open(owner)) === undefined ? undefined : accounts.since(owner)),
    async keep(owner, token) {
      // While the old token is still there: its fingerprint shouldn't need an older key.
      await fingerprintOf(owner)
      await accounts.keep(owner, vault.seal(token, { purpose: 'token', ...owner }), fingerprints.of(token))
      noteFound(owner.userId)
      await onKept(owner)
    },
    fingerprintOf,
    compareWithPast: (token, people) => pastTokens.compare(people, fingerprints.all(token)),
    async forget(owner, cause = 'asked') {
      // First what waits, so that a token that is being tested now isn't stored.
      await waiting.forgetAll(owner)
      await links.forgetAll(owner)
      await fingerprintOf(owner)
      const wasThere = await accounts.forget(owner)
      if (wasThere) await recordDisconnect(owner.workspaceId, owner.userId, cause)
      await endUses(owner)
      return wasThere
    },
    async takeBack(owner, token) {
      const opened = await open(owner)
      if (opened?.token !== token) return
      if (await accounts.forget(owner, opened.sealed)) await endUses(owner)
    },
    async forgetWorkspace(workspaceId) {
      await waiting.forgetWorkspace(workspaceId)
      await links.forgetWorkspace(workspaceId)
      const count = await accounts.forgetWorkspace(workspaceId)
      if (count > 0) await recordDisconnect(workspaceId, undefined, 'uninstalled')
    },
  }
}
