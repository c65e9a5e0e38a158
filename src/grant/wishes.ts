// A wish to give one or several people the same access, and what became of it for each of them. Data only.
import type { SlackUser } from '../slack/ids.ts'
import type { Flag } from './flags.ts'
import type { GrantOutcome, GrantRequest, NewGrant } from './grants.ts'

/** How many people one wish may name. */
export const mostPeople = 20

/** What is asked, validated. */
export interface Wish {
  readonly containerId: number
  /** 1 to 20, as they were typed, nobody twice. */
  readonly emails: readonly string[]
  /** Sent only when given. */
  readonly authProvider: string | undefined
  readonly member: boolean
  /** In the contract's order, without repeats; may be empty. */
  readonly permissions: readonly Flag[]
}

/** `not-sent`: nothing was sent for this person, and nothing will be. */
export type PersonOutcome = GrantOutcome | { readonly kind: 'not-sent' }

export type NotGrantedCode = Extract<GrantOutcome, { kind: 'not-granted' }>['code']

export interface Told {
  readonly email: string
  readonly outcome: PersonOutcome
  /** It takes the place of a doubt that may have been told. */
  readonly wasDoubted?: boolean
}

/** What is asked of the service for each person, as the wish names them. */
export function requestsOf({ emails, ...rest }: Wish): readonly GrantRequest[] {
  return emails.map((email) => ({ ...rest, email }))
}

/** The wish that asks for this one person. */
export function wishOf({ email, ...rest }: GrantRequest): Wish {
  return { ...rest, emails: [email] }
}

/** One grant a person. Where there are several, each has an id of its own that follows from the wish's. */
export function grantsOf(
  id: string,
  wish: Wish,
  asked: { readonly asker: SlackUser; readonly channelId: string | undefined },
): readonly NewGrant[] {
  const requests = requestsOf(wish)
  return requests.map((request, index) => ({
    ...asked,
    id: requests.length === 1 ? id : `${id}.${index + 1}`,
    request,
    isToldElsewhere: true,
  }))
}

/** Those who were certainly not granted and could be; nobody where the container refuses the asker. */
export function restOf(people: readonly Told[]): readonly string[] {
  if (hasCode(people, 'forbidden') || hasCode(people, 'not-found')) return []
  // Where a token was refused, whoever was not sent waits for the next one.
  const codes = ['busy', 'unreachable']
  const isLeft = ({ outcome }: Told) =>
    outcome.kind === 'not-granted'
      ? codes.includes(outcome.code)
      : outcome.kind === 'not-sent' && !hasCode(people, 'refused')
  return people.filter(isLeft).map(({ email }) => email)
}

/** Those who wait for a token that is accepted; nobody when none was refused. */
export function waitingOf(people: readonly Told[]): readonly string[] {
  if (!hasCode(people, 'refused')) return []
  const isLeft = ({ outcome }: Told) =>
    outcome.kind === 'not-sent' || (outcome.kind === 'not-granted' && outcome.code === 'refused')
  return people.filter(isLeft).map(({ email }) => email)
}

export function hasCode(people: readonly Told[], code: NotGrantedCode): boolean {
  return people.some(({ outcome }) => outcome.kind === 'not-granted' && outcome.code === code)
}

export function isForbidden(outcome: PersonOutcome | undefined): boolean {
  return outcome?.kind === 'not-granted' && outcome.code === 'forbidden'
}

/** Those whom a colleague could grant it: certainly not granted and possible, where the asker has no right to. */
export function leftToApprove(people: readonly Told[]): readonly string[] {
  if (!hasCode(people, 'forbidden')) return []
  const isLeft = ({ outcome }: Told) =>
    outcome.kind === 'not-sent' ||
    (outcome.kind === 'not-granted' && ['forbidden', 'busy', 'unreachable'].includes(outcome.code))
  return people.filter(isLeft).map(({ email }) => email)
}
