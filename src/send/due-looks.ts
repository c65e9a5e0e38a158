// Doubts that are looked at later: their shape, and the port of the store that says which are due.
import type { SlackUser } from '../slack/ids.ts'
import type { Settled } from './outcome.ts'
import type { NotedBefore } from './perform.ts'
import type { SendKey } from './wishes.ts'
import type { Write } from './writes.ts'

/** A doubt that is looked at. */
export interface DueLook extends SendKey {
  readonly sender: SlackUser
  readonly write: Write
  readonly before: NotedBefore
  readonly outcome: Settled
  /** How often it was looked at in the background. */
  readonly looks: number
}

/** The store of later looks. */
export interface Looks {
  /**
   * Doubts whose time to be looked at has come. Each is handed to one caller; when that one does not say `looked` within
   * `leaseMs`, it is handed out again.
   */
  claim(leaseMs: number): Promise<readonly DueLook[]>
  /** Doubts of this wish that are still to be looked at, due or not. */
  of(workspaceId: string, wishId: string): Promise<readonly DueLook[]>
  /**
   * Keeps what a look has found, as long as the doubt stands. Where its sender was told of the doubt, what took its place
   * is owed; so is the doubt itself, once it was looked at for the last time.
   * @param found.outcome - Undefined where nothing was seen.
   * @param found.nextInMs - When it is looked at again, where nothing was seen; undefined: it was the last look.
   * @returns False when the doubt had given way already.
   */
  looked(
    look: DueLook,
    found: { readonly outcome: Settled | undefined; readonly nextInMs?: number | undefined },
  ): Promise<boolean>
}
