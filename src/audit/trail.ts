// The audit trail: entries of who did what and what became of it, and the chained records that keep
// them. Only their shapes.
//
// No record has text that somebody wrote (reasons stay with the request): such text could name people or hold a secret, and
// only the mail address can be taken out of a record later.

import type { House } from '../house.ts'
import type { AccessAct } from '../send/access-kinds.ts'
import type { ShownAlert } from '../send/outcome.ts'

export type Act =
  | 'connect'
  | 'disconnect'
  /** An alert, a container’s open alerts or its people were read for somebody, or could not be. */
  | 'look-up'
  /** Somebody got access to a container, or lost it. */
  | AccessAct
  /** Approval was asked for. */
  | 'ask'
  | 'approve'
  | 'decline'
  | 'withdraw'
  | 'expire'
  /** Old records were deleted. */
  | 'cut'
  /** Something was done to an alert. */
  | 'assign'
  | 'comment'
  | 'close'
  /** A channel began to follow a container (its new alerts appear there), went on with another account, or stopped. */
  | 'follow'
  | 'take-over'
  | 'unfollow'
  /** Maintenance of a machine, or of a container, was begun or ended. */
  | 'set-mode'

/**
 * Outcome of an act: done, certainly not done (a refusal as well), or not certain; and why, in a word (`forbidden`,
 * `timed-out`).
 */
export type Outcome = 'done' | `not-done:${string}` | `uncertain:${string}`

export interface Entry {
  readonly workspaceId: string
  /** Unique in the workspace, as in `grant:<id>:done`: what is recorded twice under one key is written once. */
  readonly key: string
  /** The person who did it, in Slack; undefined if nobody in particular did (a request expires). */
  readonly userId?: string | undefined
  readonly act: Act
  readonly outcome: Outcome
  readonly ks?: string | undefined
  readonly containerId?: number | undefined
  /** The machine, by its number at the service. */
  readonly asset?: number | undefined
  readonly mode?: 'maintenance' | 'normal' | undefined
  /** The address of the person who gets or loses access. Several people are several entries. */
  readonly email?: string | undefined
  /** The person’s number at the service, if they were on the container already. */
  readonly personId?: number | undefined
  /** Flags that the act gives (`permissions`) and, from somebody who was on the container, takes away (`takes`). */
  readonly permissions?: readonly string[] | undefined
  readonly takes?: readonly string[] | undefined
  /** The kind of write that a request for approval asks for, if it isn’t a grant. */
  readonly kind?: string | undefined
  /** Flags of the person whom the act is about: before the act, and as they were read after it. */
  readonly had?: readonly string[] | undefined
  readonly has?: readonly string[] | undefined
  readonly member?: boolean | undefined
  /** The time at which what was given ends, in milliseconds since 1970. */
  readonly until?: number | undefined
  readonly authProvider?: string | undefined
  /** Slack id of the person who had asked for what is decided. */
  readonly askerId?: string | undefined
  /** Slack id of the person who approved a grant: their token made it. */
  readonly approverId?: string | undefined
  /** Why somebody was disconnected: they asked for it, they left, or the bot was removed. */
  readonly cause?: DisconnectCause | undefined
  /** The alert before something was done to it, as the actor’s token showed it; undefined if that isn’t known. */
  readonly before?: ShownAlert | undefined
  /** The alert as it was read afterwards. */
  readonly after?: ShownAlert | undefined
  /** The id of the grant or of the request; of `cut`, the last record that was deleted, as `<seq>:<mac>`. */
  readonly reference?: string | undefined
}

export type DisconnectCause = 'asked' | 'left' | 'uninstalled'

/** A record’s number and mac. The next record’s mac covers this mac, which makes the chain. */
export interface Link {
  /** Records are numbered from 1, without gaps. */
  readonly seq: number
  readonly mac: string
}

/** The largest number of a record: an `integer` of PostgreSQL goes no higher. */
export const mostSeq = 2_147_483_647

/** The link before the first record. */
export const beginning: Link = { seq: 0, mac: '' }

/** A record as it is kept. Its mac covers its other fields, all but `email`, and the mac of the record before. */
export interface ChainedRecord extends Link {
  /** When it was written, in milliseconds since 1970, by the database's clock; never before the record before. */
  readonly at: number
  readonly workspaceId: string
  readonly key: string
  /** The key of ENCRYPTION_KEYS that its mac is made with. */
  readonly keyId: string
  /** JSON of the entry’s other fields; instead of a mail address it holds a keyed digest. */
  readonly body: string
  /** The address in plain; null if there is none, or once it is erased. Verifying shows if somebody replaced it. */
  readonly email: string | null
}

/** The newest link, after which the chain goes on. */
export interface Head extends Link {
  readonly at: number
  /** The database's time, in milliseconds since 1970. */
  readonly now: number
}

/** The store of chained records. Several processes may append, cut and read at the same time. */
export type AuditRecords = House['storage']['auditRecords']
