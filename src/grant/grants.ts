// One wish to grant access and what became of it: the shapes, and the port of the store that keeps them.
import type { MonitorErrorCode } from '../errors.ts'
import type { SlackUser } from '../slack/ids.ts'
import type { Flag } from './flags.ts'

/** What is asked of the service, validated. */
export interface GrantRequest {
  readonly containerId: number
  readonly email: string
  /** Sent only when given. */
  readonly authProvider: string | undefined
  readonly member: boolean
  /** In the contract's order, without repeats; may be empty. */
  readonly permissions: readonly Flag[]
}

/** Why it is not certain whether a grant was made. */
export type Doubt = 'server-error' | 'odd-answer' | 'connection-lost' | 'timed-out' | 'stopped'

/** What became of a grant: made, certainly not made, or not certain. */
export type GrantOutcome =
  | { readonly kind: 'granted' }
  | { readonly kind: 'not-granted'; readonly code: Exclude<MonitorErrorCode, 'malformed'> }
  | { readonly kind: 'uncertain'; readonly doubt: Doubt }

/** `asked`: waits for a confirmation. `sending`: under way. `settled`: `outcome` is known. */
export type GrantState = 'asked' | 'cancelled' | 'sending' | 'settled'

export interface Grant {
  /** The intent's id. At most one POST is ever sent for it. */
  readonly id: string
  readonly asker: SlackUser
  readonly request: GrantRequest
  /** Where it was asked, for *Share in channel*; undefined when there was no channel. */
  readonly channelId: string | undefined
  readonly state: GrantState
  readonly outcome: GrantOutcome | undefined
  /** Milliseconds since 1970. */
  readonly askedAt: number
  /** True once the asker has been told the outcome. */
  readonly isTold: boolean
  /** True once the receipt has been shared in the channel. */
  readonly isShared: boolean
}

export type NewGrant = Pick<Grant, 'id' | 'asker' | 'request' | 'channelId'>

/** `sent`: this caller sends. `joined`: `grant` is the one that stands for it, under way or settled. */
export type Begun =
  | { readonly kind: 'begun' }
  | { readonly kind: 'joined'; readonly grant: Grant }
  /** No such confirmation waits: cancelled, or asked before `askedAfter`. */
  | { readonly kind: 'gone' }

/**
 * Where grants are kept, committed before anything is sent.
 * An *equal* grant has the same asker and the same request.
 */
export interface Grants {
  /** Keeps a grant that waits for confirmation. Does nothing when the id is known already. */
  ask(grant: NewGrant): Promise<void>
  /** Gives up a grant that still waits; false when it does not wait any more. */
  cancel(asker: SlackUser, id: string): Promise<boolean>
  /**
   * Turns to `sending`, in one atomic step across processes: either a new grant, or (with `confirmed`)
   * one that waits under this id. Joins instead when the id was begun before, or when an equal grant is under way
   * or was settled within the last `joinMs`.
   * @param leaseMs - How long the sender may be silent before others judge the grant (see `lapse`).
   */
  begin(grant: NewGrant, how: { readonly leaseMs: number; readonly joinMs: number }): Promise<Begun>
  /** As `begin`, for a grant that waits for confirmation since `askedAfter` (milliseconds since 1970) or later. */
  confirm(
    asker: SlackUser,
    id: string,
    how: { readonly leaseMs: number; readonly joinMs: number; readonly askedAfter: number },
  ): Promise<Begun>
  /** Keeps the outcome, unless one is kept already. */
  settle(workspaceId: string, id: string, outcome: GrantOutcome): Promise<void>
  find(workspaceId: string, id: string): Promise<Grant | undefined>
  /** The asker was told the outcome. True for the one caller that says so first. */
  told(workspaceId: string, id: string): Promise<boolean>
  /** The receipt was shared. True for the one caller that says so first. */
  shared(workspaceId: string, id: string): Promise<boolean>
  /** Settles as uncertain (`stopped`) every grant under way whose sender's lease has run out. */
  lapse(): Promise<void>
  /** Settled grants whose asker has not been told and that were settled before this time (milliseconds since 1970). */
  untold(settledBefore: number): Promise<readonly Grant[]>
  /** Milliseconds since 1970 at which the next lease runs out; undefined when nothing is under way. */
  nextLapse(): Promise<number | undefined>
  forgetWorkspace(workspaceId: string): Promise<void>
  /** Forgets grants asked before this time (milliseconds since 1970), but never one under way. */
  prune(before: number): Promise<void>
}
