// Somebody watches an alert, stops, or asks what they watch.
import type { ConnectFirst } from '../account/connect-first.ts'
import { type Card, type Cards, isOpenTo } from '../alert/cards.ts'
import type { AfterLookUp, LookUps } from '../alert/look-up.ts'
import type { CardSettings } from '../alert/render/card.ts'
import { UserError } from '../errors.ts'
import type { AlertReads } from '../monitor/cache.ts'
import type { Alert } from '../monitor/schema.ts'
import type { From } from '../slack/guard/requests.ts'
import { type Clock, personKey, type SlackUser } from '../slack/ids.ts'
import type { Delivery, Place } from '../slack/outbound/delivery.ts'
import type { Message, Posted } from '../slack/outbound/message.ts'
import { type ChannelStyles, isQuiet } from '../slack/workspace/channels.ts'
import type { LinkOf } from '../slack/workspace/workspaces.ts'
import { createTurns } from '../work/turns.ts'
import { renderExtended, renderOffer, renderWatchedDirectly, renderWatches } from './render.ts'
import { mostLiveCards } from './timing.ts'
import type { Watches } from './watches.ts'

/** One person may have so many. */
const mostWatches = 20
const hourMs = 60 * 60_000

export interface Watching extends AfterLookUp {
  /** *Watch* on a card. */
  watch(from: From, cardId: string): Promise<void>
  /** *Watch* where the card cannot stay live: it does in the direct message with the bot. */
  watchCardDirectly(from: From, cardId: string): Promise<void>
  /** *Stop watching* on a card. */
  stop(from: From, cardId: string): Promise<void>
  /** Somebody's own, as a message. */
  list(owner: SlackUser): Promise<Message>
}

