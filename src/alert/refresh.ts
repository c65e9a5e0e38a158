// Brings a card up to date with what was read for whoever pressed something on it, *Refresh* above all, and tells its thread
// what is new, once.

import { isDeepStrictEqual } from 'node:util'
import { type Resumed, withToken } from '../account/connect-first.ts'
import { MonitorError, UserError } from '../errors.ts'
import type { Alert } from '../monitor/schema.ts'
import { classify } from '../slack/client/refusals.ts'
import type { From } from '../slack/guard/requests.ts'
import type { Person } from '../slack/ids.ts'
import type { Place } from '../slack/outbound/delivery.ts'
import type { Message } from '../slack/outbound/message.ts'
import { quote } from '../slack/text/typed.ts'
import { learnNamesForRedraw } from './card-names.ts'
import { type Card, cardFor, claimFirstRedraw, type Ending, readerIdOf } from './cards.ts'
import { type CardView, renderCard, renderInOneMessage } from './render/card.ts'
import { renderNothingNew } from './render/no-card.ts'
import type { AlertRoom } from './room.ts'
import { ofCard, readForAsker, sayingWhenSlow } from './show.ts'
import { isNews, settleReply, tellThread, type Way } from './thread-news.ts'

/**
 * *Refresh* on a card.
 * @param drawnAt - When the card came to look as it does, in Unix seconds; without it nobody hears that nothing is new.
 */
export async function refreshCard(
  room: AlertRoom,
  from: From,
  cardId: string,
  drawnAt?: number,
): Promise<void> {
  const tooOld = 'This card is too old to refresh. Use /alert again.'
  const card = await cardFor(room, from.asker, cardId, tooOld)
  if (card === undefined) return
  const wanted = { feature: 'refresh', ks: card.ks, ask: { cardId } } as const
  // In turns, so that an older answer of the service never overwrites a newer one.
  await withToken(room.account, from, wanted, (token) =>
    room.turns(cardId, async () => {
      const alert = await bringUpToDate(room, from, card, token)
      if (drawnAt !== undefined && !isNewsSince(drawnAt, room, card, alert))
        await room.delivery.privately(from.place, renderNothingNew(drawnAt, Math.floor(room.now() / 1000)))
    }),
  )
}

export function resumeRefresh(room: AlertRoom, from: From, { ask }: Resumed): Promise<void> {
  return refreshCard(room, from, ofCard.parse(ask).cardId)
}

/** The longest that it takes to read an alert and draw its card: what a card shows may be older than its drawing by that. */
const drawingSeconds = 30

/** Whether anything has happened to the alert since its card was drawn, or is not told in its thread. */
function isNewsSince(drawnAt: number, room: AlertRoom, card: Card, alert: Alert): boolean {
  const { timestamp, lastTimestamp, closedTimestamp, actions } = alert
  const times = [timestamp, lastTimestamp, closedTimestamp ?? 0, ...actions.map((one) => one.timestamp)]
  return times.some((at) => at >= drawnAt - drawingSeconds) || isNews(room, card, { alert })
}

/** Reads for one press, should other processes draw the card in between. The last one is drawn in any case. */
const mostReads = 3

/** Draws the card as the alert is now, and tells its thread what is new. */
async function bringUpToDate(room: AlertRoom, from: From, card: Card, token: string): Promise<Alert> {
  const { asker } = from
  const { id, ks } = card
  const { workspaceId } = asker
  let wasUntold = false
  for (let reads = 1; ; reads += 1) {
    // Other processes have turns of their own.
    const after = reads < mostReads ? await room.cards.drawingOf(workspaceId, id) : undefined
    const reading = readAgain(room, asker, token, ks)
    const alert = await sayingWhenSlow(room, from, { ks, answer: 'on-card' }, reading)
    const readAt = Math.floor(room.now() / 1000)
    room.tellOthersIfClosed(workspaceId, alert, { ks, but: id })
    const shown = await showOnCard(room, from, card, { alert, readAt, after })
    if (shown === 'drawn-since') continue
    if (shown === 'shown' || wasUntold) return alert
    wasUntold = true
  }
}

async function readAgain(room: AlertRoom, asker: Person, token: string, ks: string): Promise<Alert> {
  try {
    return await readForAsker(room, asker, token, ks)
  } catch (error) {
    if (!(error instanceof MonitorError) || error.code !== 'not-found') throw error
    throw new UserError(`Monitoring no longer has an alert ${quote(ks)}. The card wasn’t changed.`)
  }
}

/** An alert as it was read. */
export interface ReadAlert {
  readonly alert: Alert
  /** When, in Unix seconds. */
  readonly readAt: number
}

/** What a card is to show, and its thread to know. */
interface ToShow extends ReadAlert {
  /** Said in the thread besides. */
  readonly ending?: Ending | undefined
  /** The last drawing before it was read; undefined where it is drawn in any case. */
  readonly after?: number | undefined
}

/** What became of showing an alert on its card. */
export type ShownOnCard =
  | 'shown'
  /** Another process has drawn the card since the alert was read, which may have been newer: nothing is done. */
  | 'drawn-since'
  /** The card is drawn, but its thread is not told yet: another reply is on its way there, or has just arrived. */
  | 'untold'

