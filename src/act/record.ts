// Record of what was done to alerts: the audit trail, the figures, what is told late, and what somebody was told before.
import type { Entry } from '../audit/trail.ts'
import { UserError } from '../errors.ts'
import type { House } from '../house.ts'
import { type RequestOutcome, recordsNow } from '../log/request.ts'
import { actsTotal } from '../metrics/metrics.ts'
import { personNamed } from '../names/names.ts'
import { personShown } from '../names/naming.ts'
import { ownIdOf } from '../names/own-id.ts'
import type { Kind, Noted } from '../send/kinds.ts'
import type { SendOutcome, Settled } from '../send/outcome.ts'
import type { Request, Send } from '../send/request.ts'
import { noteHeard, postLate } from '../send/telling.ts'
import { type AlertWrite, asAlertWrite } from '../send/writes.ts'
import type { From } from '../slack/guard/requests.ts'
import type { SlackUser } from '../slack/ids.ts'
import { performOnAlert } from './perform.ts'
import type { AssignFacts } from './render/assign-words.ts'
import { renderActVerdict, tooOldWords } from './render/verdict.ts'

export const actKind: Kind = {
  perform: performOnAlert,
  record: (house, kept, { n, write }, outcome, noted) =>
    house.audit.record(auditEntry(kept, n, asAlertWrite(write), outcome, noted)),
  async tellLate(house, request) {
    const { id, sender, toTell } = request
    if (!toTell.includes('asker')) return
    const { write, outcome = { kind: 'not-sent' } } = onlySend(request)
    const found = {
      ...{ id, alert: undefined, reason: undefined, isLate: true, canAsk: false },
      assigned: await lateFacts(house, sender, asAlertWrite(write)),
    }
    await postLate(house, sender.userId, renderActVerdict(asAlertWrite(write), outcome, found))
    if (!(await noteHeard(house, request))) return
    countAct(request, 'late')
    const { userId: user, workspaceId: workspace } = sender
    const audit = [...(recordsNow() ?? [])]
    const fields = { user, workspace, about: 'act', act: write.kind, verdict: actVerdictOf(outcome) }
    house.log.info(audit.length === 0 ? fields : { ...fields, audit }, 'an outcome was reported late')
  },
}

/** Counts what somebody was told. @param told - `late`: by whoever came after its sender. */
export function countAct(request: Request, told: 'at_once' | 'late'): void {
  const { write, outcome } = onlySend(request)
  if (outcome === undefined) return
  actsTotal.inc({ kind: asAlertWrite(write).kind, verdict: actVerdictOf(outcome), told })
}

/** As far as it is known without asking the service. */
async function lateFacts(
  house: House,
  sender: SlackUser,
  write: AlertWrite,
): Promise<AssignFacts | undefined> {
  if (write.kind !== 'assign') return undefined
  const { ownerId, senderId } = write
  const isOwn = ownerId === senderId || ownerId === (await ownIdOf(house, sender))
  const name = isOwn ? undefined : personShown(house, sender, ownerId)?.name
  return {
    isForSelf: isOwn,
    isOwn,
    name: name && personNamed({ people: { [ownerId]: name } }, ownerId),
    isMuted: false,
    taking: undefined,
  }
}

/** What is done to an alert is one write. */
function onlySend({ id, sends: [send] }: Request): Send {
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
  const found = auditOutcome(outcome)
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

function auditOutcome(outcome: Settled): Entry['outcome'] {
  switch (outcome.kind) {
    case 'done':
      // Nothing was sent for what was so before, and another's doing is not theirs.
      return outcome.on === 'already' || outcome.on === 'by-another' ? `not-done:${outcome.on}` : 'done'
    case 'not-done':
      return `not-done:${outcome.code}`
    case 'uncertain':
      return `uncertain:${outcome.cause}`
    default:
      return outcome satisfies never
  }
}

/** How the request ends that has sent this. */
export function requestOutcome(outcome: SendOutcome): RequestOutcome {
  switch (outcome.kind) {
    case 'done':
      return 'ok'
    case 'not-done':
      return `service-${outcome.code}`
    case 'uncertain':
      return 'uncertain'
    case 'not-sent':
      return 'stopped'
    default:
      return outcome satisfies never
  }
}

type Verdict = 'done' | 'already' | 'by_another' | 'not_done' | 'not_seen' | 'uncertain' | 'not_sent'

/** As figures and the log name it. */
function actVerdictOf(outcome: SendOutcome): Verdict {
  switch (outcome.kind) {
    case 'done':
      if (outcome.on === 'already') return 'already'
      return outcome.on === 'by-another' ? 'by_another' : 'done'
    case 'not-done':
      return 'not_done'
    case 'uncertain':
      return outcome.cause === 'not-seen' || outcome.cause === 'not-readable' ? 'not_seen' : 'uncertain'
    case 'not-sent':
      return 'not_sent'
    default:
      return outcome satisfies never
  }
}

/** What somebody wanted, and what became of it. */
interface ToldAct {
  readonly write: AlertWrite
  readonly outcome: SendOutcome
}

/** Somebody’s own, once it has its end. @param id - Of the request; anybody could send another. */
export async function findToldAct(
  { storage: { requests } }: House,
  { workspaceId, userId }: SlackUser,
  id: string,
): Promise<ToldAct | undefined> {
  const kept = await requests.find({ workspaceId, id })
  const [only] = kept?.sends ?? []
  if (kept?.sender.userId !== userId || only === undefined || only.write.kind === 'add-user') return undefined
  const { write, outcome } = only
  return outcome === undefined ? undefined : { write: asAlertWrite(write), outcome }
}

/** @throws UserError where it is forgotten. */
export async function toldOrGone(house: House, { asker }: From, id: string): Promise<ToldAct> {
  const told = await findToldAct(house, asker, id)
  if (told === undefined) throw new UserError(tooOldWords.verdict)
  return told
}
