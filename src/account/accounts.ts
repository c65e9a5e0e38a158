// Ports of the stores that remember who a Slack user is at the service: their sealed tokens, fingerprints of those they
// gave up, and commands that wait for one.
import type { SlackUser } from '../slack/ids.ts'
import type { Fingerprint, Sealed } from './vault.ts'

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
  /** True if there was one. Its fingerprint goes to `PastTokens`. */
  forget(owner: SlackUser): Promise<boolean>
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
