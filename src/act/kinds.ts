// Kinds of acts on an alert, in two tables: `actKinds` has what the service demands and words; `deedOf` has how an act is
// sent, when it is held back, and which action of the alert proves it.
import type { House } from '../house.ts'
import { type Action, type Alert, closings } from '../monitor/schema.ts'
import type { WriteResult } from '../monitor/writes.ts'
import type { AlertWrite, WriteOutcome } from '../send/outcome.ts'

interface ActKind {
  /** Most code points of text that the service takes. */
  readonly longest: number
  /** The flag that a token needs besides API. */
  readonly flag: string
  /** Words such as “assign the alert”, for sentences on what somebody needs a flag for. */
  readonly wish: string
  /** Words before “alert “5HkX””. */
  readonly noun: string
  /** Words behind “alert “5HkX” is already”. */
  readonly done: string
}

/** Source: the service’s documentation of “Assign”, “Message” and “Close”. */
export const actKinds: Readonly<Record<AlertWrite['kind'], ActKind>> = {
  assign: {
    longest: 240,
    flag: 'ALERT_ASSIGN',
    wish: 'assign the alert',
    noun: 'assigning',
    done: 'assigned',
  },
  comment: {
    longest: 240,
    flag: 'ALERT_CHANGE',
    wish: 'comment on the alert',
    noun: 'your comment on',
    done: 'commented on',
  },
  close: {
    longest: 2_000,
    flag: 'ALERT_CHANGE',
    wish: 'close the alert',
    noun: 'closing',
    done: 'closed',
  },
}

interface Deed {
  send(monitor: House['monitor'], token: string): Promise<WriteResult>
  /** The outcome if nothing is to be sent: the alert is as wanted already, or its sender has to know of a change first. */
  heldBack(alert: Alert): WriteOutcome | undefined
  /** Whether an action of the alert is what was wanted, whoever took it. */
  isDoneBy(action: Action): boolean
  /** Whether the alert has become as wanted. False for a comment, which only actions show. */
  isMade(before: Alert, now: Alert): boolean
}

const already: WriteOutcome = { kind: 'done', ground: 'already' }
const changed: WriteOutcome = { kind: 'not-done', code: 'changed' }

const isShut = ({ closedTimestamp }: Alert) => closedTimestamp !== null

/** The row of the second table: functions for this very write. */
export function deedOf(write: AlertWrite): Deed {
  const { ks, message, shown, senderId } = write
  switch (write.kind) {
    case 'assign': {
      const { ownerId } = write
      return {
        send: ({ assignAlert }, token) => assignAlert(token, ks, { userId: ownerId, message }),
        heldBack(alert) {
          if (isShut(alert)) return changed
          if (alert.ownerId === ownerId) return already
          // An assignment is sent if the owner is whom the sender saw on the card, or nobody if they saw no card; or if the
          // owner is the sender. Otherwise, somebody could lose the alert by accident.
          const isAsSeen = alert.ownerId === (shown?.ownerId ?? null)
          return isAsSeen || alert.ownerId === senderId ? undefined : changed
        },
        isDoneBy: ({ kind, data }) => kind === 'Assign' && data?.ownerId === ownerId,
        isMade: (before, now) => now.ownerId === ownerId && before.ownerId !== ownerId,
      }
    }
    case 'comment':
      return {
        send: ({ commentOnAlert }, token) => commentOnAlert(token, ks, message),
        heldBack: (alert) => (isShut(alert) && !shown?.isClosed ? changed : undefined),
        isDoneBy: ({ kind }) => kind === 'Comment',
        isMade: () => false,
      }
    case 'close': {
      const { isSolution } = write
      return {
        send: ({ closeAlert }, token) => closeAlert(token, ks, { message, isSolution }),
        heldBack(alert) {
          const { ownerId } = alert
          if (isShut(alert)) return already
          // A closing is sent also if the sender has taken the alert since.
          const isOwn = ownerId !== null && ownerId === senderId
          return isOwn || !shown || shown.ownerId === ownerId ? undefined : changed
        },
        isDoneBy: ({ kind }) => closings.has(kind),
        isMade: (before, now) => isShut(now) && !isShut(before),
      }
    }
    default:
      return write satisfies never
  }
}