export function createWatching(room: {
  readonly watches: Watches
  readonly cards: Cards
  readonly channelStyles: Pick<ChannelStyles, 'of'>
  readonly reads: AlertReads
  readonly lookUps: LookUps
  readonly connectFirst: ConnectFirst
  readonly delivery: Delivery
  readonly linkOf: LinkOf
  readonly settings: CardSettings
  readonly ttlHours: number
  readonly now: Clock
  /** Something is due now. */
  readonly wake: () => void
}): Watching {
  const {
    watches,
    cards,
    channelStyles,
    reads,
    lookUps,
    connectFirst,
    delivery,
    linkOf,
    settings,
    ttlHours,
  } = room
  const { now, wake } = room

  const turns = createTurns()

  async function start({ asker, place }: From, card: Card, posted: Posted, alert: Alert): Promise<void> {
    if (alert.closedTimestamp !== null) throw new UserError(isClosed)
    const { workspaceId, userId, name } = asker
    await refuseWhenFull(workspaceId, card.id)
    const ttlMs = ttlHours * hourMs
    // No look equals it, so that the card is drawn at once.
    const shown = {
      alert: { ...alert, actions: [] },
      asOf: Math.floor(now() / 1000),
      isOverdue: false,
      look: '',
    }
    const watch = { workspaceId, cardId: card.id, posted, userId, name, ttlMs, shown }
    const started = await watches.start(watch, mostWatches)
    if (started === 'too-many') {
      const most = `You watch ${mostWatches} alerts already, and that is the most.`
      throw new UserError(`${most} Stop one of them first: /alert watches lists them.`)
    }
    wake()
    if (started === 'extended') await delivery.privately(place, renderExtended(ttlHours))
  }

  /** A card that is live already costs no more for one more who watches it. */
  async function refuseWhenFull(workspaceId: string, cardId: string): Promise<void> {
    if ((await watches.countLive(workspaceId)) < mostLiveCards) return
    if ((await watches.liveOf(workspaceId, cardId)) !== undefined) return
    throw new UserError(
      'This workspace has 1,000 live cards, the most that Slack lets Bellhop keep up to date. Stop one you no longer need: /alert watches lists yours.',
    )
  }

  async function findCard({ asker }: From, cardId: string): Promise<Card | undefined> {
    const card = await cards.find(asker.workspaceId, cardId)
    if (card === undefined) throw new UserError('This card is too old to be watched. Use /alert again.')
    return isOpenTo(asker, card) ? card : undefined
  }

  function withToken(from: From, card: Card, work: (token: string) => Promise<void>): Promise<void> {
    const wanted = { feature: 'watch', asked: 'alert', ks: card.ks, ask: { cardId: card.id } } as const
    return connectFirst.withToken(from, wanted, work)
  }

  /** Where the bot can change the card. */
  function standsAt({ form, posted }: Card, { channelId, pressedTs, threadTs }: Place): Posted | undefined {
    if (form === 'joined') return undefined
    if (posted !== undefined) return posted
    if (channelId === undefined || pressedTs === undefined) return undefined
    return { channelId, ts: pressedTs, threadTs }
  }

  /** What is shown already, or a new card in the direct message. */
  async function inDirect(from: From, token: string, ks: string, cardId: string | undefined) {
    const { workspaceId } = from.asker
    const before = cardId === undefined ? undefined : await cards.find(workspaceId, cardId)
    if (before?.posted !== undefined) {
      return { card: before, alert: await reads.read(personKey(from.asker), token, ks) }
    }
    // One that was kept and did not arrive, or whose bot was killed before it heard: it is shown anew.
    if (before !== undefined) await cards.forget(workspaceId, before.id)
    return lookUps.showDirectly(from, token, ks, cardId)
  }

  async function watchDirectly(from: From, token: string, ks: string, cardId?: string): Promise<void> {
    const { card, alert } = await inDirect(from, token, ks, cardId)
    const { posted } = card
    if (posted === undefined) throw new TypeError('a card was shown directly, and is not posted')
    await start(from, card, posted, alert)
    if (posted.channelId === from.place.channelId) return
    await delivery.privately(from.place, renderWatchedDirectly(await linkOf(from.asker.workspaceId, posted)))
  }

  /** A second press finds the card of the first, and waits for it. */
  function watchCardDirectly(from: From, token: string, { id, ks }: Card): Promise<void> {
    const directId = `${id}.${from.asker.userId}`
    return turns(directId, () => watchDirectly(from, token, ks, directId))
  }

  return {
    async watchShown(from, { card, alert }) {
      const posted = standsAt(card, from.place)
      if (posted !== undefined) return start(from, card, posted, alert)
      if (alert.closedTimestamp !== null) throw new UserError(isClosed)
      await delivery.privately(from.place, renderOffer(card.id, from.place.isDirect))
    },
    watchDirectly,
    async watch(from, cardId) {
      const card = await findCard(from, cardId)
      if (card === undefined) return
      // What a live card tells is told in its thread, to everybody.
      const isHushed = !card.isPrivate && (await isQuiet(channelStyles, from))
      const posted = isHushed ? undefined : standsAt(card, from.place)
      if (posted === undefined && !card.isPrivate && !isHushed) {
        return delivery.privately(from.place, renderOffer(cardId, from.place.isDirect))
      }
      await withToken(from, card, async (token) => {
        if (posted === undefined) return watchCardDirectly(from, token, card)
        const alert = await reads.fresh(personKey(from.asker), token, card.ks)
        await start(from, card, posted, alert)
      })
    },
    async watchCardDirectly(from, cardId) {
      const card = await findCard(from, cardId)
      if (card === undefined) return
      await withToken(from, card, (token) => watchCardDirectly(from, token, card))
    },
    async stop(from, cardId) {
      const { workspaceId, userId, name } = from.asker
      const card = await findCard(from, cardId)
      if (card === undefined) return
      const stopped = { kind: 'stopped', by: name } as const
      if (await watches.end(workspaceId, cardId, userId, stopped)) return wake()
      const watchers = await watches.watchersOf(workspaceId, cardId)
      if (watchers.length === 0) throw new UserError('Nobody watches this card any more.')
      if (card.asker.userId !== userId) {
        const names = new Set([...watchers.map((watcher) => watcher.name), card.askerName])
        throw new UserError(`You do not watch this card; ${[...names].join(' or ')} can stop it.`)
      }
      await watches.end(workspaceId, cardId, undefined, stopped)
      wake()
    },
    async list(owner) {
      const own = await watches.listOf(owner)
      const listed = await Promise.all(
        own.map(async (one) => ({ ...one, link: await linkOf(owner.workspaceId, one.posted) })),
      )
      return renderWatches(settings, listed)
    },
  }
}

const isClosed = 'This alert is closed, so there is nothing left to watch.'
