// Record of what was done to alerts: the audit trail, the figures, what is told late, and what somebody was told before.
import type { Entry } from '../audit/trail.ts'
import { UserError } from '../errors.ts'
import type { House } from '../house.ts'
import type { RequestOutcome } from '../log/request.ts'
import { actsTotal } from '../metrics/metrics.ts'
import type { Kind, Noted } from '../send/kinds.ts'
import { calledBy, type SendOutcome, type Settled } from '../send/outcome.ts'
import type { Request, Send } from '../send/request.ts'
import { postLate } from '../send/telling.ts'
import { type AlertWrite, asAlertWrite } from '../send/writes.ts'
import type { From } from '../slack/guard/requests.ts'
import { assignFacts } from './assign/candidates.ts'
import { tooOldWords } from './intent.ts'
import { performOnAlert } from './perform.ts'
import { renderActVerdict } from './render/verdict.ts'

export const actKind: Kind = {
  perform: performOnAlert,
  record: (house, kept, { n, write }, outcome, noted) =>
    house.audit.record(auditEntry(kept, n, asAlertWrite(write), outcome, noted)),
  async tellLate(house, request) {
    const { id, sender } = request
    const { write, outcome = { kind: 'not-sent' } } = onlySend(request)
    const act = asAlertWrite(write)
    const found = {
      ...{ id, alert: undefined, reason: undefined, isLate: true, ways: [] },
      assigned: await assignFacts(house, sender, undefined, act, outcome, undefined),
    }
    await postLate(house, sender.userId, renderActVerdict(act, outcome, found))
  },
  count(request, told) {
    const { write, outcome } = onlySend(request)
    if (outcome === undefined) return
    actsTotal.inc({ kind: asAlertWrite(write).kind, verdict: calledBy(outcome), told })
  },
}

/** What is done to an alert is one write. */
export function onlySend({ id, sends: [send] }: Request): Send {
  if (send === undefined) throw new Error(`request ${id} has nothing to write`)
  return send
}

function auditEntry(
  { id, sender }: Request,
  n: number,
  { kind, ks }: AlertWrite,
  outcome: Settled,
  { before, after }: Noted,
): Entry {
  const found = calledBy(outcome)
  return {
    ...sender,
    ks,
    act: kind,
    outcome: found,
    key: `${kind}:${id}.${n}:${found}`,
    reference: id,
    before: before && { ownerId: before.ownerId, isClosed: before.isClosed },
    after: after && { ownerId: after.ownerId, isClosed: after.closedTimestamp !== null },
  }
}

/** How the request ends that has sent it. */
export function endOf(outcome: SendOutcome): RequestOutcome {
  if (outcome.kind === 'not-done') return `service-${outcome.code}`
  return ({ done: 'ok', uncertain: 'uncertain', 'not-sent': 'stopped' } as const)[outcome.kind]
}

/**
 * Somebody’s own write, once it has its end.
 * @param id - Of the request; anybody could send another.
 * @throws UserError where it is forgotten.
 */
export async function formerWrite(
  { storage: { requests } }: House,
  { asker: { workspaceId, userId } }: From,
  id: string,
): Promise<AlertWrite> {
  const kept = await requests.find({ workspaceId, id })
  const [only] = kept?.sends ?? []
  if (kept?.sender.userId !== userId || only?.outcome === undefined || only.write.kind === 'add-user')
    throw new UserError(tooOldWords.verdict)
  return only.write
}
