// Acts as a kind of request: how each is sent and proved by reads, its audit trail, its metrics, and late news.
//
// The service gives 204 for any key, which proves nothing: what the alert showed before is compared with what it shows
// after. Clocks are not compared: an action is new if only the later list has it.
// Source: the service's documentation of “Assign”, “Message” and “Close” of an alert.
import { MonitorError, orMonitorError } from '../errors.ts'
import { actsTotal } from '../metrics/metrics.ts'
import { type Action, type Alert, cleanText } from '../monitor/schema.ts'
import {
  type AlertWrite,
  asAlertWrite,
  codeOf,
  type ShownAlert,
  type WriteOutcome,
} from '../send/outcome.ts'
import type { Request } from '../send/request.ts'
import { asSendResult, type Kind, lookUntilShown } from '../send/send.ts'
import { deedOf } from './kinds.ts'
import { renderActVerdict } from './render/verdict.ts'

export const actKind: Kind = {
  async perform(house, { token }, anyWrite, begin) {
    const write = asAlertWrite(anyWrite)
    const deed = deedOf(write)
    const read = () => orMonitorError(house.monitor.readAlert(token, write.ks))
    const first = await read()
    const isUnread = first instanceof MonitorError
    if (isUnread && first.code !== 'forbidden')
      return { outcome: { kind: 'not-done', code: first.code } }

    const before = isUnread ? undefined : first
    const held = before && deed.heldBack(before)
    if (held !== undefined) return { outcome: held, before }
    if (!(await begin())) return undefined

    const sent = asSendResult(await deed.send(house.monitor, token))
    if (sent.outcome.kind === 'not-done') return { ...sent, before }
    const isAccepted = sent.outcome.kind === 'done'
    if (before === undefined)
      return isAccepted ? { outcome: { kind: 'uncertain', cause: 'not-readable' } } : sent

    let after: Alert | undefined
    let proof: WriteOutcome | undefined
    await lookUntilShown(house, async () => {
      const found = await read()
      if (found instanceof MonitorError) return 'again'
      after = found
      proof = proofIn(write, before, found)
      return proof === undefined ? 'again' : 'enough'
    })
    const unproved: WriteOutcome = isAccepted
      ? { kind: 'uncertain', cause: 'not-seen' }
      : sent.outcome
    return {
      outcome: proof ?? unproved,
      before,
      after,
    }
  },
  record(house, { id, sender }, { n, write }, { outcome, before, after }) {
    const { kind, ks } = asAlertWrite(write)
    const found = codeOf(outcome)
    return house.audit.record({
      ...sender,
      ks,
      act: kind,
      outcome: found,
      key: `${kind}:${id}.${n}:${found}`,
      reference: id,
      before: before && shownOf(before),
      after: after && shownOf(after),
    })
  },
  async showAndCompose(_, request) {
    const { id, sender } = request
    const { write, outcome } = onlySend(request)
    return [
      { userId: sender.userId, message: renderActVerdict(write, outcome, { id, isLate: true }) },
    ]
  },
  count(request, told) {
    const { write, outcome } = onlySend(request)
    actsTotal.inc({
      kind: write.kind,
      verdict: codeOf(outcome),
      told,
    })
  },
}

/** The one write of an act, and its outcome. @throws Error if the request isn't concluded. */
export function onlySend({ id, sends: [send] }: Request) {
  if (send?.outcome === undefined) throw new Error(`request ${id} has no outcome`)
  return {
    n: send.n,
    write: asAlertWrite(send.write),
    outcome: send.outcome,
  }
}

function shownOf({ ownerId, closedTimestamp }: Alert): ShownAlert {
  return {
    ownerId,
    isClosed: closedTimestamp !== null,
  }
}

/**
 * Judges a write by what the alert showed before and shows now; undefined while nothing shows that it was made. Actions
 * come oldest first, so those behind as many as there were before are new. A comment shows in actions alone: for it,
 * `isMade` is always false.
 */
export function proofIn(write: AlertWrite, before: Alert, now: Alert): WriteOutcome | undefined {
  const { isDoneBy, isMade } = deedOf(write)
  const known = before.actions.filter(isDoneBy).length
  const fresh = now.actions.filter(isDoneBy).slice(known)
  const doings = fresh.map((action) => whoseIs(write, action))
  if (doings.includes('own')) return seen
  if (!isMade(before, now)) return undefined

  // The alert is as wanted: done by its sender, unless each new action is known to be somebody else’s.
  const isOthers = doings.length > 0 && doings.every((whose) => whose === 'others')
  return isOthers ? { kind: 'done', ground: 'by-another' } : seen
}

const seen: WriteOutcome = { kind: 'done', ground: 'seen' }

/**
 * Tells whose an action is: by the person it names, else by its words. An action without words may be anybody’s, as the
 * service need not show them.
 */
function whoseIs(
  { kind, message, senderId }: AlertWrite,
  action: Action,
): 'own' | 'others' | 'unknown' {
  if (action.kind === 'AutoClose' || action.kind === 'IndirectClose') return 'others'

  const { userId, message: words } = action.data ?? {}
  const sent = evened(message)
  const shown = typeof words === 'string' ? evened(words) : ''
  const hasOtherWords = sent !== shown && sent !== '' && shown !== ''
  if (typeof userId === 'number' && senderId !== undefined) {
    if (userId !== senderId) return 'others'
    // A comment with other words may be another comment by the sender. An assignment or a closing with other words is
    // still theirs: an alert has one owner, and is closed once.
    return kind === 'comment' && hasOtherWords ? 'unknown' : 'own'
  }

  if (sent === shown) return 'own'
  return hasOtherWords ? 'others' : 'unknown'
}

/** The sender’s number at the service, if it is known, or if an action of their own names it. */
export function doerIn(write: AlertWrite, { actions }: Alert): number | undefined {
  const own = actions
    .filter(deedOf(write).isDoneBy)
    .findLast((action) => whoseIs(write, action) === 'own')
  const said = own?.data?.userId
  return write.senderId ?? (typeof said === 'number' ? said : undefined)
}

/**
 * Makes texts comparable: the service may change spaces and line breaks, and its own texts were cleaned when they were read.
 */
function evened(text: string): string {
  return cleanText(text).normalize('NFC').replaceAll(/\s+/g, ' ').trim()
}
