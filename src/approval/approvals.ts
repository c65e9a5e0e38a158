// Requests for approval as they are kept: their shapes, the verdicts on them, and the port of the store.
//
// A request                        moved by                                 ends as
// open                             a colleague, its asker, or its time      granting; declined, withdrawn or expired
// granting (before it is sent)     its approver, as long as they renew;     approved, with a result for each person;
//                                  others once their lease is over          open again where nobody got anything
// approved, but not certain,       that approver, if they come back         approved, with what they know
//   as its approver fell silent
// approved, but not certain        a later look at the service              approved, with what is seen
import type { TokenHash } from '../account/tokens.ts'
import type { ReasonByEmail } from '../grant/render/explain.ts'
import { hasCode, type Result, type Wish } from '../grant/wish.ts'
import { isRefusedFor, type PossibleLaterCode, possibleLaterCodes } from '../send/outcome.ts'
import type { From } from '../slack/guard/requests.ts'
import type { SlackUser } from '../slack/ids.ts'
import type { MentionIds } from '../slack/text/mrkdwn.ts'

/** Somebody in Slack, with the name they had then, raw. */
export interface Named {
  readonly userId: string
  readonly name: string
}

/** People who may not approve, as far as they were known when it was asked. Empty once the request has ended. */
export interface Barred {
  /** Of the asker's token; undefined without an account. */
  readonly asker: TokenHash | undefined
  /** The people who get the access: their ids in Slack and hashes of their tokens, where there are such. */
  readonly recipientIds: readonly string[]
  readonly recipients: readonly TokenHash[]
}

/** Where a card is posted. */
export interface CardPlace {
  readonly channelId: string
  readonly ts: string
  /** Ids of those whom the card mentions. */
  readonly mentioned: MentionIds
}

export type ApprovalEnding =
  /** By `approver`, with one result for each person. They may have got nothing: see `verdictOf`. */
  | { readonly kind: 'approved'; readonly results: readonly Result[] }
  | { readonly kind: 'declined'; readonly by: Named; readonly reason: string }
  | { readonly kind: 'withdrawn' }
  | { readonly kind: 'expired' }

/** A request as it is asked. None of this changes afterwards, but for `barred`, which is emptied at the end. */
export interface NewApproval {
  /** That of the wish that it is asked for, and `:ask`. */
  readonly id: string
  readonly asker: SlackUser
  /** Raw. */
  readonly askerName: string
  readonly wish: Wish
  /**
   * “Customer 1 (12)”, as the asker’s token had shown the container when they asked. Raw; undefined where it had not, and
   * where people of another organisation may read.
   */
  readonly container: string | undefined
  /** Raw. */
  readonly reason: string
  readonly barred: Barred
  /** Its card goes there, and into this thread. */
  readonly channelId: string
  readonly threadTs: string | undefined
}

/**
 * A request for approval; functions call it a request, as `findRequest` does. Whether anybody has approved it, and what
 * came of that, is in `attempt` and `ending`.
 */
export interface Approval extends NewApproval {
  /** `granting`: `approver`'s grant is under way. */
  readonly state: 'open' | 'granting' | 'ended'
  /** Counts how often it was approved. */
  readonly attempt: number
  /** The one who approved last. */
  readonly approver: Named | undefined
  readonly ending: ApprovalEnding | undefined
  /** Results of the last attempt, when it is open again after that: nobody got anything. */
  readonly tried: readonly Result[] | undefined
  /** Milliseconds since 1970. */
  readonly until: number
  /** Undefined while it is not posted. */
  readonly card: CardPlace | undefined
  /** Grows with every change that shows. */
  readonly version: number
  readonly isAskerTold: boolean
  readonly isApproverTold: boolean
  /** Milliseconds since 1970; undefined while it is open. */
  readonly endedAt: number | undefined
}

/**
 * A press on a button about a request. Its `asker` is whoever pressed, a colleague perhaps; that of an `Approval` has
 * asked for it.
 */
export interface Press extends From {
  /** The button is on the card that everybody sees, not on a message of the person's own. */
  readonly isCard: boolean
  /** What the service has just said to the presser's own token, for them alone. */
  readonly reasons?: ReasonByEmail
}

/** The id of the wish that the last attempt is. */
export function attemptIdOf({ id, attempt }: Pick<Approval, 'id' | 'attempt'>): string {
  return `${id}:${attempt}`
}

/**
 * The store of requests. Each step is atomic across processes.
 * A step that changes what shows also *claims* what is owed because of it (the card, the direct messages), for
 * `claimMs`: when the caller does not call `clearOwed` within that time, `claimOwed` hands it to somebody else.
 */
