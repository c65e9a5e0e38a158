// Somebody watches an alert, stops, or asks what they watch.
import type { z } from 'zod'
import { type Resumed, type WaitedFor, withToken } from '../account/connect-first.ts'
import { type Card, cardFor } from '../alert/cards.ts'
import type { Lookup } from '../alert/input.ts'
import { waitingLookUp } from '../alert/look-up.ts'
import { isClosed } from '../alert/render/state.ts'
import {
  ofCard,
  readForAsker,
  type Shown,
  sayingWhenSlow,
  showDirectly,
  showWhereAsked,
} from '../alert/show.ts'
import { UserError } from '../errors.ts'
import type { House } from '../house.ts'
import type { Alert } from '../monitor/schema.ts'
import type { ActionRequest, From } from '../slack/guard/requests.ts'
import { isDirectId, type SlackUser } from '../slack/ids.ts'
import type { Place } from '../slack/outbound/delivery.ts'
import type { Message, Posted } from '../slack/outbound/message.ts'
import type { Happened } from '../slack/routes.ts'
import type { DocKey } from '../storage/docs.ts'
import {
  type Ended,
  isLate,
  type LiveCard,
  type NewWatch,
  peopleAt,
  runningAt,
  type Watcher,
  withoutWatch,
  withWatch,
} from './live-cards.ts'
import { tellOthersIfClosed } from './look.ts'
import {
  type ListedWatch,
  renderOffer,
  renderWatchedDirectly,
  renderWatches,
  renderWatching,
  type Watching,
} from './render.ts'
import { mostLiveCards } from './updates.ts'

/** One person may have so many. */
const mostWatches = 20
const hourMs = 60 * 60_000
const minuteMs = 60_000
/** A second press within this time means the same as the first. */
const pressedTwiceMs = 10_000
/** Whoever closed an alert hears for so long that it is open again. */
const reopeningMs = 15 * minuteMs
/** The first look comes soon, as some services open it at once. */
const firstLookMs = 5_000

const nothingLeft = 'This alert is closed, so there’s nothing left to watch.'
const tooManyOwn = `You already watch ${mostWatches} alerts, the most one person can. Stop watching one first: /alert watches lists them.`
const tooManyLive = `This workspace has ${mostLiveCards} live cards, the most Slack lets Bellhop keep up to date. Stop one you no longer need: /alert watches lists yours.`

/** `/alert <key> watch`: shows the alert where it was asked and watches it there, or in the direct message with the bot. */
export function lookUpWatched(house: House, from: From, lookup: Lookup): Promise<void> {
  return withToken(house, from, waitingLookUp(lookup), async (token) => {
    if (lookup.isPrivate) return watchDirectlyInTurn(house, from, token, lookup.ks)
    // Two who ask at the same moment get one live card.
    await inTurn(house, from, `watch ${from.place.channelId} ${lookup.ks}`, async () => {
      const live = await liveIn(house, from, lookup)
      if (live !== undefined && (await join(house, from, token, live, lookup.ks))) return
      await watchShown(house, from, await showWhereAsked(house, from, token, lookup))
    })
  })
}

/** Between two looks whether another process is done. */
const pauseMs = 500
/** A process that takes longer to show a card is taken for dead. */
const showingMs = 30_000

/** Works while nobody else works under this key, in whichever process: a second press finds the card of the first. */
function inTurn(house: House, { asker }: From, key: string, work: () => Promise<void>): Promise<void> {
  const { workspaceId } = asker
  const { storage, turns, now, wait } = house
  const { once } = storage
  return turns(key, async () => {
    while (!(await once.claim(workspaceId, key, showingMs))) await wait(pauseMs)
    const claimedAt = now()
    try {
      await work()
    } finally {
      // After that time it may be somebody else's. One that can't be released ends by itself.
      if (now() - claimedAt < showingMs) await once.release(workspaceId, key).catch(() => undefined)
    }
  })
}

/** A live card of this alert where somebody wants one: in the channel, or in their own direct messages. */
async function liveIn(
  house: House,
  { asker, place }: From,
  { ks, isPrivate }: Pick<Lookup, 'ks' | 'isPrivate'>,
): Promise<LiveCard | undefined> {
  const { workspaceId, userId } = asker
  const { liveCards, cards } = house.storage
  const live = (await liveCards.list({ workspaceId, ref: ks })).filter(
    (one) => peopleAt(one, house.now()).length > 0,
  )
  if (!isPrivate) return live.find(({ posted }) => posted.channelId === place.channelId)
  for (const one of live) {
    const card = await cards.find(one)
    const isDirect = card?.isPrivate || isDirectId(one.posted.channelId)
    if (isDirect && card?.asker.userId === userId) return one
  }
  return undefined
}

