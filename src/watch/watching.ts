// Somebody watches an alert, stops, or asks what they watch.

import type { z } from 'zod'
import { type Resumed, type WaitedFor, withToken } from '../account/connect-first.ts'
import { type Card, cardFor } from '../alert/cards.ts'
import type { Lookup } from '../alert/input.ts'
import { waitingLookUp } from '../alert/look-up.ts'
import {
  ofCard,
  readForAsker,
  type Shown,
  sayingWhenSlow,
  showDirectly,
  showWhereAsked,
} from '../alert/show.ts'
import { UserError } from '../errors.ts'
import type { Alert } from '../monitor/schema.ts'
import type { From } from '../slack/guard/requests.ts'
import { isDirectId, type SlackUser } from '../slack/ids.ts'
import type { Place } from '../slack/outbound/delivery.ts'
import type { Message, Posted } from '../slack/outbound/message.ts'
import {
  type ListedWatch,
  renderOffer,
  renderWatchedDirectly,
  renderWatches,
  renderWatching,
  type Watching,
} from './render.ts'
import type { WatchRoom } from './room.ts'
import { mostLiveCards } from './updates.ts'
import type { Ended, Watcher } from './watches.ts'

/** One person may have so many. */
const mostWatches = 20
const hourMs = 60 * 60_000
const minuteMs = 60_000
/** A second press within this time means the same as the first. */
const pressedTwiceMs = 10_000
const isClosed = 'This alert is closed, so there’s nothing left to watch.'

/** `/alert <key> watch`: shows the alert where it was asked and watches it there, or in the direct message with the bot. */
export function lookUpWatched(room: WatchRoom, from: From, lookup: Lookup): Promise<void> {
  return withToken(room.account, from, waitingLookUp(lookup), async (token) => {
    if (lookup.isPrivate) return watchDirectlyInTurn(room, from, token, lookup.ks)
    // Two who ask at the same moment get one live card.
    await inTurn(room, from, `watch ${from.place.channelId} ${lookup.ks}`, async () => {
      const live = await liveIn(room, from, lookup)
      if (live !== undefined && (await join(room, from, token, live, lookup.ks))) return
      await watchShown(room, from, await showWhereAsked(room.alert, from, token, lookup))
    })
  })
}

/** Between two looks whether another process is done. */
const pauseMs = 500
/** A process that takes longer to show a card is taken for dead. */
const showingMs = 30_000

/** Works while nobody else works under this key, in whichever process: a second press finds the card of the first. */
function inTurn(room: WatchRoom, { asker }: From, key: string, work: () => Promise<void>): Promise<void> {
  const { workspaceId } = asker
  const { once } = room.alert
  return room.turns(JSON.stringify([workspaceId, key]), async () => {
    while (!(await once.claim(workspaceId, key, showingMs))) await room.wait(pauseMs)
    const claimedAt = room.now()
    try {
      await work()
    } finally {
      // After that time it may be somebody else's. One that can't be released ends by itself.
      if (room.now() - claimedAt < showingMs) await once.release(workspaceId, key).catch(() => undefined)
    }
  })
}

type Live = NonNullable<Awaited<ReturnType<WatchRoom['watches']['liveCardOf']>>>

/** A live card of this alert where somebody wants one: in the channel, or in their own direct messages. */
async function liveIn(
  { watches }: WatchRoom,
  { asker, place }: From,
  { ks, isPrivate }: Pick<Lookup, 'ks' | 'isPrivate'>,
): Promise<Live | undefined> {
  const { workspaceId, userId } = asker
  if (isPrivate) return watches.liveCardOf(workspaceId, [ks], { ownerId: userId })
  const { channelId } = place
  return channelId === undefined ? undefined : watches.liveCardOf(workspaceId, [ks], { channelId })
}

