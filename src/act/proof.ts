// Proofs of a write about an alert: a 204 says nothing, so what the alert showed before is compared with what it shows after.
// Clocks are not compared: new is what is in the later list and was not in the earlier one. Pure.
// Source: the service's documentation of “Assign”, “Message” and “Close” of an alert, which give 204 for any key.
import { type Action, type Alert, cleanText } from '../monitor/schema.ts'
import type { AlertWrite, Settled, ShownAlert } from '../send/outcome.ts'

/** What an alert showed before a write, as far as its proof needs it. */
interface Before extends ShownAlert {
  /** How many of its actions could have been this very write. */
  readonly alike: number
  /** How many were of its kind. */
  readonly ofKind: number
}

export function beforeOf(write: AlertWrite, { ownerId, closedTimestamp, actions }: Alert): Before {
  return {
    ownerId,
    isClosed: closedTimestamp !== null,
    alike: actions.filter((action) => isAlike(write, action)).length,
    ofKind: actions.filter((action) => isOfKind(write, action)).length,
  }
}

/**
 * Says why a write is not sent at all: it is so already, or what its sender saw has changed in a way that matters to
 * what they want. Undefined where it is sent.
 */
export function heldBack(write: AlertWrite, { ownerId, closedTimestamp }: Alert): Settled | undefined {
  const isClosed = closedTimestamp !== null
  const { shown } = write
  switch (write.kind) {
    case 'assign':
      if (isClosed) return changed
      if (ownerId === write.ownerId) return already
      // Whoever saw nothing takes it from nobody unawares.
      return ownerId === (shown?.ownerId ?? null) ? undefined : changed
    case 'comment':
      return isClosed && !shown?.isClosed ? changed : undefined
    case 'close':
      if (isClosed) return already
      return shown === undefined || isSameOwner(ownerId, shown.ownerId, write.senderId) ? undefined : changed
    default:
      return write satisfies never
  }
}

/** Whoever took it since to close it may close it. */
function isSameOwner(now: number | null, shown: number | null, senderId: number | undefined): boolean {
  return now === shown || (now !== null && now === senderId)
}

/**
 * Says what became of a write, by what the alert shows afterwards.
 * @returns Undefined while nothing shows that it was made.
 */
export function proofIn(write: AlertWrite, before: Before, alert: Alert): Settled | undefined {
  if (alert.actions.filter((action) => isAlike(write, action)).length > before.alike) return seen
  const fresh = alert.actions.filter((action) => isOfKind(write, action)).slice(before.ofKind)
  switch (write.kind) {
    case 'comment':
      return undefined
    case 'assign':
      return alert.ownerId === write.ownerId && before.ownerId !== write.ownerId
        ? byWhom(write, fresh)
        : undefined
    case 'close':
      return alert.closedTimestamp !== null && !before.isClosed ? byWhom(write, fresh) : undefined
    default:
      return write satisfies never
  }
}

const seen = { kind: 'done', on: 'seen' } as const satisfies Settled
const already = { kind: 'done', on: 'already' } as const satisfies Settled
const changed = { kind: 'not-done', code: 'changed' } as const satisfies Settled

/** It is as its sender wanted it, and none of the new actions is known to be theirs. */
function byWhom(write: AlertWrite, fresh: readonly Action[]): Settled {
  const isOthers = fresh.length > 0 && fresh.every((action) => isSomebodyElses(write, action))
  return isOthers ? { kind: 'done', on: 'by-another' } : seen
}

const closings: ReadonlySet<string> = new Set(['Close', 'AutoClose', 'IndirectClose'])

/** Makes what is wanted, whoever did it. */
function isOfKind(write: AlertWrite, { kind, data }: Action): boolean {
  switch (write.kind) {
    case 'assign':
      return kind === 'Assign' && data?.ownerId === write.ownerId
    case 'comment':
      return kind === 'Comment'
    case 'close':
      return closings.has(kind)
    default:
      return write satisfies never
  }
}

/** Could be this very write: it does the same, and names its sender, or nobody and has the same words. */
function isAlike(write: AlertWrite, action: Action): boolean {
  if (!isOfKind(write, action)) return false
  const words = wordsOf(write, action)
  switch (actorOf(write, action)) {
    case 'another':
      return false
    case 'sender':
      // Whoever comments may well have said something else meanwhile; an alert has one owner, and is closed once.
      return write.kind !== 'comment' || words !== 'other'
    case 'unknown':
      return words === 'same'
  }
}

/** Names another actor than its sender, or has other words where nobody known is named, or is nobody’s doing. */
function isSomebodyElses(write: AlertWrite, action: Action): boolean {
  const actor = actorOf(write, action)
  return actor === 'another' || (actor === 'unknown' && wordsOf(write, action) === 'other')
}

function actorOf({ senderId }: AlertWrite, { kind, data }: Action): 'sender' | 'another' | 'unknown' {
  if (kind === 'AutoClose' || kind === 'IndirectClose') return 'another'
  const actorId = data?.userId
  if (typeof actorId !== 'number' || senderId === undefined) return 'unknown'
  return actorId === senderId ? 'sender' : 'another'
}

/** `none`: one of them has no words, so they say nothing of each other. The service does not promise to show any. */
function wordsOf({ message }: AlertWrite, { data }: Action): 'same' | 'other' | 'none' {
  const sent = plain(message)
  const shown = typeof data?.message === 'string' ? plain(data.message) : ''
  if (sent === shown) return 'same'
  return sent === '' || shown === '' ? 'none' : 'other'
}

/** The service may write spaces and line breaks in its own way, and what it shows was cleaned. */
function plain(text: string): string {
  return cleanText(text).normalize('NFC').replaceAll(/\s+/g, ' ').trim()
}