/** Watches the card that is live already, and leads there. False when there is nothing to watch. */
async function join(house: House, from: From, token: string, live: LiveCard, ks: string): Promise<boolean> {
  const { workspaceId, id: cardId, posted } = live
  const card = await house.storage.cards.find(live)
  if (card === undefined) return false
  const reading = readForAsker(house, from.asker, token, ks)
  const alert = await sayingWhenSlow(house, from, { ks, answer: 'here' }, reading)
  tellOthersIfClosed(house, workspaceId, alert, { ks })
  if (isClosed(alert)) return false
  const started = await start(house, from, card, posted, alert)
  if (started === 'extended' && !(await isFirstInAMinute(house, from, cardId))) return true
  const link = await house.slack.linkOf(posted)
  const isLiveDirectly =
    (card.isPrivate || isDirectId(posted.channelId)) && posted.channelId !== from.place.channelId
  const answer = isLiveDirectly
    ? renderWatchedDirectly(link)
    : renderWatching(watching(house, cardId, { link }))
  await house.slack.privately(from.place, answer)
  return true
}

function watching(
  { config, now }: House,
  cardId: string,
  elsewhere?: { readonly link: string | undefined },
): Watching {
  return { cardId, until: now() + config.watch.ttlHours * hourMs, elsewhere }
}

/** Somebody presses again and again: they are answered once. */
function isFirstInAMinute({ storage }: House, { asker }: From, cardId: string): Promise<boolean> {
  return storage.once.claim(asker.workspaceId, `watching ${asker.userId} ${cardId}`, minuteMs)
}

/** *Watch* on a card. */
export async function watchCard(house: House, from: From, cardId: string): Promise<void> {
  const card = await findCard(house, from, cardId)
  if (card === undefined) return
  const posted = standsAt(card, from.place)
  if (posted === undefined && !card.isPrivate) {
    return house.slack.privately(from.place, renderOffer(cardId, from.place.isDirect))
  }
  await withToken(house, from, waitingWatch(card), async (token) => {
    if (posted === undefined) return watchCardInTurn(house, from, token, card)
    const live = await liveIn(house, from, card)
    const isElsewhere = live !== undefined && live.id !== cardId
    if (isElsewhere && (await join(house, from, token, live, card.ks))) return
    const reading = house.monitor.readAlert(token, card.ks)
    const alert = await sayingWhenSlow(house, from, { ks: card.ks, answer: 'here' }, reading)
    tellOthersIfClosed(house, from.asker.workspaceId, alert, { ks: card.ks })
    await startAndAnswer(house, from, card, posted, alert)
  })
}

/** Who watches it already hears until when. */
async function startAndAnswer(
  house: House,
  from: From,
  card: Card,
  posted: Posted,
  alert: Alert,
): Promise<void> {
  const started = await start(house, from, card, posted, alert)
  if (started === 'started' || !(await isFirstInAMinute(house, from, card.id))) return
  await house.slack.privately(from.place, renderWatching(watching(house, card.id)))
}

/** *Watch* where the card cannot stay live: it does in the direct message with the bot. */
export async function watchCardDirectly(house: House, pressed: ActionRequest): Promise<void> {
  const card = await findCard(house, pressed, pressed.value)
  if (card === undefined) return
  await withToken(house, pressed, waitingWatch(card), (token) => watchCardInTurn(house, pressed, token, card))
}

function waitingWatch({ id, ks }: Card): WaitedFor {
  const ask: z.infer<typeof ofCard> = { cardId: id }
  return { feature: 'watch', ks, ask }
}

/** However long it has waited: somebody who was told at night connects in the morning. */
export function resumeWatch(house: House, from: From, { ask }: Resumed): Promise<void> {
  return watchCard(house, from, ofCard.parse(ask).cardId)
}

/** *Stop watching* on a card: whoever asked for the card, and does not watch it, ends it for all. */
export async function stopWatching(house: House, from: From, cardId: string): Promise<void> {
  const { once } = house.storage
  const { workspaceId, userId } = from.asker
  const card = await findCard(house, from, cardId)
  if (card === undefined) return
  const stopping = `stopping ${userId} ${cardId}`
  await house.turns(stopping, async () => {
    const isFirst = await once.claim(workspaceId, stopping, pressedTwiceMs)
    const watchers = await stopOwn(house, from, cardId)
    if (watchers.length === 0) return
    if (card.asker.userId !== userId) {
      const names = new Set([...watchers.map((watcher) => watcher.name), card.askerName])
      throw new UserError(
        `You aren’t watching this alert. Only ${[...names].join(' or ')} can stop this card from updating.`,
      )
    }
    // They have just stopped their own: nobody else's is meant.
    if (!isFirst) return
    await endWatch(house, { workspaceId, id: cardId }, undefined, stoppedBy(from))
  })
}

