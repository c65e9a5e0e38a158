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

export interface Told {
  readonly email: string
  readonly outcome: PersonOutcome
}

/** What is asked of the service for each person, as the wish names them. */
export function requestsOf({ emails, ...rest }: Wish): readonly GrantRequest[] {
  return emails.map((email) => ({ ...rest, email }))
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
