// Requests for approval, as cards and messages read them. Pure. Their life is in send/request.ts.
import { hasCode, type Result, resultsOf } from '../grant/access.ts'
import { type PossibleLaterCode, possibleLaterCodes } from '../send/outcome.ts'
import type { Request, ToApprove } from '../send/request.ts'

/** A request that a colleague has to approve. */
export interface Approval extends Request {
  readonly approval: ToApprove
}

/** Undefined for what is sent without anybody's approval. */
export function approvalIn(request: Request | undefined): Approval | undefined {
  return request?.approval && { ...request, approval: request.approval }
}

/** What became of everybody, once it was approved and has ended. They may have got nothing. */
export function approvedResults(request: Approval): readonly Result[] | undefined {
  return request.end === 'sent' ? resultsOf(request) : undefined
}

/** What became of everybody in the last attempt, where it is requested again: nobody got anything. */
export function triedResults(request: Approval): readonly Result[] | undefined {
  return request.state === 'requested' ? resultsOf(request) : undefined
}

/** The reason why a request stays open, first what somebody can mend; `not-sent` when nothing was tried. */
export function whyOpen(results: readonly Result[]): PossibleLaterCode | 'not-sent' {
  return possibleLaterCodes.find((why) => hasCode(results, why)) ?? 'not-sent'
}
