// Proofs of a write about an alert: a 204 says nothing, so what an alert showed before is compared with what it shows
// after. Clocks are not compared: new is what is in the later list and was not in the earlier one. Pure.
// Source: the service's documentation of “Assign”, “Message” and “Close” of an alert, which give 204 for any key.
import type { Action, Alert } from '../monitor/schema.ts'
import type { Settled } from './outcome.ts'
import type { AlertWrite } from './writes.ts'

/** What an alert showed before a write, as far as its proof needs it. Survives JSON. */
export interface Before {
  readonly ownerId: number | null
  readonly isClosed: boolean
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
  const fresh = alert.actions.filter((action) => isOfKind(write, action)).slice(before.ofKind)
  const alike = alert.actions.filter((action) => isAlike(write, action))
  const own = alike.length > before.alike ? alike.at(-1) : undefined
  if (own !== undefined) return { kind: 'done', on: isOwn(write, own) ? 'seen' : 'unsaid' }
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

const already = { kind: 'done', on: 'already' } as const satisfies Settled
const changed = { kind: 'not-done', code: 'changed' } as const satisfies Settled

/** It is as its sender wanted it, and none of the new actions can be theirs. */
function byWhom(write: AlertWrite, fresh: readonly Action[]): Settled {
  const isOthers = fresh.some((action) => isSomebodyElses(write, action))
  return { kind: 'done', on: isOthers ? 'by-another' : 'unsaid' }
}

const closings: ReadonlySet<string> = new Set(['Close', 'AutoClose', 'IndirectClose'])

function isOfKind({ kind }: AlertWrite, action: Action): boolean {
  switch (kind) {
    case 'assign':
      return action.kind === 'Assign'
    case 'comment':
      return action.kind === 'Comment'
    case 'close':
      return closings.has(action.kind)
    default:
      return kind satisfies never
  }
}

/** Could be this very write: it does the same with the same words, and names nobody else as its actor. */
function isAlike(write: AlertWrite, action: Action): boolean {
  if (!isOfKind(write, action) || isSomebodyElses(write, action)) return false
  if (write.kind === 'close' && action.kind !== 'Close') return false
  return write.kind !== 'assign' || action.data?.ownerId === write.ownerId
}

/** Names its sender as the actor, or has their exact words. */
function isOwn(write: AlertWrite, action: Action): boolean {
  const actorId = action.data?.userId
  if (typeof actorId === 'number' && write.senderId !== undefined) return actorId === write.senderId
  return write.message.trim() !== '' && saidIn(action) === plain(write.message)
}

/** Names another actor than its sender, has other words, or is nobody’s doing. */
function isSomebodyElses(write: AlertWrite, action: Action): boolean {
  if (action.kind === 'AutoClose' || action.kind === 'IndirectClose') return true
  const actorId = action.data?.userId
  if (typeof actorId === 'number' && write.senderId !== undefined && actorId !== write.senderId) return true
  return saidIn(action) !== plain(write.message)
}

function saidIn({ data }: Action): string {
  return typeof data?.message === 'string' ? plain(data.message) : ''
}

/** The service may write spaces and line breaks in its own way. */
function plain(text: string): string {
  return text.normalize('NFC').replaceAll(/\s+/g, ' ').trim()
}
