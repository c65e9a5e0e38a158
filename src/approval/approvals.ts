// A request for approval and what became of it: the shapes, and the port of the store that keeps them.
import type { Fingerprint } from '../account/fingerprint.ts'
import type { Result, Wish } from '../grant/wish.ts'
import type { SlackUser } from '../slack/ids.ts'

/** Somebody in Slack, with the name they had then, raw. */
export interface Named {
  readonly userId: string
  readonly name: string
}

/** Who may not approve, besides the asker, as far as it was known when it was asked. Empty once the request has ended. */
export interface Barred {
  /** Of the asker's token; undefined without an account. */
  readonly asker: Fingerprint | undefined
  /** The people who get the access: their ids in Slack and their tokens, where there are such. */
  readonly recipientIds: readonly string[]
  readonly recipients: readonly Fingerprint[]
}

/** Where the card stands. `told`: posted through a `response_url`, so that only a press on it can change it. */
export type Card =
  | { readonly kind: 'none' }
  | { readonly kind: 'posted'; readonly channelId: string; readonly ts: string }
  | { readonly kind: 'told' }
  | { readonly kind: 'nowhere' }

export type Ending =
  /** By `approver`; `outcomes` has one for each person. */
  | { readonly kind: 'approved'; readonly outcomes: readonly Result[] }
  | { readonly kind: 'declined'; readonly by: Named; readonly reason: string }
  | { readonly kind: 'withdrawn' }
  | { readonly kind: 'expired' }

/** What is frozen when it is asked. */
export interface NewApproval {
  readonly id: string
  /** Of the wish it is asked for; there is one open request for each. */
  readonly wishId: string
  readonly asker: SlackUser
  /** Raw. */
  readonly askerName: string
  readonly wish: Wish
  /** Raw. */
  readonly reason: string
  readonly barred: Barred
  /** Where the card goes, and into which thread there. */
  readonly channelId: string | undefined
  readonly threadTs: string | undefined
}

export interface Approval extends NewApproval {
  /** `granting`: `approver`'s grant is under way. */
  readonly state: 'open' | 'granting' | 'ended'
  /** How often it was approved. */
  readonly attempt: number
  /** Who approved last. */
  readonly approver: Named | undefined
  readonly ending: Ending | undefined
  /** What became of the last attempt, when it is open again after that: nobody got anything. */
  readonly tried: readonly Result[] | undefined
  /** Milliseconds since 1970. */
  readonly until: number
  readonly card: Card
  /** Grows with every change that shows. */
  readonly version: number
  readonly isAskerTold: boolean
  readonly isApproverTold: boolean
}

/**
 * Where requests are kept. Each step is atomic across processes.
 * A step that changes what shows also *claims* what is owed because of it (the card, the direct messages), for
 * `claimMs`: when the caller does not say `done` within that time, `claimOwed` hands it to somebody else.
 */
export interface Approvals {
  /** Keeps a new request. Where its id is known, or its wish has an open request, that one is given back. */
  ask(
    approval: NewApproval,
    how: { readonly ttlMs: number; readonly claimMs: number },
  ): Promise<{ readonly isNew: boolean; readonly approval: Approval }>
  /** One whose time is over has ended as `expired`, whether `expire` has seen it or not. */
  find(workspaceId: string, id: string): Promise<Approval | undefined>
  /** All that were asked for a wish, open or not, the oldest first. */
  ofWish(asker: SlackUser, wishId: string): Promise<readonly Approval[]>
  /** The asker's own that are open, or being granted, the oldest first. */
  openOf(asker: SlackUser): Promise<readonly Approval[]>
  /** From open to granting, for the first of those who try. @param leaseMs - See `claimLapsed`. */
  begin(workspaceId: string, id: string, approver: Named, leaseMs: number): Promise<Approval | undefined>
  /** The sender of this attempt is alive. */
  renew(approval: Approval, leaseMs: number): Promise<void>
  /**
   * From granting back to open, where the approver is to be told why.
   * @returns Undefined when others have judged this attempt already.
   */
  reopen(approval: Approval, outcomes: readonly Result[], claimMs: number): Promise<Approval | undefined>
  /** From granting to its end; undefined when others have judged this attempt already. */
  end(approval: Approval, outcomes: readonly Result[], claimMs: number): Promise<Approval | undefined>
  /** Puts what its sender knows in place of how others have ended this attempt; undefined when it did not end. */
  correct(approval: Approval, outcomes: readonly Result[], claimMs: number): Promise<Approval | undefined>
  /** From open to declined; undefined when it is not open any more. */
  decline(
    workspaceId: string,
    id: string,
    how: { readonly by: Named; readonly reason: string; readonly claimMs: number },
  ): Promise<Approval | undefined>
  /** As `decline`, for the asker alone. */
  withdraw(asker: SlackUser, id: string, claimMs: number): Promise<Approval | undefined>
  /** Lets the asker's open request, which stands nowhere, be posted again, by one caller. */
  postAgain(asker: SlackUser, id: string, claimMs: number): Promise<Approval | undefined>
  /** Ends every open request whose time is over. */
  expire(): Promise<void>
  /** Attempts whose sender's lease has run out. Each is handed to one caller, with a lease of its own. */
  claimLapsed(leaseMs: number): Promise<readonly Approval[]>
  /** Requests about which something is owed, and nobody claims it. */
  claimOwed(claimMs: number): Promise<readonly Approval[]>
  /** Where its card stands now. */
  placed(workspaceId: string, id: string, card: Card): Promise<void>
  /** What there is to tell about it as it was then was told. True for the one caller that says so first. */
  told(approval: Approval, whom: 'asker' | 'approver'): Promise<boolean>
  /** Nothing more is owed about it as it was then. */
  done(approval: Approval): Promise<void>
  /** Something could not be done: it is handed out again after this time. */
  putOff(approval: Approval, ms: number): Promise<void>
  forgetWorkspace(workspaceId: string): Promise<void>
  /** Forgets ended requests that were asked before this time (milliseconds since 1970). */
  prune(before: number): Promise<void>
}
