// The room of acting on alerts: what acting, and what follows it, needs of the rest of the house.
import type { AccountRoom } from '../account/room.ts'
import type { AlertRoom } from '../alert/room.ts'
import type { NamesRoom } from '../names/room.ts'
import type { SendRoom } from '../send/room.ts'
import type { PerWorkspace, SlackUser } from '../slack/ids.ts'
import type { Delivery } from '../slack/outbound/delivery.ts'
import type { Pace } from '../slack/outbound/pace.ts'
import type { LinkOf } from '../slack/slack.ts'
import type { SharedChannels } from '../slack/workspace/channels.ts'
import type { People } from '../slack/workspace/people.ts'

export interface ActRoom {
  readonly send: SendRoom
  readonly account: AccountRoom
  readonly alert: AlertRoom
  readonly names: NamesRoom
  readonly reopenings: Reopenings
  /** Something happened to these alerts: their live cards are looked at now. */
  readonly makeDue: (workspaceId: string, keys: readonly string[]) => Promise<void>
  /** Whom a text mentions, who wrote it, and who gets an alert. */
  readonly people: PerWorkspace<Pick<People, 'hasLeft' | 'identityOf' | 'nameOf'>>
  readonly sharedChannels: PerWorkspace<Pick<SharedChannels, 'isShared' | 'wasShared'>>
  readonly linkOf: LinkOf
  /** Of messages in a channel that nobody waits for. */
  readonly pace: Pace
  readonly delivery: Delivery
  /** Whether forms suggest containers and people. */
  readonly suggests: boolean
}

/** Somebody closed the alert of a card, and hears when it opens again. */
export interface Reopening extends SlackUser {
  readonly cardId: string
}

/** Store of closed alerts that are looked at for a while. Each step is atomic across processes. */
export interface Reopenings {
  /** In place of what was kept of this card. */
  keep(of: Reopening, how: { readonly forMs: number; readonly inMs: number }): Promise<void>
  /** Nobody else looks within this time; then it is due. */
  renew(one: Reopening, ms: number): Promise<void>
  end(one: Reopening): Promise<void>
  /** Ends all of a person’s. */
  endAllOf(owner: SlackUser): Promise<void>
  /** Those that are due, each handed to one caller; again after `leaseMs`. Those whose time is over end. */
  claim(leaseMs: number): Promise<readonly Reopening[]>
  forgetWorkspace(workspaceId: string): Promise<void>
}
