// The room of acting on alerts: assigning, commenting and closing, and what that needs of the rest of the house.
import type { AccountRoom } from '../account/room.ts'
import type { AlertRoom } from '../alert/room.ts'
import type { NamesRoom } from '../names/room.ts'
import type { SendRoom } from '../send/room.ts'
import type { Delivery } from '../slack/outbound/delivery.ts'
import type { PerWorkspace } from '../slack/per-workspace.ts'
import type { SharedChannels } from '../slack/workspace/channels.ts'
import type { People } from '../slack/workspace/people.ts'
import type { Suggesting } from '../slack/workspace/suggesting.ts'

export interface ActRoom {
  readonly send: SendRoom
  readonly account: AccountRoom
  readonly alert: AlertRoom
  readonly delivery: Delivery
  /** Whom a text mentions, and who wrote it. */
  readonly people: PerWorkspace<Pick<People, 'nameOf' | 'identityOf'>>
  readonly sharedChannels: PerWorkspace<Pick<SharedChannels, 'isShared' | 'wasShared'>>
  readonly names: NamesRoom
  /** How Slack lets forms suggest; undefined where they never do. */
  readonly suggesting: Pick<Suggesting, 'mode'> | undefined
}