export interface Approvals {
  /** Keeps a new request. Where its id is known, that one is given back. */
  ask(
    approval: NewApproval,
    how: { readonly ttlMs: number; readonly claimMs: number },
  ): Promise<{ readonly isNew: boolean; readonly approval: Approval }>
  /** Finds a request. One whose time is over has ended as `expired`, whether `expire` has seen it or not. */
  find(workspaceId: string, id: string): Promise<Approval | undefined>
  /** Requests of the asker's own that are open, or being granted, the oldest first. */
  openOf(asker: SlackUser): Promise<readonly Approval[]>
  /** Everybody's requests in a workspace that can be approved, those that expire first before the others. */
  openIn(workspaceId: string, most: number): Promise<readonly Approval[]>
  /** Takes it from open to granting, for the first of those who try. @param leaseMs - See `claimLapsed`. */
  begin(workspaceId: string, id: string, approver: Named, leaseMs: number): Promise<Approval | undefined>
  /** Says that the sender of this attempt is alive. */
  renew(approval: Approval, leaseMs: number): Promise<void>
  /**
   * Takes it from granting back to open, where the approver is to be told why.
   * @returns Undefined when others have judged this attempt already.
   */
  reopen(approval: Approval, results: readonly Result[], claimMs: number): Promise<Approval | undefined>
  /** Takes it from granting to its end; undefined when others have judged this attempt already. */
  end(approval: Approval, results: readonly Result[], claimMs: number): Promise<Approval | undefined>
  /**
   * Puts what its sender knows, or a later look has seen, in place of how this attempt has ended; undefined when it did
   * not end, or ended like that already.
   */
  correct(approval: Approval, results: readonly Result[], claimMs: number): Promise<Approval | undefined>
  /** Takes it from open to declined; undefined when it is not open any more. */
  decline(
    workspaceId: string,
    id: string,
    how: { readonly by: Named; readonly reason: string; readonly claimMs: number },
  ): Promise<Approval | undefined>
  /** Takes it from open to withdrawn, as `decline`, for the asker alone. */
  withdraw(asker: SlackUser, id: string, claimMs: number): Promise<Approval | undefined>
  /** Ends every open request whose time is over. */
  expire(): Promise<void>
  /** Hands out attempts whose sender's lease has run out, each to one caller, with a lease of its own. */
  claimLapsed(leaseMs: number): Promise<readonly Approval[]>
  /** Hands out requests about which something is owed that nobody claims. */
  claimOwed(claimMs: number): Promise<readonly Approval[]>
  /** Keeps the place of its card. */
  keepPlace(workspaceId: string, id: string, card: CardPlace): Promise<void>
  /** Forgets a request whose card could not be posted. */
  forget(workspaceId: string, id: string): Promise<void>
  /** Keeps that one of them was told of it as it was then. True for the one caller that was first. */
  markTold(approval: Approval, whom: 'asker' | 'approver'): Promise<boolean>
  /** Keeps that nothing more is owed about it as it was then. */
  clearOwed(approval: Approval): Promise<void>
  /** Keeps that something could not be done: it is handed out again after this time. */
  putOff(approval: Approval, ms: number): Promise<void>
  forgetWorkspace(workspaceId: string): Promise<void>
  /** Forgets ended requests that were asked before this time (milliseconds since 1970). */
  prune(before: number): Promise<void>
}

/** Certainly not granted, for a reason that may be gone tomorrow, or with somebody else's token. */
export function isPossibleLater({ outcome }: Result): boolean {
  return outcome.kind === 'not-sent' || isRefusedFor(outcome, possibleLaterCodes)
}

/** True when nobody has got anything, and everybody still may: the request stays open. */
export function staysOpen(results: readonly Result[]): boolean {
  return results.every(isPossibleLater)
}

/** The reason why a request stays open, first what somebody can mend; `not-sent` when nothing was tried. */
export function whyOpen(results: readonly Result[]): PossibleLaterCode | 'not-sent' {
  return possibleLaterCodes.find((why) => hasCode(results, why)) ?? 'not-sent'
}

/** `in-part`: granted to some, and certainly not to the rest. */
export type Verdict = 'granted' | 'in-part' | 'not-granted' | 'uncertain'

/** The verdict on a request that has ended. */
export function verdictOf(results: readonly Result[]): Verdict {
  if (results.some(({ outcome }) => outcome.kind === 'uncertain')) return 'uncertain'
  const granted = results.filter(({ outcome }) => outcome.kind === 'done').length
  if (granted === results.length) return 'granted'
  return granted === 0 ? 'not-granted' : 'in-part'
}
