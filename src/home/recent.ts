// Recent doings of one person, as the store knows them: look-ups, and containers they used. Data only.
import type { AlertLink } from '../alert/link.ts'
import type { Posted } from '../slack/outbound/message.ts'

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
