// Entries of the audit trail: who did what to what, and what became of it. Shapes only.
//
// No text that somebody wrote is among them (reasons stay with the request): it could name people or hold a secret, and
// nothing of a record can be taken out later but its mail address.

/** What somebody did, or what happened to what they had. */
export type Act =
  | 'connect'
  | 'disconnect'
  /** The bot, in a workspace or organisation. */
  | 'install'
  | 'uninstall'
  /** The channels of an installation were set. */
  | 'settings'
  /** Somebody acts as a user of the service whom somebody else in the workspace has proven to be. */
  | 'claim'
  | 'grant'
  /** Something was done to an alert. */
  | 'assign'
  | 'comment'
  | 'close'
  /** Approval was asked for. */
  | 'ask'
  | 'approve'
  | 'decline'
  | 'withdraw'
  | 'expire'

/**
 * What became of it: done, certainly not done, or not certain; and why, in a word (`forbidden`, `timed-out`).
 * A refusal is `not-done`.
 */
export type Outcome = 'done' | `not-done:${string}` | `uncertain:${string}`

export interface Entry {
  readonly workspaceId: string
  /** Unique in the workspace, as in `grant:<id>:done`: what is recorded twice under one key is written once. */
  readonly key: string
  /** Who did it, in Slack; undefined where nobody in particular did (a request expires). */
  readonly userId?: string | undefined
  readonly act: Act
  readonly outcome: Outcome
  /** The alert. */
  readonly ks?: string | undefined
  readonly containerId?: number | undefined
  /** Who gets access. Several people are several entries. */
  readonly email?: string | undefined
  /** Flags of the grant. */
  readonly permissions?: readonly string[] | undefined
  readonly member?: boolean | undefined
  readonly authProvider?: string | undefined
  /** Of a decision: who had asked, in Slack. Of `claim`: who has proven to be that user. */
  readonly askerId?: string | undefined
  /** Of a grant: who approved it and whose token made it, in Slack. */
  readonly approverId?: string | undefined
  /** Of `disconnect`: they asked for it, left the workspace, took the right back, or the bot was removed. */
  readonly cause?: DisconnectCause | undefined
  /** Of what was done to an alert: how it stood, as the token of who did it showed it; undefined where nobody knows. */
  readonly before?: AlertStanding | undefined
  /** As it was read after it was sent. */
  readonly after?: AlertStanding | undefined
  /** It takes the place of what is recorded of the same without it, wherever in the chain that stands. */
  readonly isCorrection?: boolean | undefined
  /** The id of the grant or of the request; of `settings`, what they are now; of `claim`, which user of the service. */
  readonly reference?: string | undefined
}

/** No words and no names: a record is kept for long. */
export interface AlertStanding {
  /** At the service; null while unassigned. */
  readonly ownerId: number | null
  readonly isClosed: boolean
}

export type DisconnectCause = 'asked' | 'left' | 'revoked' | 'uninstalled'

/** One alert that was read for somebody, or not. */
export interface LookUp {
  readonly workspaceId: string
  readonly userId: string
  readonly ks: string
  readonly outcome: Outcome
}
