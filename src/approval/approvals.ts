// Requests for approval as cards and messages show them: what of a kept request is about that, and the verdicts on it. Pure.
// Their life is in send/request.ts.

import { type Access, accessOf, hasCode, type Result, resultsOf } from '../grant/access.ts'
import type { ReasonByEmail } from '../grant/render/explain.ts'
import { isPossibleLater, type PossibleLaterCode, possibleLaterCodes } from '../send/outcome.ts'
import type { Audience, Named, Request, ToApprove } from '../send/request.ts'
import type { From } from '../slack/guard/requests.ts'
import type { SlackUser } from '../slack/ids.ts'

export type ApprovalEnding =
  /** By `approver`, with one result for each person. They may have got nothing: see `verdictOf`. */
  | { readonly kind: 'approved'; readonly results: readonly Result[] }
  | { readonly kind: 'declined'; readonly by: Named; readonly reason: string }
  | { readonly kind: 'withdrawn' }
  | { readonly kind: 'expired' }

/** A request for approval. Whether anybody has approved it, and what came of that, is in `attempt` and `ending`. */
export interface Approval extends Omit<ToApprove, 'tried' | 'declined'> {
  readonly workspaceId: string
  readonly id: string
  readonly asker: SlackUser
  readonly access: Access
  /** `sending`: `approver`'s grant is under way. */
  readonly state: 'requested' | 'sending' | 'ended'
  /** Counts how often it was approved. */
  readonly attempt: number
  readonly ending?: ApprovalEnding | undefined
  /** Results of the last attempt, when it is requested again after that: nobody got anything. */
  readonly tried?: readonly Result[] | undefined
  readonly endedAt?: number | undefined
  readonly toTell: readonly Audience[]
  readonly version: number
}

/** Undefined for what is sent without anybody's approval. */
export function approvalIn(request: Request): Approval | undefined {
  const { workspaceId, id, askerId, state, attempt, approval, endedAt, toTell, version } = request
  if (approval === undefined || state === 'asked') return undefined
  const { tried, declined: _, ...rest } = approval
  const access = accessOf(request)
  return {
    ...{ ...rest, workspaceId, id, access, state, attempt, endedAt, toTell, version },
    asker: { workspaceId, userId: askerId },
    ending: endingOf(request),
    tried: tried && access.emails.flatMap((email, index) => resultFor(email, tried[index])),
  }
}

function resultFor(email: string, outcome: Result['outcome'] | undefined): readonly Result[] {
  return outcome === undefined ? [] : [{ email, outcome }]
}

function endingOf(request: Request): ApprovalEnding | undefined {
  const { end, approval } = request
  if (end === 'declined' && approval?.declined) return { kind: end, ...approval.declined }
  if (end === 'withdrawn' || end === 'expired') return { kind: end }
  return end === 'sent' ? { kind: 'approved', results: resultsOf(request) ?? [] } : undefined
}

/** A press on a button about a request. Its `asker` is whoever pressed, a colleague perhaps. */
export interface Press extends From {
  /** The button is on the card that everybody sees, not on a message of the person's own. */
  readonly isCard: boolean
  /** What the service has just said to the presser's own token, for them alone. */
  readonly reasons?: ReasonByEmail
}

/** The reason why a request stays open, first what somebody can mend; `not-sent` when nothing was tried. */
export function whyOpen(results: readonly Result[]): PossibleLaterCode | 'not-sent' {
  return possibleLaterCodes.find((why) => hasCode(results, why)) ?? 'not-sent'
}

/** True for those for whom another request may work. */
export function mayWorkLater({ outcome }: Result): boolean {
  return isPossibleLater(outcome)
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
