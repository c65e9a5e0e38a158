// Access as people ask for it: who, on which container, what is given and taken; and each person’s result. Pure.
import type { ContainerPerson } from '../monitor/schema.ts'
import {
  type AccessWrite,
  asAccess,
  isAccess,
  isRefusedFor,
  type NotDoneCode,
  notDoneCodes,
  passingCodes,
  type SendOutcome,
} from '../send/outcome.ts'
import type { Request } from '../send/request.ts'
import type { SendResults } from '../send/send.ts'
import type { There, Whom } from '../send/whom.ts'
import { nameInLine } from '../slack/person.ts'
import { type Flag, inOrder } from './roles.ts'

export const mostPeople = 20

/** Access that is asked for, or taken away: the same access for each of these people. Validated. */
export interface Access extends Omit<AccessWrite, keyof Whom | 'permissions' | 'takes'> {
  /** 1 to 20, as typed, nobody twice. A change has only one. */
  readonly people: readonly Whom[]
  /** In the order of `flags`, without repeats; may be empty. */
  readonly permissions: readonly Flag[]
  readonly takes?: readonly Flag[] | undefined
}

/** An access without its people. */
export type Terms = Omit<Access, 'people'>

/**
 * An entry of one of the service’s lists: a person on a container, or an invitation to it. An invitation has an address,
 * but no name and number. `inherit`: the person has this access through another container.
 */
export type Listed = Pick<ContainerPerson, 'member' | 'permissions'> & Partial<ContainerPerson>

/** A person to look for: by address, or by their number at the service. */
export type Sought = Pick<AccessWrite, 'email' | 'slackId' | 'authProvider'> & {
  readonly there?: (Pick<There, 'userId'> & Partial<There>) | undefined
}

const nameShown = (there: Sought['there']) => nameInLine(there?.name ?? '')

/** Somebody’s address or, if monitoring hides it, their name and number there. Raw. */
export function nameOf({ email, there }: Sought): string {
  return email || `${nameShown(there) || 'somebody'} (user ${there?.userId})`
}

/** “Dave Doe (dave@example.com)”. Raw. */
export function nameInFull({ email, there }: Sought): string {
  const name = nameShown(there)
  return email && name ? `${name} (${email})` : nameOf({ email, there })
}

/** True if each person’s address is known. It is needed for an approval: nobody may approve access for themselves. */
export function haveAddresses({ people }: Pick<Access, 'people'>): boolean {
  return people.every(({ email }) => email !== '')
}

type GivenAccess = Pick<AccessWrite, 'permissions' | 'member'>

export function lacking({ permissions }: GivenAccess, has: Listed): readonly Flag[] {
  return inOrder(permissions.filter((flag) => !has.permissions.includes(flag)))
}

export function isLacking(wanted: GivenAccess, has: Listed): boolean {
  return lacking(wanted, has).length > 0 || (wanted.member === true && !has.member)
}

/** One person’s result, for the owner of the token alone: others see only the fields that `publicly` keeps. */
export interface Result extends Whom {
  readonly outcome: SendOutcome
  readonly reason?: string | undefined
  /** The list’s entry for a person who was refused. `not-seen`: the list has none. Undefined: no list was read. */
  readonly has?: Listed | 'not-seen' | undefined
  /** True if the person was refused (400) and, as the list shows, has all of the access already. */
  readonly hasAll?: boolean
  /** True if the person has all of the access already (`hasAll`), but some of its flags only for a time. */
  readonly isEnding?: boolean
  /** Flags that adding the person needs, and that the sender’s token certainly lacks. */
  readonly lacks?: readonly string[]
  /** True if the sender may invite the person: no list shows the person, and the access isn’t for a time. */
  readonly canInvite?: boolean
}

/** Results for everybody to read: address and outcome alone. Names at the service are only for the token’s owner. */
export function publicly(results: readonly Result[]): readonly Result[] {
  return results.map(({ email, there, outcome }) => ({
    email: email || `user ${there?.userId}`,
    outcome,
  }))
}

export function writesOf({ people, ...rest }: Access): readonly AccessWrite[] {
  return people.map((whom) => ({ ...rest, ...whom }))
}

/** True for a request about access, not about an alert or maintenance. */
export function isForAccess({ sends }: Request): boolean {
  return sends.every(({ write }) => isAccess(write))
}

const whomOf = ({ email, slackId, there }: Whom): Whom => ({ email, slackId, there })

/** Access that a request asks for: its writes differ only by person. */
export function accessOf({ id, sends }: Request): Access {
  const [first] = sends
  if (first === undefined) throw new Error(`request ${id} is for nobody`)

  const { email: _, slackId: __, there: ___, ...terms } = asAccess(first.write)
  const { permissions, takes = [], ...rest } = terms
  const people = sends.map(({ write }) => whomOf(asAccess(write)))

  return {
    ...rest,
    people,
    permissions: inOrder(permissions),
    takes: inOrder(takes),
  }
}

/**
 * Results of the people who have an outcome, in the access’s order.
 * @param forSender - The service’s own words for each refusal. Default: results without such words.
 */
export function resultsOf({ sends }: Request, forSender?: SendResults): readonly Result[] {
  return sends.flatMap(({ n, write, outcome }) =>
    outcome ? [{ ...whomOf(asAccess(write)), outcome, reason: forSender?.get(n)?.reason }] : [],
  )
}

/** True if everybody would be refused there: the token lacks a flag, or the container doesn’t exist. */
function isClosedTo(results: readonly Result[]): boolean {
  return hasCode(results, 'forbidden') || hasCode(results, 'not-found')
}

/** Filter for people about whom nothing was sent, or who were refused for one of these codes. */
const isNotDone =
  (...codes: readonly NotDoneCode[]) =>
  ({ outcome }: Result) =>
    outcome.kind === 'not-sent' || isRefusedFor(outcome, codes)

/** People for whom the same request may work now: *Try again* or, for several, *Try the rest again*. */
export function restOf(results: readonly Result[]): readonly Whom[] {
  return isClosedTo(results)
    ? []
    : results.filter(isNotDone('refused', ...passingCodes)).map(whomOf)
}

/** Codes of adds in vain: the service refused the add (400), or a list shows the person on the container already. */
export const cantBeAdded: readonly NotDoneCode[] = ['bad-request', 'is-there']

/** People refused for the request (400), a flag (403) or the container (404): only a different request can help. */
export function leftToEdit(results: readonly Result[]): readonly Whom[] {
  const isMeant = isClosedTo(results)
    ? isNotDone(...notDoneCodes)
    : ({ outcome }: Result) => isRefusedFor(outcome, cantBeAdded)

  return results.filter(isMeant)
}

/** People to whom a colleague could grant the access: the asker lacks a flag, and these people certainly got nothing. */
export function leftToApprove(results: readonly Result[]): readonly Whom[] {
  return hasCode(results, 'forbidden')
    ? results.filter(isNotDone('forbidden', ...passingCodes)).map(whomOf)
    : []
}

/** True if nobody got anything, as the service no longer accepts the sender’s token: another token may work for all. */
export function wantsToken(results: readonly Result[]): boolean {
  return hasCode(results, 'refused') && results.every(isNotDone('refused'))
}

export function isGranted({ outcome }: Result): boolean {
  return outcome.kind === 'done'
}

export function hasCode(results: readonly Result[], code: NotDoneCode): boolean {
  return results.some(({ outcome }) => isRefusedFor(outcome, [code]))
}
