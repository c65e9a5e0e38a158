// The room of granting: what it needs of the rest of the house, declared once.
import type { AccountRoom } from '../account/room.ts'
import type { Audit } from '../audit/audit.ts'
import type { Log } from '../log/log.ts'
import type { SendRoom } from '../send/room.ts'
import type { Clock, PerWorkspace, SlackUser } from '../slack/ids.ts'
import type { Delivery } from '../slack/outbound/delivery.ts'
import type { Outbound } from '../slack/outbound/outbound.ts'
import type { People } from '../slack/workspace/people.ts'
import type { Flag } from './flags.ts'
import type { KnownContainer } from './form/container.ts'
import type { GrantSettings } from './roles.ts'

export interface GrantRoom {
  readonly send: SendRoom
  readonly account: AccountRoom
  readonly delivery: Delivery
  readonly outbound: PerWorkspace<Pick<Outbound, 'openView' | 'updateView'>>
  readonly people: PerWorkspace<People>
  readonly audit: Pick<Audit, 'record'>
  readonly settings: GrantSettings
  /** A wish with one of these is not sent before a colleague has approved it. */
  readonly approvalFlags: readonly Flag[]
  /** Whether the form suggests containers. */
  readonly suggests: boolean
  /** Containers that this person has used themselves, the likeliest first. Nothing in it is from another's token. */
  readonly knownContainers: (owner: SlackUser) => Promise<readonly KnownContainer[]>
  /**
   * “Customer 1 (12)”, raw, where this person’s token has shown the name, and for a channel none that another organisation
   * reads. Asks the service nothing.
   */
  readonly containerWords: (
    owner: SlackUser,
    containerId: number,
    channelId?: string,
  ) => Promise<string | undefined>
  /** Has the name read in the background where it isn’t known: at most once in ten minutes. */
  readonly learnContainer: (owner: SlackUser, token: string, containerId: number) => void
  readonly log: Log
  readonly now: Clock
}
