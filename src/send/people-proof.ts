// Proofs that somebody was added to a container: a list of its people, read after an answer that left a doubt. The list
// doesn't have everybody, so absence proves nothing of who is no member; and it doesn't say whose doing anything is. Pure.
// Source: the service's documentation of “Query users” of a container.
import type { ContainerPerson } from '../monitor/client.ts'
import { isSameAddress } from '../monitor/schema.ts'
import type { Doubt, SendOutcome, Settled } from './outcome.ts'
import type { AddUser } from './writes.ts'

/**
 * What the list shows of somebody who may have been added. `absent`: a member would be listed, and they aren't.
 * `unlisted`: they aren't, which proves nothing. `hidden`: they may be one of those whose address isn't shown.
 * `other-access`: on it, without all that was asked. `inherited`: they come from another container.
 * `unreadable`: the token lacks READ. `refused`: the token is no longer accepted. `unread`: it couldn't be read just now.
 * `off`: the service has no such list, or isn't asked for it.
 */
export const sights = [
  ...(['absent', 'unlisted', 'hidden', 'other-access', 'inherited'] as const),
  ...(['unreadable', 'refused', 'unread', 'off'] as const),
] as const
export type Sight = (typeof sights)[number]

/** What a look has shown that found no proof. Survives JSON. For whoever's token it was, alone. */
export interface PeopleLook {
  readonly saw: Sight
  /** Milliseconds since 1970. */
  readonly at: number
}

/** No later look shows more. */
export function isInVain({ saw }: PeopleLook): boolean {
  return saw === 'off' || saw === 'unreadable' || saw === 'refused'
}

/** @param former - What an earlier look at the same doubt has shown: who wasn't listed then, and is, was added since. */
export function proofInPeople(
  write: AddUser,
  people: readonly ContainerPerson[],
  former: Sight | undefined,
): Settled | Sight {
  const them = people.filter((one) => isThem(write, one))
  const direct = them.filter(({ inherit }) => !inherit)
  if (direct.some((one) => hasAll(write, one))) {
    return { kind: 'done', on: former === 'absent' || former === 'unlisted' ? 'seen' : 'unsaid' }
  }
  if (direct.length > 0) return 'other-access'
  if (them.length > 0) return 'inherited'
  if (people.some(({ email }) => email === undefined)) return 'hidden'
  return write.member ? 'absent' : 'unlisted'
}

function isThem({ email, authProvider }: AddUser, person: ContainerPerson): boolean {
  return (
    person.email !== undefined &&
    isSameAddress(person.email, email) &&
    (authProvider === undefined || person.authProvider?.toLowerCase() === authProvider.toLowerCase())
  )
}

function hasAll({ permissions, member }: AddUser, person: ContainerPerson): boolean {
  return permissions.every((flag) => person.permissions.includes(flag)) && (person.member || !member)
}

/** An outcome as it is recorded and counted: a member who is not listed was not seen, whatever left the doubt. */
export function asRecorded<Outcome extends SendOutcome>(
  outcome: Outcome,
  look: PeopleLook | undefined,
): Outcome | NotSeen {
  return outcome.kind === 'uncertain' && look?.saw === 'absent' ? notSeen : outcome
}

interface NotSeen {
  readonly kind: 'uncertain'
  readonly doubt: Extract<Doubt, 'not-seen'>
}
const notSeen: NotSeen = { kind: 'uncertain', doubt: 'not-seen' }