/** *Stop watching* in an answer or a list: one's own watch alone, and nothing when it has ended already. */
export async function stopWatchingAlone(house: House, from: From, cardId: string): Promise<void> {
  if ((await findCard(house, from, cardId)) !== undefined) await stopOwn(house, from, cardId)
}

/**
 * Ends the watch of whoever asks.
 * @returns Who watches, when that is others alone; nobody when a watch was ended.
 * @throws UserError when nobody watches.
 */
async function stopOwn(house: House, from: From, cardId: string): Promise<readonly Watcher[]> {
  const { workspaceId, userId } = from.asker
  const key = { workspaceId, id: cardId }
  if (await endWatch(house, key, userId, stoppedBy(from))) return []
  const live = await house.storage.liveCards.find(key)
  const watchers = live === undefined ? [] : peopleAt(live, house.now())
  if (watchers.length === 0) throw new UserError('Nobody is watching this card any more.')
  return watchers
}

/** @param userId - Undefined for everybody's. @returns False when there was none. */
async function endWatch(
  { storage, poller }: House,
  key: DocKey,
  userId: string | undefined,
  ended: Ended,
): Promise<boolean> {
  const kept = await storage.liveCards.change(key, (live, now) => withoutWatch(live, userId, ended, now))
  poller.wake()
  return kept !== undefined
}

function stoppedBy({ asker }: From): Ended {
  return { kind: 'stopped', by: asker.name }
}

/** Somebody's own, as a message. */
export async function listWatches(house: House, owner: SlackUser): Promise<Message> {
  return renderWatches(house.config, await ownWatches(house, owner))
}

/** Somebody's own, oldest first. */
export async function ownWatches(
  house: House,
  { workspaceId, userId }: SlackUser,
): Promise<readonly ListedWatch[]> {
  const all = await house.storage.liveCards.list({ workspaceId })
  const own = all.flatMap((live) => {
    const watcher = peopleAt(live, house.now()).find((one) => one.userId === userId)
    return watcher === undefined ? [] : [{ live, until: watcher.until }]
  })
  return Promise.all(
    own.map(async ({ live: { id: cardId, ks, posted, shown }, until }) => {
      const link = await house.slack.linkOf(posted)
      return { cardId, ks, channelId: posted.channelId, until, shown, link }
    }),
  )
}

/** Ends all watches of somebody who has no account any more. */
export async function endWatchesOf(house: House, { workspaceId, userId }: SlackUser): Promise<void> {
  for (const live of await house.storage.liveCards.list({ workspaceId }))
    await endWatch(house, live, userId, { kind: 'disconnected' })
}

/** Slack says that a channel is shared with somebody else now: where that is another organisation, all ends there. */
export async function endWhereShared(
  house: House,
  { workspaceId, event: { channel } }: Happened<'channel_shared'>,
): Promise<void> {
  const isShared = await house.slack.channels.isShared(channel)
  // Among workspaces of one organisation as well, where nobody else reads.
  if (isShared === false) return
  const isUnsaid = isShared === undefined ? true : undefined
  for (const live of await house.storage.liveCards.list({ workspaceId })) {
    if (live.posted.channelId === channel)
      await endWatch(house, live, undefined, { kind: 'shared', isUnsaid })
  }
}

function findCard(house: House, { asker }: From, cardId: string): Promise<Card | undefined> {
  return cardFor(house, asker, cardId, 'This card is too old to watch. Use /alert again.')
}

/** Where the bot can change the card. */
function standsAt({ layout, posted }: Card, { channelId, pressedTs, threadTs }: Place): Posted | undefined {
  if (layout === 'one-message') return undefined
  if (posted !== undefined) return posted
  if (channelId === undefined || pressedTs === undefined) return undefined
  return { channelId, ts: pressedTs, threadTs }
}

/** The card is in place, and is to be watched. */
async function watchShown(house: House, from: From, { card, alert }: Shown): Promise<void> {
  const posted = standsAt(card, from.place)
  if (posted !== undefined) return startAndAnswer(house, from, card, posted, alert)
  if (isClosed(alert)) throw new UserError(nothingLeft)
  await house.slack.privately(from.place, renderOffer(card.id, from.place.isDirect))
}

