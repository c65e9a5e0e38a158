// Requests in the database: one document each, from the moment it is asked until the last word about it was told.
import type { Kysely } from 'kysely'
import { approvedBy, dueAt, type Request, toBeApproved } from '../../send/request.ts'
import { docsOf } from '../docs.ts'
import type { Engine } from '../engine.ts'
import type { Tables } from '../tables.ts'

export function requestsIn(db: Kysely<Tables>, engine: Engine) {
  const facets = (request: Request) => ({
    ownerId: request.askerId,
    ref: refOf(request),
    // It is not pruned before it has ended.
    claim: request.state === 'requested' || request.state === 'sending' ? request.id : null,
    dueAt: dueAt(request),
  })
  // Committed before anything is sent.
  return docsOf<Request>(db, engine, 'request', facets, { isDurable: true })
}

function refOf({ state, approval }: Request): string {
  if (state === 'requested') return toBeApproved
  return approval?.approver === undefined ? '' : approvedBy(approval.approver.userId)
}
