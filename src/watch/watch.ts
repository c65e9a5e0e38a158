// The room put together: what people ask of watches, and the poller that keeps cards live.
import { z } from 'zod'
import type { ConnectFirst, Resumed } from '../account/connect-first.ts'
import type { Tokens } from '../account/tokens.ts'
import type { Cards } from '../alert/cards.ts'
import type { LookUps } from '../alert/look-up.ts'
import type { CardSettings } from '../alert/render/card.ts'
import type { ThreadNews } from '../alert/thread-news.ts'
import type { Log } from '../log/log.ts'
import type { AlertReads } from '../monitor/cache.ts'
import type { Monitor } from '../monitor/client.ts'
import type { From } from '../slack/guard/requests.ts'
import type { Clock, SlackUser } from '../slack/ids.ts'
import type { Delivery } from '../slack/outbound/delivery.ts'
import type { Outbound } from '../slack/outbound/outbound.ts'
import { createPace } from '../slack/outbound/pace.ts'
import type { PerWorkspace } from '../slack/per-workspace.ts'
import type { ChannelStyles, Sharing } from '../slack/workspace/channels.ts'
import type { LinkOf } from '../slack/workspace/workspaces.ts'
import { createInform } from './conclude.ts'
import { createFind } from './find.ts'
import { createLook } from './look.ts'
import { createLookForBehind, createPoller, type Poller } from './poller.ts'
import { createPromises, createTiming } from './timing.ts'
import { createUpdates } from './updates.ts'
import type { Watches } from './watches.ts'
import { createWatching, type Watching } from './watching.ts'

const waited = z.object({ cardId: z.string() })

export interface WatchSettings {
  readonly intervalMs: number
  readonly ttlHours: number
  /** For tests: how often the store is asked for what is due. */
  readonly tickMs?: number | undefined
  /** For tests: pauses between those. */
  readonly sleep?: ((ms: number) => Promise<void>) | undefined
  /** For tests: what leases and pauses are measured with. Default: `performance.now`, which never jumps. */
  readonly monotonic?: (() => number) | undefined
  /** For tests: from 0 up to, not including, 1. */
  readonly random?: () => number
}

export interface Watch {
  readonly watching: Watching
  readonly poller: Pick<Poller, 'start' | 'stop'>
  /** For how long a live card of this workspace can be trusted when it is drawn now, in milliseconds. */
  goodForMs(workspaceId: string): Promise<number>
  /** Somebody else has changed a message. @param askedSeconds - Slack has asked to wait with that. */
  noteUpdate(workspaceId: string, askedSeconds: number | undefined): void
  /** Goes on with a *Watch* that waited for an account. */
  resume(from: From, resumed: Resumed): Promise<void>
  /** Ends all watches of somebody who has no account any more. */
  forget(owner: SlackUser): Promise<void>
  /** Slack says that a channel is shared with somebody else now: where that is another organisation, all ends there. */
  becameShared(workspaceId: string, channelId: string): Promise<void>
}

export function createWatch(
  room: {
    readonly watches: Watches
    readonly cards: Cards
    readonly channelStyles: Pick<ChannelStyles, 'of'>
    readonly tokens: Tokens
    readonly reads: AlertReads
    readonly monitor: Pick<Monitor, 'readAlert'>
    readonly lookUps: LookUps
    readonly threadNews: ThreadNews
    readonly connectFirst: ConnectFirst
    readonly delivery: Delivery
    readonly outbound: PerWorkspace<Outbound>
    readonly linkOf: LinkOf
    readonly sharing: PerWorkspace<Sharing>
    readonly cardSettings: CardSettings
    readonly log: Log
    readonly now: Clock
    readonly wait: (ms: number) => Promise<void>
  },
  settings: WatchSettings,
): Watch {
  const { watches, cardSettings } = room
  const { intervalMs, ttlHours, random = Math.random } = settings
  const { monotonic = () => performance.now() } = settings
  const updates = createUpdates(monotonic)
  const promises = createPromises((workspaceId) => watches.countLive(workspaceId), intervalMs, monotonic)
  const look = createLook({
    ...room,
    updates,
    promises,
    find: createFind(room),
    inform: createInform(room),
    pace: createPace(monotonic, room.wait),
    timing: createTiming(intervalMs, random),
    settings: cardSettings,
  })
  const lookForBehind = createLookForBehind({ ...room, updates, monotonic })
  const poller = createPoller({ ...room, updates, look, lookForBehind }, settings)
  const watching = createWatching({ ...room, settings: cardSettings, ttlHours, wake: poller.wake })
  return {
    watching,
    poller,
    goodForMs: async (workspaceId) => (await promises.of(workspaceId)).goodForMs,
    noteUpdate(workspaceId, askedSeconds) {
      if (askedSeconds === undefined) updates.count(workspaceId)
      else updates.busy(workspaceId, askedSeconds)
    },
    // However long it has waited: somebody who was told at night connects in the morning.
    resume: (from, { ask }) => watching.watch(from, waited.parse(ask).cardId),
    async forget(owner) {
      await watches.endAllOf(owner, { kind: 'disconnected' })
      poller.wake()
    },
    async becameShared(workspaceId, channelId) {
      // Among workspaces of one organisation as well, where nobody else reads.
      if ((await room.sharing.in(workspaceId).isShared(channelId)) === false) return
      await watches.endAllIn(workspaceId, channelId, { kind: 'shared' })
      poller.wake()
    },
  }
}
