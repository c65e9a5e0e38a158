// Record of what was done to alerts: the audit trail, the figures, what is told late, and what somebody was told before.
import type { Entry } from '../audit/trail.ts'
import { UserError } from '../errors.ts'
import type { House } from '../house.ts'
import { type RequestOutcome, recordsNow } from '../log/request.ts'
import { actsTotal } from '../metrics/metrics.ts'
import type { Kind, Noted } from '../send/kinds.ts'
import type { SendOutcome, Settled } from '../send/outcome.ts'
import type { Request, Send } from '../send/request.ts'
import { noteHeard, postLate } from '../send/telling.ts'
import { type AlertWrite, asAlertWrite } from '../send/writes.ts'
import type { From } from '../slack/guard/requests.ts'
import { assignFacts } from './assign/facts.ts'
import { performOnAlert } from './perform.ts'
import { renderActVerdict, tooOldWords } from './render/verdict.ts'

export const actKind: Kind = {
  perform: performOnAlert,
  record: (house, kept, { n, write }, outcome, noted) =>
    house.audit.record(auditEntry(kept, n, asAlertWrite(write), outcome, noted)),
  async tellLate(house, request) {
    const { id, sender, toTell } = request
    if (!toTell.includes('asker')) return
    const { write, outcome = { kind: 'not-sent' } } = onlySend(request)
    const act = asAlertWrite(write)
    const found = {
      ...{ id, alert: undefined, reason: undefined, isLate: true, canAsk: false },
      assigned: await assignFacts(house, sender, undefined, act, outcome, undefined),
    }
    await postLate(house, sender.userId, renderActVerdict(act, outcome, found))
    if (!(await noteHeard(house, request))) return
    countAct(request, 'late')
    const { userId: user, workspaceId: workspace } = sender
    const audit = [...(recordsNow() ?? [])]
    const fields = { user, workspace, about: 'act', act: act.kind, verdict: calledBy(outcome).figures }
    house.log.info(audit.length === 0 ? fields : { ...fields, audit }, 'an outcome was reported late')
  },
}

/** Counts what somebody was told. @param told - `late`: by whoever came after its sender. */
export function countAct(request: Request, told: 'at_once' | 'late'): void {
  const { write, outcome } = onlySend(request)
  if (outcome === undefined) return
  actsTotal.inc({ kind: asAlertWrite(write).kind, verdict: calledBy(outcome).figures, told })
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
  const found = calledBy(outcome).audit
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

type Verdict = 'done' | 'already' | 'by_another' | 'not_done' | 'not_seen' | 'uncertain' | 'not_sent'

/** What an outcome is called in the trail, at the end of the request that has sent it, and in figures. */
interface Called {
  readonly audit: Entry['outcome']
  readonly request: RequestOutcome
  readonly figures: Verdict
}

export function calledBy(outcome: SendOutcome): Called {
  switch (outcome.kind) {
    case 'done': {
      const { on } = outcome
      // Nothing was sent for what was so before, and another's doing is not theirs.
      if (on === 'already') return { audit: 'not-done:already', request: 'ok', figures: 'already' }
      if (on === 'by-another') return { audit: 'not-done:by-another', request: 'ok', figures: 'by_another' }
      return { audit: 'done', request: 'ok', figures: 'done' }
    }
    case 'not-done': {
      const { code } = outcome
      return { audit: `not-done:${code}`, request: `service-${code}`, figures: 'not_done' }
    }
    case 'uncertain': {
      const { cause } = outcome
      const isTaken = cause === 'not-seen' || cause === 'not-readable'
      return {
        audit: `uncertain:${cause}`,
        request: 'uncertain',
        figures: isTaken ? 'not_seen' : 'uncertain',
      }
    }
    case 'not-sent':
      return { audit: 'not-done:not-sent', request: 'stopped', figures: 'not_sent' }
    default:
      return outcome satisfies never
  }
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
