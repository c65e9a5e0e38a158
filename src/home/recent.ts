// Recent requests of one person, as the store knows them: look-ups and grants. Data only.
import type { AlertLink } from '../alert/link.ts'
import type { SendOutcome } from '../send/outcome.ts'
import type { Posted } from '../slack/outbound/message.ts'

/** What became of one person. */
export type GrantEnd = SendOutcome['kind'] | 'under-way'

export interface LookedUp {
  /** Milliseconds since 1970, here and below. */
  readonly at: number
  readonly ks: string
  /** The alert's message as it was then, shortened; raw. */
  readonly title: string
  /** Where its card stands; undefined when Slack did not say. */
  readonly posted: Posted | undefined
  /** The alert's web link, as its card has it. */
  readonly alertLink?: AlertLink | undefined
}

export interface GrantedLately {
  /** When it was asked. */
  readonly at: number
  readonly containerId: number
  /** Flag names of the contract; may be empty. */
  readonly permissions: readonly string[]
  /** At least one, in the order in which they were typed. */
  readonly people: readonly { readonly email: string; readonly end: GrantEnd }[]
}