/** Watches the card that is live already, and leads there. False when there is nothing to watch. */
async function join(room: WatchRoom, from: From, token: string, live: Live, ks: string): Promise<boolean> {
  const { workspaceId, cardId, posted } = live
  const card = await room.cards.find(workspaceId, cardId)
  if (card === undefined) return false
  const reading = readForAsker(room.alert, from.asker, token, ks)
  const alert = await sayingWhenSlow(room.alert, from, { ks, answer: 'here' }, reading)
  room.callOthersIfClosed(workspaceId, alert, { ks })
  if (alert.closedTimestamp !== null) return false
  const started = await start(room, from, card, posted, alert)
  if (started === 'extended' && !(await isFirstInAMinute(room, from, cardId))) return true
  const link = await room.linkOf(workspaceId, posted)
  const isLiveDirectly =
    (card.isPrivate || isDirectId(posted.channelId)) && posted.channelId !== from.place.channelId
  const answer = isLiveDirectly
    ? renderWatchedDirectly(link)
    : renderWatching(watching(room, cardId, { link }))
  await room.delivery.privately(from.place, answer)
  return true
}

function watching(
  { now, ttlHours }: WatchRoom,
  cardId: string,
  elsewhere?: { readonly link: string | undefined },
): Watching {
  return { cardId, until: now() + ttlHours * hourMs, elsewhere }
}

/** Somebody presses again and again: they are answered once. */
function isFirstInAMinute({ alert }: WatchRoom, { asker }: From, cardId: string): Promise<boolean> {
  return alert.once.claim(asker.workspaceId, `watching ${asker.userId} ${cardId}`, minuteMs)
}

/** *Watch* on a card. */
export async function watchCard(room: WatchRoom, from: From, cardId: string): Promise<void> {
  const card = await findCard(room, from, cardId)
  if (card === undefined) return
  const posted = standsAt(card, from.place)
  if (posted === undefined && !card.isPrivate) {
    return room.delivery.privately(from.place, renderOffer(cardId, from.place.isDirect))
  }
  await withToken(room.account, from, waitingWatch(card), async (token) => {
    if (posted === undefined) return watchCardInTurn(room, from, token, card)
    const live = await liveIn(room, from, card)
    const isElsewhere = live !== undefined && live.cardId !== cardId
    if (isElsewhere && (await join(room, from, token, live, card.ks))) return
    const reading = room.monitor.readAlert(token, card.ks)
    const alert = await sayingWhenSlow(room.alert, from, { ks: card.ks, answer: 'here' }, reading)
    room.callOthersIfClosed(from.asker.workspaceId, alert, { ks: card.ks })
    await startAndAnswer(room, from, card, posted, alert)
  })
}

/** Who watches it already hears until when. */
async function startAndAnswer(
  room: WatchRoom,
  from: From,
  card: Card,
  posted: Posted,
  alert: Alert,
): Promise<void> {
  const started = await start(room, from, card, posted, alert)
  if (started === 'started' || !(await isFirstInAMinute(room, from, card.id))) return
  await room.delivery.privately(from.place, renderWatching(watching(room, card.id)))
}

/** *Watch* where the card cannot stay live: it does in the direct message with the bot. */
export async function watchCardDirectly(room: WatchRoom, from: From, cardId: string): Promise<void> {
  const card = await findCard(room, from, cardId)
  if (card === undefined) return
  await withToken(room.account, from, waitingWatch(card), (token) => watchCardInTurn(room, from, token, card))
}

function waitingWatch({ id, ks }: Card): WaitedFor {
  const ask: z.infer<typeof ofCard> = { cardId: id }
  return { feature: 'watch', ks, ask }
}

/** However long it has waited: somebody who was told at night connects in the morning. */
export function resumeWatch(room: WatchRoom, from: From, { ask }: Resumed): Promise<void> {
  return watchCard(room, from, ofCard.parse(ask).cardId)
}

