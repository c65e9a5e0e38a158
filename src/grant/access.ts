// Access as people ask for it: who, on which container, with which flags; and each person’s result. Pure.
import type { ContainerPerson } from '../monitor/schema.ts'
import {
  type AddUser,
  asAddUser,
  isRefusedFor,
  type NotDoneCode,
  notDoneCodes,
  passingCodes,
  type SendOutcome,
  type There,
} from '../send/outcome.ts'
import type { Request } from '../send/request.ts'
import type { SendResults } from '../send/send.ts'
import { type Flag, inOrder } from './roles.ts'

export const mostPeople = 20

/** Access that is asked for, validated, and equal for all of its people. `there` is only set for one person. */
export interface Access extends Omit<AddUser, 'kind' | 'email' | 'permissions'> {
  /** 1 to 20, as typed, nobody twice. */
  readonly emails: readonly string[]
  /** In the contract's order, without repeats; may be empty. */
  readonly permissions: readonly Flag[]
}

type Asked = Pick<AddUser, 'permissions' | 'member'>

export function lacking({ permissions }: Asked, has: Pick<There, 'permissions'>): readonly Flag[] {
  return inOrder(permissions.filter((flag) => !has.permissions.includes(flag)))
}

export function isLacking(asked: Asked, has: Pick<There, 'permissions' | 'member'>): boolean {
  return lacking(asked, has).length > 0 || (asked.member && !has.member)
}

/** One person’s result. Only the owner of the token may see more than `email` and `outcome`. */
export interface Result {
  readonly email: string
  readonly outcome: SendOutcome
  readonly reason?: string | undefined
  /** What the token shows of somebody who was refused; missing where it can’t be read. */
  readonly has?: Seen | 'not-seen' | undefined
}

/** What somebody has on the container; `inherit`: through another container. */
export type Seen = Pick<ContainerPerson, 'permissions' | 'member' | 'inherit'>

export function publicly(results: readonly Result[]): readonly Result[] {
  return results.map(({ email, outcome }) => ({ email, outcome }))
}

export function writesOf({ emails, ...rest }: Access): readonly AddUser[] {
  return emails.map((email) => ({ kind: 'add-user', ...rest, email }))
}

type Sends = Pick<Request, 'sends'>

/** False for a request to act on an alert. */
export function isForAccess({ sends }: Sends): boolean {
  return sends.every(({ write }) => write.kind === 'add-user')
}

/** Access that a request asks for: its writes differ only by person. */
export function accessOf({ id, sends }: Pick<Request, 'id' | 'sends'>): Access {
  const [first] = sends
  if (first === undefined) throw new Error(`request ${id} is for nobody`)
  const { kind: _, email: __, permissions, ...rest } = asAddUser(first.write)
  const emails = sends.map(({ write }) => asAddUser(write).email)
  return { ...rest, emails, permissions: inOrder(permissions) }
}

/** Results of people who have an outcome, in the access’s order. @param learned - What the service has just said. */
export function resultsOf({ sends }: Sends, learned?: SendResults): readonly Result[] {
  return sends.flatMap(({ n, write, outcome }) =>
    outcome ? [{ email: asAddUser(write).email, outcome, reason: learned?.get(n)?.reason }] : [],
  )
}

/** True where the container refuses everybody: the token lacks a flag there, or the container doesn’t exist. */
function isClosedTo(results: readonly Result[]): boolean {
  return hasCode(results, 'forbidden') || hasCode(results, 'not-found')
}

const isLeft =
  (...codes: readonly NotDoneCode[]) =>
  ({ outcome }: Result) =>
    outcome.kind === 'not-sent' || isRefusedFor(outcome, codes)

const emailsOf = (results: readonly Result[]) => results.map(({ email }) => email)

/** People for whom the same request may work now: *Try again* or, for several, *Try the rest again*. */
export function restOf(results: readonly Result[]): readonly string[] {
  return isClosedTo(results) ? [] : emailsOf(results.filter(isLeft('refused', ...passingCodes)))
}

/** People refused for the request (400), a flag (403) or the container (404): only a different request can help. */
export function leftToEdit(results: readonly Result[]): readonly string[] {
  return emailsOf(
    results.filter(isClosedTo(results) ? isLeft(...notDoneCodes) : (one) => hasCode([one], 'bad-request')),
  )
}

/** People whom a colleague could grant it: the asker lacks a flag, and they certainly got nothing. */
export function leftToApprove(results: readonly Result[]): readonly string[] {
  return hasCode(results, 'forbidden') ? emailsOf(results.filter(isLeft('forbidden', ...passingCodes))) : []
}

/** True where the service refused the token and nobody got anything: another token may do for all of them. */
export function wantsToken(results: readonly Result[]): boolean {
  return hasCode(results, 'refused') && results.every(isLeft('refused'))
}

export function isGranted({ outcome }: Result): boolean {
  return outcome.kind === 'done'
}

export function hasCode(results: readonly Result[], code: NotDoneCode): boolean {
  return results.some(({ outcome }) => isRefusedFor(outcome, [code]))
}
