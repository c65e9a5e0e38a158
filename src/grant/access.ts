// Access as people ask for it: who, on which container, with which flags; and what became of each person.
// Data only.
import { isRefusedFor, type NotDoneCode, passingCodes, type SendOutcome } from '../send/outcome.ts'
import type { Request } from '../send/request.ts'
import { type AddUser, asAddUser } from '../send/writes.ts'
import { type Flag, flags } from './flags.ts'

/** How many people one access may name. */
export const mostPeople = 20

/** What is asked, validated. */
export interface Access {
  readonly containerId: number
  /** 1 to 20, as they were typed, nobody twice. */
  readonly emails: readonly string[]
  /** Sent only when given. */
  readonly authProvider: string | undefined
  readonly member: boolean
  /** In the contract's order, without repeats; may be empty. */
  readonly permissions: readonly Flag[]
}

/** What became of one person. */
export interface Result {
  readonly email: string
  readonly outcome: SendOutcome
}

/** What is asked of the service for each person, as the access names them. */
export function writesOf({ emails, ...rest }: Access): readonly AddUser[] {
  return emails.map((email) => ({ kind: 'add-user', ...rest, email }))
}

/** False for what was kept to act on an alert. */
export function isForAccess({ sends }: Pick<Request, 'sends'>): boolean {
  return sends.every(({ write }) => write.kind === 'add-user')
}

/** What a request asks for: its writes differ by their person alone. */
export function accessOf({ id, sends }: Pick<Request, 'id' | 'sends'>): Access {
  const [first] = sends
  if (first === undefined) throw new Error(`request ${id} is for nobody`)
  const { containerId, authProvider, member, permissions } = asAddUser(first.write)
  return {
    containerId,
    emails: sends.map(({ write }) => asAddUser(write).email),
    authProvider,
    member,
    permissions: flags.filter((flag) => permissions.includes(flag)),
  }
}

/** One for each person, in the order of the access; undefined while something of it waits or is under way. */
export function resultsOf({ sends }: Pick<Request, 'sends'>): readonly Result[] | undefined {
  const results = sends.flatMap(({ write, outcome }): readonly Result[] =>
    outcome === undefined ? [] : [{ email: asAddUser(write).email, outcome }],
  )
  return results.length === sends.length ? results : undefined
}

/** Those who were certainly not granted and could be; nobody where the container refuses the asker. */
export function restOf(results: readonly Result[]): readonly string[] {
  if (hasCode(results, 'forbidden') || hasCode(results, 'not-found')) return []
  // Where a token was refused, whoever was not sent waits for the next one.
  const isLeft = ({ outcome }: Result) =>
    isRefusedFor(outcome, passingCodes) || (outcome.kind === 'not-sent' && !hasCode(results, 'refused'))
  return results.filter(isLeft).map(({ email }) => email)
}

/** True where *Try again*, or for several *Try the rest again*, is offered. */
export function offersRest(results: readonly Result[]): boolean {
  return restOf(results).length > 0
}

/**
 * Those who were refused for what was asked (400), the right (403) or the container (404): another try as it was meets
 * the same, so they are asked for differently.
 * @param waits - Whoever was not sent for want of a token goes on by itself once there is one.
 */
export function leftToEdit(results: readonly Result[], waits: boolean): readonly string[] {
  const isForAll = hasCode(results, 'forbidden') || hasCode(results, 'not-found')
  const codes = [
    ...(['bad-request', 'forbidden', 'not-found'] as const),
    ...(waits ? [] : (['refused'] as const)),
    ...(isForAll ? passingCodes : []),
  ]
  const isLeft = ({ outcome }: Result) =>
    isRefusedFor(outcome, codes) ||
    (outcome.kind === 'not-sent' && (isForAll || (!waits && hasCode(results, 'refused'))))
  return results.filter(isLeft).map(({ email }) => email)
}

export function isGranted({ outcome }: Result): boolean {
  return outcome.kind === 'done'
}

/** Those who wait for a token that is accepted; nobody when none was refused. */
export function waitingOf(results: readonly Result[]): readonly string[] {
  if (!hasCode(results, 'refused')) return []
  const isLeft = ({ outcome }: Result) => outcome.kind === 'not-sent' || isRefusedFor(outcome, ['refused'])
  return results.filter(isLeft).map(({ email }) => email)
}

/** Those whom a colleague could grant it: certainly not granted and possible, where the asker has no right to. */
export function leftToApprove(results: readonly Result[]): readonly string[] {
  if (!hasCode(results, 'forbidden')) return []
  const isLeft = ({ outcome }: Result) =>
    outcome.kind === 'not-sent' || isRefusedFor(outcome, ['forbidden', ...passingCodes])
  return results.filter(isLeft).map(({ email }) => email)
}

export function hasCode(results: readonly Result[], code: NotDoneCode): boolean {
  return results.some(({ outcome }) => isRefusedFor(outcome, [code]))
}
