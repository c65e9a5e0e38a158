// Performs a write about an alert: it is read before, as what its sender saw may have changed, and after, as the service's
// answer says nothing. In between goes at most one request.
import { MonitorError } from '../errors.ts'
import type { House } from '../house.ts'
import type { Alert, WriteResult } from '../monitor/client.ts'
import { answered, type Kind, lookAfter, type Performed } from '../send/kinds.ts'
import type { NotDoneCode, Settled } from '../send/outcome.ts'
import { type AlertWrite, asAlertWrite } from '../send/writes.ts'
import { beforeOf, heldBack, proofIn } from './proof.ts'

export const performOnAlert: Kind['perform'] = async (house, token, anyWrite, begin) => {
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
