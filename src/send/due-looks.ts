// Doubts that are looked at later: their shape, and the port of the store that says which are due.
import type { SlackUser } from '../slack/ids.ts'
import type { Settled } from './outcome.ts'
import type { NotedBefore, PeopleLook } from './proof.ts'
import type { SendKey } from './wishes.ts'
import type { Write } from './writes.ts'

/** A doubt that is looked at. */
export interface DueLook extends SendKey {
  readonly sender: SlackUser
  readonly write: Write
  /** Undefined for adding somebody, which is sent without. */
  readonly before: NotedBefore | undefined
  readonly outcome: Settled
  /** What was seen last of somebody who may have been added. */
  readonly look: PeopleLook | undefined
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
  /**
   * Doubts of this wish.
   * @param which - `waiting`: those that are still to be looked at, due or not. `all`: those too that nobody looks at
   * any more by itself. Default: waiting.
   */
  of(workspaceId: string, wishId: string, which?: 'waiting' | 'all'): Promise<readonly DueLook[]>
  /**
   * Keeps what a look has found, as long as the doubt stands. Where its sender was told of the doubt, what took its place
   * is owed; so is the doubt itself, once it was looked at for the last time, unless there was nothing to look at. What is told elsewhere is owed to nobody
   * here: where something was seen, it is due again until `passedOn`.
   * @param found.outcome - Undefined where nothing was seen.
   * @param found.look - What was seen of somebody who may have been added.
   * @param found.nextInMs - When it is looked at again, where nothing was seen; undefined: it was the last look.
   * @param found.keepsTime - It was a look between times: where nothing was seen, it is looked at again as before.
   * @param found.tellingMs - For how long nobody but the caller tells what was seen.
   * @returns False when the doubt had given way already.
   */
  looked(
    look: DueLook,
    found: {
      readonly outcome: Settled | undefined
      readonly look?: PeopleLook | undefined
      readonly nextInMs?: number | undefined
      readonly keepsTime?: boolean
      readonly tellingMs?: number
    },
  ): Promise<boolean>
  /** Whoever tells the outcome elsewhere knows what was seen. */
  passedOn(look: DueLook): Promise<void>
}
