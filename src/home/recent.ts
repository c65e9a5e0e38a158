// Recent doings of one person, as the store knows them: look-ups, and containers they used. Data only.
import type { AlertLink } from '../alert/link.ts'
import type { SlackUser } from '../slack/ids.ts'
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

export interface Recent {
  /** The last look-ups, newest first. */
  lookUpsOf(owner: SlackUser, most: number): Promise<readonly LookedUp[]>
  /** Containers of the last grants that were sent, newest first, each once; those that there are not are left out. */
  containersOf(owner: SlackUser, most: number): Promise<readonly number[]>
  /** Keys of the last look-ups, newest first; those that were asked for twice are there twice. */
  keysOf(owner: SlackUser, most: number): Promise<readonly string[]>
}
