// Limits that processes on one database share: the ports of their stores.
import type { SlackUser } from '../ids.ts'

/** Who is alive of the processes that share the database, by its clock. */
export interface Processes {
  /**
   * Says that this one is alive.
   * @param goneMs - Whoever was silent for so long counts no more.
   * @returns How many are alive, this one among them.
   */
  renew(id: string, goneMs: number): Promise<number>
  /** It counts no more. */
  leave(id: string): Promise<void>
  /** Forgets those that were silent for so long. */
  prune(silentMs: number): Promise<void>
}

/** What somebody took in one process without the others knowing. */
export interface Taken {
  readonly person: SlackUser
  /** So much that the others don't know of; above 0, and above a minute's worth for a wish for many. */
  readonly unshared: number
}

/** Buckets of people, by the clock of the database: each fills up by `perMinute` in a minute, to that and no more. */
export interface SharedLimits {
  /**
   * Takes `cost` when `needed` is there, in one statement.
   * @param ask.needed - At most `perMinute`: a bucket that nobody knows is full.
   */
  take(
    person: SlackUser,
    ask: { readonly perMinute: number; readonly cost: number; readonly needed: number },
  ): Promise<boolean>
  /**
   * What is left for somebody for whom it was not enough. After the clock was set back, time counts from now on.
   * @param how.toldEveryMs - `isToBeTold` is true once in this time.
   */
  heldBack(
    person: SlackUser,
    how: { readonly perMinute: number; readonly toldEveryMs: number },
  ): Promise<{ readonly left: number; readonly isToBeTold: boolean }>
  /** Takes all of this away as well. Nobody falls below 0 by it who was not. */
  add(taken: readonly Taken[], perMinute: number): Promise<void>
  /** Everybody with less than a full bucket, whoever asked last first. */
  notFull(
    perMinute: number,
    most: number,
  ): Promise<readonly { readonly person: SlackUser; readonly left: number }[]>
  forgetWorkspace(workspaceId: string): Promise<void>
  /** Forgets whoever has asked nothing for so long. Only full buckets: their time is a minute, or a few. */
  prune(silentMs: number): Promise<void>
}
