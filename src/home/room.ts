// The room of the Home tab: what showing somebody what is theirs needs of the rest of the house, declared once.
import type { Tokens } from '../account/tokens.ts'
import type { CardSettings } from '../alert/render/card.ts'
import type { Log } from '../log/log.ts'
import type { Gate } from '../slack/gate/gate.ts'
import type { Clock, PerWorkspace, SlackUser } from '../slack/ids.ts'
import type { Outbound } from '../slack/outbound/outbound.ts'
import type { LinkOf } from '../slack/slack.ts'
import type { People } from '../slack/workspace/people.ts'
import type { Scopes } from '../slack/workspace/scopes.ts'
import type { WatchRoom } from '../watch/room.ts'
import type { Turns } from '../work/turns.ts'
import type { Recent } from './recent.ts'
import type { OwnLink, ShownRequest } from './render.ts'

export interface HomeRoom {
  readonly tokens: Pick<Tokens, 'since' | 'forget'>
  readonly watch: WatchRoom
  readonly recent: Recent
  /** Somebody's own that are open. Supplied by whoever knows of approvals, like the next. */
  readonly ownRequests: (owner: SlackUser) => Promise<readonly ShownRequest[]>
  /** Those of others that somebody can read already. */
  readonly waitingRequests: (reader: SlackUser) => Promise<readonly ShownRequest[]>
  /** Names the access that flags give, in a few words, raw. Supplied by whoever knows of grants. */
  readonly accessWords: (permissions: readonly string[]) => string
  /** “Customer 1 (12)”, raw, where this person’s token has shown the name. Asks the service nothing. */
  readonly containerWords: (owner: SlackUser, containerId: number) => Promise<string | undefined>
  /** Who somebody is at the service, as they can see it; asks it nothing. Undefined where nobody knows, or must not. */
  readonly ownLink: (owner: SlackUser) => Promise<OwnLink | undefined>
  readonly forgetLink: (owner: SlackUser) => Promise<void>
  readonly linkOf: LinkOf
  readonly outbound: PerWorkspace<Pick<Outbound, 'publishHome'>>
  readonly people: PerWorkspace<Pick<People, 'writerOf'>>
  readonly scopes: PerWorkspace<Pick<Scopes, 'isOn'>>
  readonly gate: Pick<Gate, 'chargeSilently'>
  /** Of one person's tab. */
  readonly turns: Turns
  /** Whoever has had the tab open since the start, those who opened it longest ago first. */
  readonly opened: Set<string>
  readonly settings: CardSettings
  readonly log: Log
  readonly now: Clock
}
