// One wish to grant access and what became of it: the shapes, and the port of the store that keeps them.
import type { MonitorErrorCode } from '../errors.ts'
import type { SlackUser } from '../slack/ids.ts'
import type { KeptAbout } from './about.ts'
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
export const doubts = ['server-error', 'odd-answer', 'connection-lost', 'timed-out', 'stopped'] as const
export type Doubt = (typeof doubts)[number]

/** Why a grant was certainly not made. */
export const notGrantedCodes = [
  'bad-request',
  'refused',
  'forbidden',
  'not-found',
  'busy',
  'unreachable',
] as const satisfies readonly MonitorErrorCode[]

/** What became of a grant: made, certainly not made, or not certain. */
export type GrantOutcome =
  | { readonly kind: 'granted' }
  | { readonly kind: 'not-granted'; readonly code: (typeof notGrantedCodes)[number] }
  | { readonly kind: 'uncertain'; readonly doubt: Doubt }

/** `asked`: nothing was sent yet. `sending`: under way. `settled`: `outcome` is known. */
export type GrantState = 'asked' | 'cancelled' | 'sending' | 'settled'

export interface Grant {
  /** The intent's id. At most one POST is ever sent for it. */
  readonly id: string
  readonly asker: SlackUser
  readonly request: GrantRequest
  /** Where it was asked, for *Share in channel*; undefined when there was no channel. */
  readonly channelId: string | undefined
  readonly about: KeptAbout | undefined
  readonly state: GrantState
  /** It was given up because approval was asked for. */
  readonly isHandedOver: boolean
  readonly outcome: GrantOutcome | undefined
  /** Others judged it uncertain before its sender came back with `outcome`; the asker may have been told so. */
  readonly wasDoubted: boolean
}

/** The outcome of a grant whose sender has fallen silent, until that one comes back. */
export const lapsed = { kind: 'uncertain', doubt: 'stopped' } as const satisfies GrantOutcome

export interface NewGrant extends Pick<Grant, 'id' | 'asker' | 'request' | 'channelId'> {
  readonly about?: KeptAbout | undefined
  /** Its outcome is part of something else that is told: it is never among the untold. */
  readonly isToldElsewhere?: boolean
}

export type Begun =
  /** The caller sends it, and settles it. */
  | { readonly kind: 'begun'; readonly grant: Grant }
  /** `grant` stands for it, under way or settled: the same intent, or an equal one. */
  | { readonly kind: 'joined'; readonly grant: Grant }
  /** It does not wait: unknown, somebody else's, cancelled, or asked before `askedAfter`. */
  | { readonly kind: 'gone' }

/**
 * Where grants are kept, committed before anything is sent.
 * An *equal* grant has the same asker and the same request.
 */
export interface Grants {
  /** Keeps a grant before anything is sent. Does nothing when the id is known already. */
  ask(grant: NewGrant): Promise<void>
  /** As `ask`, all of them or, when it fails, none. */
  askAll(grants: readonly NewGrant[]): Promise<void>
  /** Gives up a grant that was not sent; false when there is none such. */
  cancel(asker: SlackUser, id: string, how?: { readonly isHandedOver: boolean }): Promise<boolean>
  /** As `cancel`, those of them that were not sent; when it returns, nobody will send any of these. */
  cancelAll(asker: SlackUser, ids: readonly string[]): Promise<void>
  /**
   * Turns an asked grant to `sending`, in one atomic step across processes. Joins instead when it was begun before,
   * or when an equal grant is under way or was settled within the last `joinMs` (not as `refused`: that was about
   * the token, and the same wish may be tried with another at once). An intent that joined stays joined for good.
   * @param how - `leaseMs`: how long the sender may be silent before others judge the grant (see `lapse`).
   */
  begin(
    asker: SlackUser,
    id: string,
    how: { readonly leaseMs: number; readonly joinMs: number; readonly askedAfter: number },
  ): Promise<Begun>
  /**
   * Keeps the outcome, for its sender, unless one is kept already. The doubt of a grant that has lapsed gives way to it:
   * whoever sent it knows better.
   * @param tellingMs - For how long nobody else tells it; undefined when it is told as part of something else. When
   *   the asker may have been told the doubt, this outcome is owed to them as well.
   * @returns Whether it took the place of a doubt that may have been told.
   */
  settle(
    workspaceId: string,
    id: string,
    outcome: GrantOutcome,
    tellingMs: number | undefined,
  ): Promise<{ readonly wasDoubted: boolean }>
  /** For an intent that joined another, the grant that stands for it. */
  find(workspaceId: string, id: string): Promise<Grant | undefined>
  /**
   * The asker was told this outcome. Nothing happens when another has taken its place: that one is still owed.
   * @returns True for the one caller that says so first.
   */
  told(workspaceId: string, id: string, outcome: GrantOutcome): Promise<boolean>
  /** Whoever tells the outcome is alive, and nobody else tells it within `leaseMs`. Nothing happens while there is none. */
  renewTelling(workspaceId: string, id: string, leaseMs: number): Promise<void>
  /** Whoever sent it cannot tell the outcome: it is among the untold at once. Nothing happens while there is none. */
  leaveUntold(workspaceId: string, id: string): Promise<void>
  /** The receipt is being shared: true for the one caller that says so first. */
  shared(workspaceId: string, id: string): Promise<boolean>
  /** It could not be shared after all. */
  notShared(workspaceId: string, id: string): Promise<void>
  /** Settles as uncertain (`stopped`) every grant under way whose sender's lease has run out. */
  lapse(): Promise<void>
  /**
   * Settled grants whose asker was not told, and that nobody is telling: those that lapsed or were left untold, and
   * those whose teller has let the lease run out.
   * Each is handed to one caller; when that one neither renews it nor says `told` within `leaseMs`, it is handed out
   * again.
   */
  claimUntold(leaseMs: number): Promise<readonly Grant[]>
  forgetWorkspace(workspaceId: string): Promise<void>
  /** Forgets grants asked before this time (milliseconds since 1970), but never one under way. */
  prune(before: number): Promise<void>
}
