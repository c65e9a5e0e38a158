// Writes to the service, by their kind: what each sends, and when two are equal.
import { createHash } from 'node:crypto'
import type { Monitor } from '../monitor/client.ts'
import type { Settled } from './outcome.ts'

/** Adds somebody to a container. Validated: nothing is checked again before it is sent. */
export interface AddUser {
  readonly kind: 'add-user'
  readonly containerId: number
  readonly email: string
  /** Sent only when given. */
  readonly authProvider: string | undefined
  readonly member: boolean
  /** Flag names of the contract; may be empty. */
  readonly permissions: readonly string[]
}

/** One change at the service. */
export type Write = AddUser

/** What certainly became of a write, as far as that is known. */
export interface Performed {
  readonly outcome: Settled
  /** Why it was refused, in the service's own words. Apart from the outcome, which is stored and which others read. */
  readonly reason: string | undefined
}

/** Makes the one request of a write. Never asks again, and never rejects for what the service does. */
export async function perform(
  monitor: Pick<Monitor, 'addUser'>,
  token: string,
  write: Write,
): Promise<Performed> {
  switch (write.kind) {
    case 'add-user': {
      const { kind: _, containerId, ...user } = write
      const result = await monitor.addUser(token, containerId, user)
      if (result.kind !== 'not-done') return { outcome: result, reason: undefined }
      return { outcome: { kind: result.kind, code: result.code }, reason: result.reason }
    }
    default:
      return write.kind satisfies never
  }
}

/** Equal for equal writes of the same kind, whatever order their flags were written in. */
export function fingerprintOf(write: Write): string {
  const [kind, ...parts] = canonicalOf(write)
  return digest(kind === firstKind ? parts : [kind, ...parts])
}

/** Equal for writes that are about the same thing, whatever they do to it: somebody on a container. */
export function targetOf({ containerId, email }: Write): string {
  return digest([containerId, email.toLowerCase()])
}

function digest(canonical: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(canonical)).digest('base64url')
}

/** Goes without its name in fingerprints: those that are kept are older than any other kind. */
const firstKind = 'add-user'

/** Its kind, then all that is sent. */
function canonicalOf(write: Write): readonly [string, ...unknown[]] {
  switch (write.kind) {
    case 'add-user': {
      const { kind, containerId, email, authProvider, member, permissions } = write
      return [kind, containerId, email, authProvider ?? null, member, permissions.toSorted()]
    }
    default:
      return write.kind satisfies never
  }
}
