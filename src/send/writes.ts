// Writes to the service, by their kind: what each of them is, and when some are equal. Data only.
import { createHash } from 'node:crypto'

/** Somebody who is on a container already, as they were shown to whoever wants to change that. */
export interface There {
  /** At the service. */
  readonly userId: number
  readonly permissions: readonly string[]
  readonly member: boolean
}

/**
 * Adds somebody to a container or, where they are there, adds to what they have. Validated: nothing but that is checked
 * again before it is sent.
 */
export interface AddUser {
  readonly kind: 'add-user'
  readonly containerId: number
  readonly email: string
  /** Sent only when given. */
  readonly authProvider: string | undefined
  readonly member: boolean
  /** Flag names of the contract; may be empty. Of somebody who is there, what they get besides. */
  readonly permissions: readonly string[]
  readonly there?: There | undefined
}

/** How an alert stood when its sender decided. */
export interface ShownAlert {
  /** At the service; null while unassigned. */
  readonly ownerId: number | null
  readonly isClosed: boolean
}

/** What writes about an alert have in common. Validated as well. */
interface AboutAlert {
  /** As it was asked for. */
  readonly ks: string
  /** Raw; may be empty but for a comment. */
  readonly message: string
  /** Undefined where the sender saw nothing of it. Where it is otherwise by now, nothing is sent. */
  readonly shown: ShownAlert | undefined
  /** The sender at the service, as far as that is known: their own doing is told from others’ by it. */
  readonly senderId: number | undefined
  /** The card that it was asked on. */
  readonly cardId: string | undefined
}

export interface AssignAlert extends AboutAlert {
  readonly kind: 'assign'
  /** At the service. */
  readonly ownerId: number
}

export interface CommentOnAlert extends AboutAlert {
  readonly kind: 'comment'
}

export interface CloseAlert extends AboutAlert {
  readonly kind: 'close'
  readonly isSolution: boolean
}

export type AlertWrite = AssignAlert | CommentOnAlert | CloseAlert

/** One change at the service. */
export type Write = AddUser | AlertWrite

/** @throws when it is of another kind: then the wrong feature was asked about it. */
export function asAddUser(write: Write): AddUser {
  if (write.kind !== 'add-user') throw new TypeError(`a write of the kind ${write.kind} adds nobody`)
  return write
}

/** @throws likewise. */
export function asAlertWrite(write: Write): AlertWrite {
  if (write.kind === 'add-user') throw new TypeError('adding somebody is about no alert')
  return write
}

/** Equal for equal writes, whatever order they and their flags are in. */
export function fingerprintOf(writes: readonly Write[]): string {
  const each = writes.map((write) => JSON.stringify(sentOf(write))).toSorted()
  return createHash('sha256').update(each.join('\n')).digest('base64url')
}

/** All that is sent, in one order. */
function sentOf(write: Write): readonly unknown[] {
  if (write.kind === 'add-user') {
    const { containerId, email, authProvider = null, member, permissions, there } = write
    return [containerId, email, authProvider, member, permissions.toSorted(), there?.userId]
  }
  const { kind, ks, message } = write
  const { ownerId, isSolution } = { ownerId: undefined, isSolution: undefined, ...write }
  return [kind, ks, message, ownerId, isSolution]
}
