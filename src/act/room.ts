// The room of acting on alerts: commenting and closing, and what that needs of the rest of the house.
import type { AccountRoom } from '../account/room.ts'
import type { AlertRoom } from '../alert/room.ts'
import type { SendRoom } from '../send/room.ts'
import type { Delivery } from '../slack/outbound/delivery.ts'
import type { PerWorkspace } from '../slack/per-workspace.ts'
import type { SharedChannels } from '../slack/workspace/channels.ts'
import type { People } from '../slack/workspace/people.ts'

export interface ActRoom {
  readonly send: SendRoom
  readonly account: AccountRoom
  readonly alert: AlertRoom
  readonly delivery: Delivery
  /** Whom a text mentions, and who wrote it. */
  readonly people: PerWorkspace<Pick<People, 'nameOf'>>
  readonly sharedChannels: PerWorkspace<Pick<SharedChannels, 'isShared' | 'wasShared'>>
}
