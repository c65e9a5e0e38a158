// The room of watches: what keeping cards live, and asking for it, need of the rest of the house, declared once.
import type { AskRoom } from '../account/connect-first.ts'
import type { AccountRoom } from '../account/room.ts'
import type { Tokens } from '../account/tokens.ts'
import type { Cards, ReaderRoom } from '../alert/cards.ts'
import type { CardSettings } from '../alert/render/card.ts'
import type { AlertRoom, CallOthersIfClosed } from '../alert/room.ts'
import type { Log } from '../log/log.ts'
import type { Monitor } from '../monitor/client.ts'
import type { NamesRoom } from '../names/room.ts'
import type { Clock, PerWorkspace } from '../slack/ids.ts'
import type { Delivery } from '../slack/outbound/delivery.ts'
import type { Outbound } from '../slack/outbound/outbound.ts'
import type { Pace } from '../slack/outbound/pace.ts'
import type { LinkOf } from '../slack/slack.ts'
import type { SharedChannels } from '../slack/workspace/channels.ts'
import type { Turns } from '../work/turns.ts'
import type { Work } from '../work/under-way.ts'
import type { Poller } from './poller.ts'
import type { Updates } from './updates.ts'
import type { Watches } from './watches.ts'

/** What a look at a live card needs: nobody asks for it. */
export interface LookRoom extends ReaderRoom {
  readonly watches: Watches
  readonly cards: Cards
  /** To ask a watcher for another token. */
  readonly account: AskRoom
  readonly tokens: Pick<Tokens, 'find'>
  readonly monitor: Pick<Monitor, 'readAlert'>
  readonly names: NamesRoom
  readonly work: Pick<Work, 'track'>
  readonly sharedChannels: PerWorkspace<Pick<SharedChannels, 'wasShared'>>
  readonly outbound: PerWorkspace<Pick<Outbound, 'post' | 'reply' | 'updateOnce'>>
  /** Of messages in a channel. */
  readonly pace: Pace
  /** Of drawings in a workspace. */
  readonly updates: Updates
  readonly linkOf: LinkOf
  readonly callOthersIfClosed: CallOthersIfClosed
  /** Between two looks at a card. */
  readonly intervalMs: number
  /** For so long somebody watches. */
  readonly ttlHours: number
  readonly settings: CardSettings
  readonly log: Log
  readonly now: Clock
}

export interface WatchRoom extends LookRoom {
  readonly account: AccountRoom
  readonly alert: AlertRoom
  readonly poller: Poller
  readonly sharedChannels: PerWorkspace<SharedChannels>
  readonly delivery: Delivery
  readonly outbound: PerWorkspace<Outbound>
  /** Of cards that somebody wants live. */
  readonly turns: Turns
  readonly wait: (ms: number) => Promise<void>
}