/** A second press shows the same card. */
function watchCardInTurn(house: House, from: From, token: string, { id, ks }: Card): Promise<void> {
  return watchDirectlyInTurn(house, from, token, ks, `${id}.${from.asker.userId}`)
}

function watchDirectlyInTurn(
  house: House,
  from: From,
  token: string,
  ks: string,
  cardId?: string,
): Promise<void> {
  const key = `watch-directly ${from.asker.userId} ${ks}`
  return inTurn(house, from, key, () => watchDirectly(house, from, token, ks, cardId))
}

/** Shows an alert in the direct message with the bot and watches it there. */
async function watchDirectly(
  house: House,
  from: From,
  token: string,
  ks: string,
  cardId?: string,
): Promise<void> {
  const live = await liveIn(house, from, { ks, isPrivate: true })
  const isElsewhere = live !== undefined && live.id !== cardId
  if (isElsewhere && (await join(house, from, token, live, ks))) return
  const { card, alert } = await inDirect(house, from, token, ks, cardId)
  const { posted } = card
  if (posted === undefined) throw new TypeError('a card was shown directly, and is not posted')
  if (posted.channelId === from.place.channelId) return startAndAnswer(house, from, card, posted, alert)
  const started = await start(house, from, card, posted, alert)
  if (started === 'extended' && !(await isFirstInAMinute(house, from, card.id))) return
  const link = await house.slack.linkOf(posted)
  await house.slack.privately(from.place, renderWatchedDirectly(link))
}

/** What is shown already, or a new card in the direct message. */
async function inDirect(
  house: House,
  from: From,
  token: string,
  ks: string,
  cardId: string | undefined,
): Promise<Pick<Shown, 'card' | 'alert'>> {
  const { monitor, storage } = house
  const { workspaceId } = from.asker
  const before = cardId === undefined ? undefined : await storage.cards.find({ workspaceId, id: cardId })
  if (before?.posted !== undefined) {
    return { card: before, alert: await monitor.readAlert(token, ks) }
  }
  // One that was kept and did not arrive, or whose bot was killed before it heard: it is shown anew.
  if (before !== undefined) await storage.cards.drop(before)
  return showDirectly(house, from, token, ks, cardId)
}

async function start(
  house: House,
  { asker }: From,
  card: Card,
  posted: Posted,
  alert: Alert,
): Promise<'started' | 'extended'> {
  if (isClosed(alert)) throw new UserError(nothingLeft)
  const { workspaceId, userId, name } = asker
  const { id, ks } = card
  const all = await house.storage.liveCards.list({ workspaceId })
  const watched = all.filter((live) => peopleAt(live, house.now()).length > 0)
  const isOwn = (live: LiveCard) => runningAt(live, house.now()).some((one) => one.userId === userId)
  const before = watched.find((live) => live.id === id)
  const isExtended = before !== undefined && isOwn(before)
  // One that is live already costs no more for one more who watches it.
  if (before === undefined && watched.length >= mostLiveCards) throw new UserError(tooManyLive)
  if (!isExtended && watched.filter(isOwn).length >= mostWatches) throw new UserError(tooManyOwn)
  const forMs = house.config.watch.ttlHours * hourMs
  await keepWatch(house, { workspaceId, id, ks, posted, userId, name, forMs, alert, inMs: 0 })
  return isExtended ? 'extended' : 'started'
}

/** Somebody has closed the alert of a card: if it opens again soon, its thread says so, and mentions them. */
export async function watchReopening(house: House, from: From, card: Card, alert: Alert): Promise<void> {
  const { workspaceId, userId, name } = from.asker
  const { id, ks, posted } = card
  if (posted === undefined) return
  const watch = { workspaceId, id, ks, posted, userId, name, alert, hasClosed: true } as const
  await keepWatch(house, { ...watch, forMs: reopeningMs, inMs: firstLookMs })
}

/** It is due at once, or soon. */
async function keepWatch({ storage: { liveCards }, poller }: House, watch: NewWatch): Promise<void> {
  const change = () => liveCards.change(watch, (live, now) => withWatch(live, watch, now))
  if ((await change()) === undefined && !(await liveCards.insert((now) => withWatch(undefined, watch, now))))
    await change()
  poller.wake()
}

/** How many cards people watch, and how many of them say that they were checked again by now, and were not drawn since. */
export async function countLive({
  storage,
  now,
}: House): Promise<{ readonly all: number; readonly late: number }> {
  const live = (await storage.liveCards.list({})).filter((one) => peopleAt(one, now()).length > 0)
  return { all: live.length, late: live.filter((one) => isLate(one, now())).length }
}
