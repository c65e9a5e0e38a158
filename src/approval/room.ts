// The room of approvals: what its operations are given of the rest of the house, and of who pressed, declared once.
import type { LinkRoom } from '../account/links.ts'
import type { Tokens } from '../account/tokens.ts'
import type { Audit } from '../audit/audit.ts'
import type { ReasonByEmail } from '../grant/render/explain.ts'
import type { Roles } from '../grant/roles.ts'
import type { Log } from '../log/log.ts'
import type { SendRoom } from '../send/room.ts'
import type { From } from '../slack/guard/requests.ts'
import type { PerWorkspace, SlackUser } from '../slack/ids.ts'
import type { Delivery } from '../slack/outbound/delivery.ts'
import type { Outbound } from '../slack/outbound/outbound.ts'
import type { LinkOf } from '../slack/slack.ts'
import type { MentionIds } from '../slack/text/mrkdwn.ts'
import type { Channels, SharedChannels } from '../slack/workspace/channels.ts'
import type { People } from '../slack/workspace/people.ts'
import type { Approvals } from './approvals.ts'

export interface ApprovalRoom {
  readonly approvals: Approvals
  readonly send: SendRoom
  readonly tokens: Pick<Tokens, 'find' | 'hashOf'>
  readonly people: PerWorkspace<Pick<People, 'profileOf' | 'idOf'>>
  /** The page where somebody gives their token; undefined where there is none. */
  readonly page: LinkRoom | undefined
  readonly delivery: Pick<Delivery, 'privately'>
  readonly outbound: PerWorkspace<Pick<Outbound, 'post' | 'update' | 'openView'>>
  /** Requests go to the chosen one; else to the channel of the command. */
  readonly channels: Channels
  /** Who is mentioned with each request. */
  readonly mention: MentionIds
  readonly sharedChannels: PerWorkspace<SharedChannels>
  readonly linkOf: LinkOf
  /** “Customer 1 (12)”, raw, where this person’s token has shown the name. Asks the service nothing. */
  readonly containerWords: (owner: SlackUser, containerId: number) => Promise<string | undefined>
  readonly audit: Pick<Audit, 'record'>
  readonly settings: {
    /** A request stays open for so long. */
    readonly ttlHours: number
    readonly roles: Roles
  }
  readonly log: Log
}

/**
 * A press on a button about a request. Its `asker` is whoever pressed, a colleague perhaps; that of an `Approval` has
 * asked for it.
 */
export interface Press extends From {
  /** The button is on the card that everybody sees, not on a message of the person's own. */
  readonly isCard: boolean
  /** What the service has just said to the presser's own token, for them alone. */
  readonly reasons?: ReasonByEmail
}
