// Kinds of acts on an alert, a row each: what the service asks for, and words that differ. And what each does: how it is
// sent, when it is held back, which action proves it.
import type { House } from '../house.ts'
import { type Action, type Alert, closings } from '../monitor/schema.ts'
import type { WriteResult } from '../monitor/writes.ts'
import type { AlertWrite, WriteOutcome } from '../send/outcome.ts'

interface ActKind {
  /** Most code points of text that the service takes. */
  readonly longest: number
  /** Needed besides API. */
  readonly flag: string
  /** Follows “to”. */
  readonly wish: string
  /** Before “alert “5HkX””. */
  readonly noun: string
  /** Follows “alert “5HkX” is already”. */
  readonly done: string
  /** A card shows it, so that its presser needs no message. */
  readonly isOnCard: boolean
}

/** Source: the service’s documentation of “Assign”, “Message” and “Close”. */
export const actKinds: Readonly<Record<AlertWrite['kind'], ActKind>> = {
  assign: {
    longest: 240,
    flag: 'ALERT_ASSIGN',
    wish: 'assign the alert',
    noun: 'assigning',
    done: 'assigned',
    isOnCard: true,
  },
  comment: {
    longest: 240,
    flag: 'ALERT_CHANGE',
    wish: 'comment on the alert',
    noun: 'your comment on',
    done: 'commented on',
    isOnCard: false,
  },
  close: {
    longest: 2_000,
    flag: 'ALERT_CHANGE',
    wish: 'close the alert',
    noun: 'closing',
    done: 'closed',
    isOnCard: true,
  },
}

interface Deed {
  send(monitor: House['monitor'], token: string): Promise<WriteResult>
  /** Why it is not sent: the alert is so already, or is not as its sender saw it in a way that matters. */
  heldBack(alert: Alert): WriteOutcome | undefined
  /** Whether an action does what is wanted, whoever did it. */
  isDoneBy(action: Action): boolean
  /** Whether the alert has become as wanted. Of a comment, actions alone tell. */
  isMade(before: Alert, now: Alert): boolean
}

type WriteOf<Kind extends AlertWrite['kind']> = Extract<AlertWrite, { readonly kind: Kind }>

const already = { kind: 'done', on: 'already' } as const satisfies WriteOutcome
const changed = { kind: 'not-done', code: 'changed' } as const satisfies WriteOutcome

const isShut = ({ closedTimestamp }: Alert) => closedTimestamp !== null

const assigning = (write: WriteOf<'assign'>): Deed => ({
  send: (monitor, token) =>
    monitor.assignAlert(token, write.ks, { userId: write.ownerId, message: write.message }),
  heldBack(alert) {
    const { ownerId } = alert
    if (isShut(alert)) return changed
    if (ownerId === write.ownerId) return already
    // A sender who saw no owner takes it from nobody by accident, but may hand over what is theirs.
    const isAsSeen = ownerId === (write.shown?.ownerId ?? null)
    return isAsSeen || ownerId === write.senderId ? undefined : changed
  },
  isDoneBy: ({ kind, data }) => kind === 'Assign' && data?.ownerId === write.ownerId,
  isMade: (before, { ownerId }) => ownerId === write.ownerId && before.ownerId !== ownerId,
})

const commenting = (write: WriteOf<'comment'>): Deed => ({
  send: (monitor, token) => monitor.commentOnAlert(token, write.ks, write.message),
  heldBack: (alert) => (isShut(alert) && !write.shown?.isClosed ? changed : undefined),
  isDoneBy: ({ kind }) => kind === 'Comment',
  isMade: () => false,
})

const closing = (write: WriteOf<'close'>): Deed => ({
  send: (monitor, token) =>
    monitor.closeAlert(token, write.ks, { message: write.message, isSolution: write.isSolution }),
  heldBack(alert) {
    const { ownerId } = alert
    if (isShut(alert)) return already
    // A sender who took it since may close it.
    if (ownerId !== null && ownerId === write.senderId) return undefined
    return write.shown === undefined || write.shown.ownerId === ownerId ? undefined : changed
  },
  isDoneBy: ({ kind }) => closings.has(kind),
  isMade: (before, now) => isShut(now) && !isShut(before),
})

export function deedOf(write: AlertWrite): Deed {
  switch (write.kind) {
    case 'assign':
      return assigning(write)
    case 'comment':
      return commenting(write)
    case 'close':
      return closing(write)
    default:
      return write satisfies never
  }
}
