// Requests for approval, as cards and messages read them. Pure. Their life is in send/request.ts.
import type { Request, ToApprove } from '../send/request.ts'

/** A request that a colleague has to approve. */
export interface Approval extends Request {
  readonly approval: ToApprove
}

/** Undefined for what is sent without anybody's approval. */
export function approvalIn(request: Request | undefined): Approval | undefined {
  return request?.approval && { ...request, approval: request.approval }
}