/** *Stop watching* on a card: whoever asked for the card, and does not watch it, ends it for all. */
export async function stopWatching(room: WatchRoom, from: From, cardId: string): Promise<void> {
  const { watches, poller } = room
  const { workspaceId, userId } = from.asker
  const card = await findCard(room, from, cardId)
  if (card === undefined) return
  const stopping = `stopping ${userId} ${cardId}`
  await room.turns(stopping, async () => {
    const isFirst = await room.alert.once.claim(workspaceId, stopping, pressedTwiceMs)
    const watchers = await stopOwn(room, from, cardId)
    if (watchers.length === 0) return
    if (card.asker.userId !== userId) {
      const names = new Set([...watchers.map((watcher) => watcher.name), card.askerName])
      throw new UserError(
        `You aren’t watching this alert. Only ${[...names].join(' or ')} can stop this card from updating.`,
      )
    }
    // They have just stopped their own: nobody else's is meant.
    if (!isFirst) return
    await watches.end(workspaceId, cardId, undefined, stoppedBy(from))
    poller.wake()
  })
}

/** *Stop watching* in an answer or a list: one's own watch alone, and nothing when it has ended already. */
export async function stopWatchingAlone(room: WatchRoom, from: From, cardId: string): Promise<void> {
  if ((await findCard(room, from, cardId)) !== undefined) await stopOwn(room, from, cardId)
}

/**
 * Ends the watch of whoever asks.
 * @returns Who watches, when that is others alone; nobody when a watch was ended.
 * @throws UserError when nobody watches.
 */
async function stopOwn(
  { watches, poller }: WatchRoom,
  from: From,
  cardId: string,
): Promise<readonly Watcher[]> {
  const { workspaceId, userId } = from.asker
  if (await watches.end(workspaceId, cardId, userId, stoppedBy(from))) {
    poller.wake()
    return []
  }
  const watchers = await watches.watchersOf(workspaceId, cardId)
  if (watchers.length === 0) throw new UserError('Nobody is watching this card any more.')
  return watchers
}

function stoppedBy({ asker }: From): Ended {
  return { kind: 'stopped', by: asker.name }
}

/** Somebody's own, as a message. */
export async function listWatches(
  room: Pick<WatchRoom, 'watches' | 'linkOf' | 'settings'>,
  owner: SlackUser,
): Promise<Message> {
  return renderWatches(room.settings, await ownWatches(room, owner))
}

/** Somebody's own, oldest first. */
export async function ownWatches(
  { watches, linkOf }: Pick<WatchRoom, 'watches' | 'linkOf'>,
  owner: SlackUser,
): Promise<readonly ListedWatch[]> {
  const own = await watches.listOf(owner)
  return Promise.all(
    own.map(async (one) => {
      const { channelId } = one.posted
      return { ...one, channelId, link: await linkOf(owner.workspaceId, one.posted) }
    }),
  )
}

/** Ends all watches of somebody who has no account any more. */
export async function endWatchesOf(
  { watches, poller }: Pick<WatchRoom, 'watches' | 'poller'>,
  owner: SlackUser,
): Promise<void> {
  await watches.endAllOf(owner, { kind: 'disconnected' })
  poller.wake()
}

/** Slack says that a channel is shared with somebody else now: where that is another organisation, all ends there. */
export async function endWhereShared(
  { watches, sharedChannels, poller }: WatchRoom,
  workspaceId: string,
  channelId: string,
): Promise<void> {
  const isShared = await sharedChannels.in(workspaceId).isShared(channelId)
  // Among workspaces of one organisation as well, where nobody else reads.
  if (isShared === false) return
  const isUnsaid = isShared === undefined ? true : undefined
  await watches.endAllIn(workspaceId, channelId, { kind: 'shared', isUnsaid })
  poller.wake()
}

function findCard(room: WatchRoom, { asker }: From, cardId: string): Promise<Card | undefined> {
  return cardFor(room, asker, cardId, 'This card is too old to watch. Use /alert again.')
}

/** Where the bot can change the card. */
function standsAt({ layout, posted }: Card, { channelId, pressedTs, threadTs }: Place): Posted | undefined {
  if (layout === 'one-message') return undefined
  if (posted !== undefined) return posted
  if (channelId === undefined || pressedTs === undefined) return undefined
  return { channelId, ts: pressedTs, threadTs }
}

