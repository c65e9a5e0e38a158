// Links of alerts and the keys they were found to lead to: the port of the store that remembers them.
import type { SlackUser } from '../slack/ids.ts'
import type { AlertLink } from './link.ts'

/**
 * Each was found with somebody's token, and is remembered for that person alone: what one may see, another may not.
 */
export interface KnownLinks {
  /** Undefined when this person's token was never given a key for it. */
  keyOf(owner: SlackUser, link: AlertLink): Promise<string | undefined>
  /** The link that was last found to lead to this key. @param ks - As the service writes it. */
  linkTo(owner: SlackUser, ks: string): Promise<AlertLink | undefined>
  /** Replaces what was known of this link. */
  keep(owner: SlackUser, link: AlertLink, ks: string): Promise<void>
  /** Forgets all of one person's. */
  forget(owner: SlackUser): Promise<void>
  forgetWorkspace(workspaceId: string): Promise<void>
  /** Forgets what was kept before this time (milliseconds since 1970). */
  prune(before: number): Promise<void>
}
