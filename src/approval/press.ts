// A press on a button about a request: where it was pressed, what of it waits for an account, and the request.
import { z } from 'zod'
import type { WaitedFor } from '../account/connect-first.ts'
import { UserError } from '../errors.ts'
import type { ReasonByEmail } from '../grant/render/explain.ts'
import type { From } from '../slack/guard/requests.ts'
import type { Approval } from './approvals.ts'
import { whyNot } from './render/refusals.ts'
import type { ApprovalRoom } from './room.ts'

/** Its `asker` is whoever pressed, a colleague perhaps; that of an `Approval` has asked for it. */
export interface Press extends From {
  /** The button is on the card that everybody sees, not on a message of the person's own. */
  readonly isCard: boolean
  /** What the service has just said to the presser's own token, for them alone. */
  readonly reasons?: ReasonByEmail
}

/** An *Approve* that waits for an account. */
export const waitingApprove = z.object({ id: z.string(), isCard: z.boolean() })

export function waitsToApprove(id: string, { isCard }: Press): WaitedFor {
  const ask: z.infer<typeof waitingApprove> = { id, isCard }
  return { feature: 'approval', ask }
}

/** @throws UserError when the request is not kept any more. */
export async function findRequest(
  { approvals }: Pick<ApprovalRoom, 'approvals'>,
  { asker: presser }: From,
  id: string,
): Promise<Approval> {
  const approval = await approvals.find(presser.workspaceId, id)
  if (approval === undefined) throw new UserError(whyNot.notKept)
  return approval
}