/** The card is in place, and is to be watched. */
async function watchShown(room: WatchRoom, from: From, { card, alert }: Shown): Promise<void> {
  const posted = standsAt(card, from.place)
  if (posted !== undefined) return startAndAnswer(room, from, card, posted, alert)
  if (alert.closedTimestamp !== null) throw new UserError(isClosed)
  await room.delivery.privately(from.place, renderOffer(card.id, from.place.isDirect))
}

/** A second press shows the same card. */
function watchCardInTurn(room: WatchRoom, from: From, token: string, { id, ks }: Card): Promise<void> {
  return watchDirectlyInTurn(room, from, token, ks, `${id}.${from.asker.userId}`)
}

function watchDirectlyInTurn(
  room: WatchRoom,
  from: From,
  token: string,
  ks: string,
  cardId?: string,
): Promise<void> {
  const key = `watch-directly ${from.asker.userId} ${ks}`
  return inTurn(room, from, key, () => watchDirectly(room, from, token, ks, cardId))
}

/** Shows an alert in the direct message with the bot and watches it there. */
async function watchDirectly(
  room: WatchRoom,
  from: From,
  token: string,
  ks: string,
  cardId?: string,
): Promise<void> {
  const live = await liveIn(room, from, { ks, isPrivate: true })
  const isElsewhere = live !== undefined && live.cardId !== cardId
  if (isElsewhere && (await join(room, from, token, live, ks))) return
  const { card, alert } = await inDirect(room, from, token, ks, cardId)
  const { posted } = card
  if (posted === undefined) throw new TypeError('a card was shown directly, and is not posted')
  if (posted.channelId === from.place.channelId) return startAndAnswer(room, from, card, posted, alert)
  const started = await start(room, from, card, posted, alert)
  if (started === 'extended' && !(await isFirstInAMinute(room, from, card.id))) return
  const link = await room.linkOf(from.asker.workspaceId, posted)
  await room.delivery.privately(from.place, renderWatchedDirectly(link))
}

/** What is shown already, or a new card in the direct message. */
async function inDirect(
  { cards, monitor, alert }: WatchRoom,
  from: From,
  token: string,
  ks: string,
  cardId: string | undefined,
): Promise<Pick<Shown, 'card' | 'alert'>> {
  const { workspaceId } = from.asker
  const before = cardId === undefined ? undefined : await cards.find(workspaceId, cardId)
  if (before?.posted !== undefined) {
    return { card: before, alert: await monitor.readAlert(token, ks) }
  }
  // One that was kept and did not arrive, or whose bot was killed before it heard: it is shown anew.
  if (before !== undefined) await cards.forget(workspaceId, before.id)
  return showDirectly(alert, from, token, ks, cardId)
}

async function start(
  room: WatchRoom,
  { asker }: From,
  card: Card,
  posted: Posted,
  alert: Alert,
): Promise<'started' | 'extended'> {
  if (alert.closedTimestamp !== null) throw new UserError(isClosed)
  const { watches, ttlHours } = room
  const { workspaceId, userId, name } = asker
  await refuseWhenFull(room, workspaceId, card.id)
  const ttlMs = ttlHours * hourMs
  // No look equals it, so that the card is drawn at once.
  const shown = {
    alert: { ...alert, actions: [] },
    asOf: Math.floor(room.now() / 1000),
    isOverdue: false,
    look: '',
  }
  const watch = { workspaceId, cardId: card.id, posted, userId, name, ttlMs, shown }
  const started = await watches.start(watch, mostWatches)
  if (started === 'too-many') {
    const most = `You already watch ${mostWatches} alerts, the most one person can.`
    throw new UserError(`${most} Stop watching one first: /alert watches lists them.`)
  }
  room.poller.wake()
  return started
}

/** A card that is live already costs no more for one more who watches it. */
async function refuseWhenFull({ watches }: WatchRoom, workspaceId: string, cardId: string): Promise<void> {
  if ((await watches.countLive(workspaceId)) < mostLiveCards) return
  if ((await watches.liveOf(workspaceId, cardId)) !== undefined) return
  throw new UserError(
    `This workspace has ${mostLiveCards} live cards, the most Slack lets Bellhop keep up to date. Stop one you no longer need: /alert watches lists yours.`,
  )
}