/**
 * Draws a card as the alert is, and tells its thread what is new. In the card’s turn, so that this process draws nothing
 * older over something newer.
 * @param from - With whose token the alert was read, and where the card stands: its message is `pressedTs`.
 * @throws What Slack said.
 */
export async function showOnCard(
  room: AlertRoom,
  { asker, place }: From,
  card: Card,
  { alert, readAt, ending, after }: ToShow,
): Promise<ShownOnCard> {
  const { settings, outbound } = room
  const { id: cardId, isPrivate, layout, askerName, link } = card
  const refresherName = asker.userId === card.asker.userId ? undefined : asker.name
  const canShare = card.channelId !== undefined
  const readerId = await readerIdOf(room, card, alert)
  // Names may have been learned, and news told, while this waited for its turn.
  const current = (await room.cards.find(asker.workspaceId, cardId)) ?? card
  const names = await learnNamesForRedraw(room, current, alert, asker.userId, place.channelId)
  const drawn = { cardId, alert, asOf: readAt, isPrivate, canShare, link, readerId, names }
  const view = { ...drawn, askerName, refresherName }
  const isNoted = await room.cards.noteDrawing(asker.workspaceId, cardId, after)
  if (!isNoted && after !== undefined) return 'drawn-since'
  if (layout === 'one-message') {
    // Nothing but its button's response_url leads to such a card.
    if (place.responseUrl === undefined) return 'shown'
    const wantsThread = !isPrivate && !place.isDirect && place.threadTs === undefined
    const message = renderInOneMessage(settings, view, wantsThread ? 'invite' : undefined)
    const to = isPrivate ? 'asker' : 'channel'
    await outbound.in(place.workspaceId).respond(place.responseUrl, message, { to, replaces: true })
    return 'shown'
  }
  const isLive = await redrawUntilStill(room, place, card, view)
  const isTold = await tellNews(room, place, { ...current, names }, { alert, ending, isLive })
  return isTold ? 'shown' : 'untold'
}

/**
 * Draws the card, watched or not, and once more whenever somebody began or stopped to watch it while Slack took it.
 * @returns Whether it is live in the end.
 */
async function redrawUntilStill(
  room: AlertRoom,
  place: Place,
  { workspaceId, id }: Card,
  view: CardView,
): Promise<boolean> {
  const { liveCards, settings, once } = room
  // Bellhop keeps checking the card of a closed alert for a while, but the card does not say so.
  const liveNow = async () =>
    view.alert.closedTimestamp === null ? liveCards.liveOf(workspaceId, id) : undefined
  await claimFirstRedraw(once, workspaceId, id)
  let live = await liveNow()
  for (let isAsDrawn = false; !isAsDrawn; ) {
    const goodForMs = live && (await liveCards.goodForMs(workspaceId))
    const nextBy = goodForMs && view.asOf + Math.floor(goodForMs / 1000)
    await replaceCard(room, place, renderCard(settings, { ...view, live, nextBy }))
    await liveCards.forgetLook(workspaceId, id)
    const after = await liveNow()
    isAsDrawn = isDeepStrictEqual(after, live)
    live = after
  }
  return live !== undefined
}

async function replaceCard({ outbound }: AlertRoom, place: Place, card: Message): Promise<void> {
  const { channelId, pressedTs } = place
  if (channelId === undefined || pressedTs === undefined) return
  const slack = outbound.in(place.workspaceId)
  await byApiOrUrl(
    place,
    () => slack.update({ channelId, ts: pressedTs }, card),
    (url) => slack.respond(url, card, { to: 'channel', replaces: true }),
  )
}

/** Through the Web API, or through the button's own response_url where the bot is not (any more) a member. */
async function byApiOrUrl(
  place: Place,
  byApi: () => Promise<unknown>,
  byUrl: (url: string) => Promise<void>,
): Promise<void> {
  try {
    await byApi()
  } catch (error) {
    const { kind, mayBeDone } = classify(error)
    if (mayBeDone || kind === 'busy' || place.responseUrl === undefined) throw error
    await byUrl(place.responseUrl)
  }
}

/**
 * Tells what is new in the thread, or to the presser where it may or may not stand there: no action is told twice.
 * @returns False where it is still to be told.
 */
async function tellNews(
  room: AlertRoom,
  place: Place,
  card: Card,
  { alert, ending, isLive }: Pick<ToShow, 'alert' | 'ending'> & { readonly isLive: boolean },
): Promise<boolean> {
  const { delivery, outbound, patiently } = room
  const { channelId, pressedTs, threadTs } = place
  if (channelId === undefined || pressedTs === undefined) return true
  const parent = { channelId, ts: pressedTs, threadTs }
  const slack = outbound.in(place.workspaceId)
  const way: Way = {
    async post(message, mark) {
      await byApiOrUrl(
        place,
        () => slack.reply(parent, message, mark),
        (url) => slack.respond(url, message, { to: 'channel', threadTs: threadTs ?? pressedTs }),
      )
    },
    seek: (markId, since) => slack.seek(parent, markId, since),
  }
  const told = await patiently(() => tellThread(room, card, { alert, ending }, way))
  // On a live card the next poll tells it, or finds out whether the reply has arrived.
  if (told.kind === 'all' || isLive) return true
  if (told.kind === 'later') return false
  if (classify(told.error).kind === 'defect') throw told.error
  await settleReply(room, card, told.reply)
  await delivery.privately(place, told.message)
  return true
}
