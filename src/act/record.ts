// Acts as a kind of request: how each is made at the service and proved by reads, the audit trail, the figures, what is told
// late, and what somebody was told before.
import type { Entry } from '../audit/trail.ts'
import { MonitorError, UserError } from '../errors.ts'
import type { House } from '../house.ts'
import type { RequestOutcome } from '../log/log.ts'
import { actsTotal } from '../metrics/metrics.ts'
import type { Alert, WriteResult } from '../monitor/client.ts'
import {
  type AlertWrite,
  asAlertWrite,
  calledBy,
  type NotDoneCode,
  type SendOutcome,
  type Settled,
} from '../send/outcome.ts'
import type { Request, Send } from '../send/request.ts'
import { answered, type Kind, lookAfter, type Noted, type Performed } from '../send/send.ts'
import { postLate } from '../send/telling.ts'
import type { From } from '../slack/guard/requests.ts'
import { assignFacts } from './assign/candidates.ts'
import { tooOld } from './intent.ts'
import { beforeOf, heldBack, proofIn } from './proof.ts'
import { renderActVerdict } from './render/verdict.ts'

export const actKind: Kind = {
  async perform(house, token, anyWrite, begin) {
    const write = asAlertWrite(anyWrite)
    const first = await readTarget(house, token, write)
    if (first.kind === 'failed') return { outcome: { kind: 'not-done', code: first.code } }
    const alert = first.kind === 'read' ? first.alert : undefined
    const before = alert && beforeOf(write, alert)
    const held = alert && heldBack(write, alert)
    if (held !== undefined) return { outcome: held, alert, before }
    if (!(await begin())) return undefined
    const sent = answered(await requestFor(house, token, write))
    const { outcome } = sent
    if (outcome.kind === 'not-done') return { ...sent, alert, before }
    if (before === undefined) return outcome.kind === 'done' ? unreadable : sent
    let after: Alert | undefined
    let proof: Settled | undefined
    await lookAfter(house, async () => {
      const found = await readTarget(house, token, write)
      if (found.kind === 'read') {
        after = found.alert
        proof = proofIn(write, before, after)
      } else if (found.kind === 'unreadable' && outcome.kind === 'done') proof = unreadable.outcome
      return proof === undefined ? 'again' : 'enough'
    })
    return { outcome: proof ?? notSeen(outcome), alert: after ?? alert, before, after }
  },
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
    throw new UserError(tooOld)
  return only.write
}

type AlertRead =
  | { readonly kind: 'read'; readonly alert: Alert }
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'failed'; readonly code: Exclude<NotDoneCode, 'changed' | 'no-operation'> }

async function readTarget({ monitor }: House, token: string, { ks }: AlertWrite): Promise<AlertRead> {
  try {
    return { kind: 'read', alert: await monitor.readAlert(token, ks) }
  } catch (error) {
    if (!(error instanceof MonitorError)) throw error
    return error.code === 'forbidden' ? { kind: 'unreadable' } : { kind: 'failed', code: error.code }
  }
}

function requestFor({ monitor }: House, token: string, write: AlertWrite): Promise<WriteResult> {
  const { ks, message } = write
  switch (write.kind) {
    case 'assign':
      return monitor.assignAlert(token, ks, { userId: write.ownerId, message })
    case 'comment':
      return monitor.commentOnAlert(token, ks, message)
    case 'close':
      return monitor.closeAlert(token, ks, { message, isSolution: write.isSolution })
    default:
      return write satisfies never
  }
}

const unreadable: Performed = { outcome: { kind: 'uncertain', cause: 'not-readable' } }

/** The service took it, and does not show it. */
function notSeen(outcome: Settled): Settled {
  return outcome.kind === 'done' ? { kind: 'uncertain', cause: 'not-seen' } : outcome
}
