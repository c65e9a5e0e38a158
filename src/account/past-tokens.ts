// Tokens that people gave up, while a request for approval may still name them: the port of the store that keeps their
// fingerprints. They are disconnected, replaced, or taken away when their owner leaves.
import type { SlackUser } from '../slack/ids.ts'
import type { Fingerprint } from './fingerprint.ts'

/**
 * `same`: one of them gave up this very token. `unknown`: it cannot be told, as the key is gone with which another one
 * of theirs was marked.
 */
export type Compared = 'same' | 'other' | 'unknown'

/** `Accounts` writes what this reads: a token is marked here before it is replaced or forgotten there. */
export interface PastTokens {
  /** @param made - Of one token, by every key there is. At least one. */
  compare(people: readonly SlackUser[], made: readonly Fingerprint[]): Promise<Compared>
  /**
   * Forgets what no request can name any more. A request names what the asker and the recipients gave up in the last
   * `ttlMs` before it was asked, and later; so a fingerprint is gone `ttlMs` after its token, or with the last open
   * request of that time that is by its owner or for them: after `2 * ttlMs` at most.
   * @param ttlMs - How long a request stays open.
   */
  prune(ttlMs: number): Promise<void>
  forgetWorkspace(workspaceId: string): Promise<void>
}
