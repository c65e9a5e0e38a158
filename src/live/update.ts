// One card, one turn. Whoever reads, tells and draws a card holds its turn in this process, and where it is live its lease
// between processes. It reads inside of that, so nothing older lands on something newer. *Refresh*, an act and a look at a
// live card all go this way: read, tell the thread, draw, keep. A new card is sent in its turn as well.
import { hash } from 'node:crypto'
import { namesRead, namesShownIn } from '../alert/card-names.ts'
import type { Card } from '../alert/cards.ts'
import { type CardView, renderCard, renderInOneMessage } from '../alert/render/card.ts'
import { renderHistory, renderNews } from '../alert/render/history.ts'
import { isClosed } from '../alert/render/state.ts'
import { type Ending, isMentioned, marksOf, newsFor, toldWith } from '../alert/thread.ts'
import type { House } from '../house.ts'
import type { Alert } from '../monitor/schema.ts'
import { areSameNames, type Names, noNames } from '../names/names.ts'
import { ownIdOf } from '../names/own-id.ts'
import { waitSecondsOf } from '../slack/client/slack-error.ts'
import type { From } from '../slack/guard/requests.ts'
import { isDirectId } from '../slack/ids.ts'
import type { Landed, Story } from '../slack/outbound/delivery.ts'
import type { Message, Posted } from '../slack/outbound/message.ts'
import { NotSent } from '../slack/outbound/pace.ts'
import type { DocKey } from '../storage/docs.ts'
import {
  type CardShown,
  givenBack,
  type LiveCard,
  lineOf,
  type Outcome,
  peopleAt,
  runningAt,
  takenBy,
  type Watcher,
} from './live-cards.ts'
import { closedWords, unreadWords } from './render.ts'
import { goodForMs, type Urgency } from './updates.ts'

/** So long a closed alert is looked at, as it may open again. */
const restMs = 15 * 60_000
/** What Slack did not take yet is tried again after this time. */
export const soonMs = 5_000

/** A card in the hands of this process. */
export interface Held {
  readonly card: Card
  /** Undefined where nobody watches it. */
  readonly live: LiveCard | undefined
}

/** What a card is to show, and its thread to know. */
export interface Reading {
  /** Undefined where there is nothing to draw. */
  readonly alert: Alert | undefined
  /** With whose token it was read just now, as Slack names them; undefined where it is what the card shows already. */
  readonly readBy: string | undefined
  /** Said in the thread besides. */
  readonly ending?: Ending | undefined
  readonly isOverdue?: boolean
  /** Whom a live card names from now on. Default: those who watch it. */
  readonly watchers?: readonly Watcher[]
  /** What is kept of a live card, where it differs from a look that went well. */
  readonly outcome?: Partial<Outcome>
}

export interface Update {
  /** Undefined where nothing is to be changed. */
  read(held: Held): Promise<Reading | undefined>
  /**
   * Whoever pressed something, and where: they wait for it. Without them it draws only what somebody would miss, as often
   * as Slack takes it.
   */
  readonly by?: From
  /** What becomes of a live card that could not be told or drawn. Without it, the failure is thrown. */
  onFailure?(error: unknown, held: Held): Promise<Outcome>
}

/**
 * Sends a new card, and keeps how it was delivered: whatever is pressed on it comes after.
 * @param card - It is kept already.
 * @param send - The first way that works.
 */
export function sendCard(
  house: House,
  card: Card,
  alert: Alert,
  send: (story: Story) => Promise<Landed>,
): Promise<Card> {
  const { config, storage, turns } = house
  return turns(`card ${card.id}`, async () => {
    const names = await namesShownIn(house, card, card.names ?? noNames)
    const reading = { alert, readBy: card.asker.userId }
    const view = await viewOf(house, { card, live: undefined }, names, alert, reading, undefined)
    const landed = await send({
      card: (isPrivate) => renderCard(config, { ...view, isPrivate }),
      history: () => renderHistory(card.id, alert.actions, names),
      inOneMessage: ({ isPrivate, note }) => renderInOneMessage(config, { ...view, isPrivate }, note),
    })
    const { isPrivate } = landed
    const posted = landed.layout === 'thread' ? landed.posted : undefined
    const isTold = landed.layout !== 'thread' || landed.isHistoryTold
    // The next Refresh, or look at a live card, brings all of it into the thread.
    const told = isTold ? card.told : marksOf(alert, [])
    const kept = await storage.cards.change(card, (one) => ({ ...one, isPrivate, posted, told }))
    return kept ?? card
  })
}

/** @returns What was read. @throws What `read` throws, and what Slack said. */
export function updateCard(house: House, key: DocKey, update: Update): Promise<Reading | undefined> {
  const { turns, storage } = house
  return turns(`card ${key.id}`, async () => {
    const live = await hold(house, key)
    // As it was, if anything is thrown.
    let outcome: Outcome = {}
    try {
      const card = await storage.cards.find(key)
      if (card === undefined) {
        outcome = { isOver: true }
        return undefined
      }
      const held = { card, live }
      try {
        const reading = await update.read(held)
        if (reading !== undefined) outcome = await show(house, held, reading, update.by)
        return reading
      } catch (error) {
        if (update.onFailure === undefined) throw error
        outcome = await update.onFailure(error, held)
        return undefined
      }
    } finally {
      if (live?.holder === house.poller.owner)
        await storage.liveCards.change(key, (one, now) => givenBack(one, live, outcome, now))
    }
  })
}

/** Another process that has it longer is not waited for by somebody who pressed something. */
const mostWaits = 50
const waitMs = 200

/** Takes the lease of a live card. @returns Undefined where it is not live. */
async function hold({ storage, poller, wait }: House, key: DocKey): Promise<LiveCard | undefined> {
  const { liveCards } = storage
  for (let waits = 0; ; waits += 1) {
    const taken = await liveCards.change(key, (one, at) => takenBy(one, poller.owner, poller.leaseMs, at))
    const live = taken ?? (await liveCards.find(key))
    if (taken !== undefined || live === undefined || waits === mostWaits) return live
    await wait(waitMs)
  }
}

/** True while nobody has changed who watches it, and no other process has it. */
async function isStill({ storage, poller, stopping }: House, live: LiveCard): Promise<boolean> {
  const found = stopping.aborted ? undefined : await storage.liveCards.find(live)
  return found?.holder === poller.owner && found.pokes === live.pokes
}

async function show(house: House, held: Held, reading: Reading, by: From | undefined): Promise<Outcome> {
  const { live } = held
  const { alert, readBy } = reading
  const isRead = readBy !== undefined
  const names = await namesFor(house, held, reading, by)
  let failure: unknown
  const told = await tell(house, held, names, reading, by).catch((error: unknown) => {
    failure = error
  })
  // Whatever becomes of the reply, the card shows how the alert is.
  const drawn = await draw(house, held, names, reading, by)
  if (failure !== undefined) throw failure
  const { intervalMs } = house.config.watch
  const isDrawn = drawn !== 'waits'
  const inMs = isDrawn ? Math.round(intervalMs * (0.95 + Math.random() / 10)) : soonMs
  const rests = isRead && alert !== undefined ? { restsUntil: restsUntil(house, live, alert) } : {}
  const outcome = { shown: isDrawn ? drawn : undefined, isRead, failures: 0, inMs, ...rests }
  return isDrawn && told !== 'waits' ? { ...outcome, ...reading.outcome } : outcome
}

function restsUntil({ now }: House, live: LiveCard | undefined, alert: Alert): number | undefined {
  return isClosed(alert) ? (live?.restsUntil ?? now() + restMs) : undefined
}

/** Undefined where Slack did not say. */
function standsAt({ card, live }: Held): Posted | undefined {
  return live?.posted ?? card.posted
}

/** Whoever reads it for somebody else adds none. */
async function namesFor(
  house: House,
  held: Held,
  { alert, readBy }: Reading,
  by: From | undefined,
): Promise<Names> {
  const { card } = held
  const { asker, isPrivate, names: kept = noNames } = card
  const names =
    alert !== undefined && readBy === asker.userId ? await namesRead(house, asker, card, alert) : kept
  if (!areSameNames(names, kept)) await house.storage.cards.change(card, (one) => ({ ...one, names }))
  const channelId = standsAt(held)?.channelId ?? by?.place.channelId
  return namesShownIn(house, { isPrivate, channelId }, names)
}

/**
 * Tells the thread what it does not know yet, in one reply, and keeps that. A reply that Slack did not confirm comes again.
 * @returns `waits` where nobody waits for it, and Slack has to be waited for first.
 */
async function tell(
  house: House,
  held: Held,
  names: Names,
  reading: Reading,
  by: From | undefined,
): Promise<'waits' | undefined> {
  const { config, storage, now } = house
  const { card, live } = held
  const posted = standsAt(held)
  if (posted === undefined) return undefined
  const alert = reading.readBy === undefined ? undefined : reading.alert
  const reply = newsFor(card.told, alert, reading.ending ?? (live && endingOf(live, names, reading, now())))
  if (reply !== undefined) {
    const about = posted.threadTs === undefined ? undefined : card.title
    // In their direct message the reply is enough.
    const isHeard = live === undefined || isDirectId(posted.channelId) || !isMentioned(reply)
    const mention = isHeard ? [] : runningAt(live, now()).map(({ userId }) => userId)
    const message = renderNews(config, card.id, { ...reply, names, about, mention })
    try {
      await (by === undefined
        ? postInTurn(house, live, posted, message)
        : house.slack.patiently(() => house.slack.reply(posted, message)))
    } catch (error) {
      if (by !== undefined || waitSecondsOf(error) === undefined) throw error
      return 'waits'
    }
  }
  const told = toldWith(card.told, reply, alert)
  if (told.join() !== card.told.join()) await storage.cards.change(card, (kept) => ({ ...kept, told }))
  return undefined
}

/** Once for each time of being live: its alert is closed, or cannot be read. */
function endingOf(live: LiveCard, names: Names, reading: Reading, now: number): Ending | undefined {
  const { alert, readBy, isOverdue } = reading
  const { since, shown } = live
  if (isOverdue) return { id: `${since} unread ${shown.asOf}`, words: unreadWords }
  // One that was closed when it was drawn last has said so.
  const isNews = alert !== undefined && readBy !== undefined && isClosed(alert) && !isClosed(shown.alert)
  const isLive = peopleAt(live, now).length > 0
  return isNews && isLive ? { id: String(since), ...closedWords(alert, names) } : undefined
}

/** In the channel's turn: nobody waits for it. */
function postInTurn(house: House, live: LiveCard | undefined, posted: Posted, message: Message) {
  return house.pace.inTurn(posted.channelId, async () => {
    if (live === undefined || !(await isStill(house, live))) throw new NotSent()
    await house.slack.reply(posted, message)
  })
}

/** @returns What the card shows since; `waits` where Slack, or another process, has to be waited for. */
async function draw(
  house: House,
  held: Held,
  names: Names,
  reading: Reading,
  by: From | undefined,
): Promise<CardShown | 'waits' | undefined> {
  const { config, slack } = house
  const { card, live } = held
  if (reading.alert === undefined) return undefined
  const view = await viewOf(house, held, names, reading.alert, reading, by)
  const posted = standsAt(held)
  if (posted === undefined) return void (by && (await replaceByUrl(house, card, view, by)))
  const message = renderCard(config, view)
  const shown = shownIn(view)
  if (by === undefined)
    return live && drawInTurn(house, live, view, shown, () => slack.updateOnce(posted, message))
  await slack.update(posted, message)
  return shown
}

/** Of what somebody would miss, as much as Slack takes: nobody waits for it. */
async function drawInTurn(
  house: House,
  live: LiveCard,
  view: CardView,
  shown: CardShown,
  update: () => Promise<unknown>,
): Promise<CardShown | 'waits' | undefined> {
  const { updates } = house
  const urgency = urgencyOf(house, live, shown.look, view)
  if (urgency === undefined) return undefined
  const done = (await isStill(house, live)) ? updates.take(urgency) : undefined
  if (done === undefined) return 'waits'
  try {
    await update()
    return shown
  } catch (error) {
    const waitSeconds = waitSecondsOf(error)
    if (waitSeconds === undefined) throw error
    updates.busy(waitSeconds)
    return 'waits'
  } finally {
    done()
  }
}

function shownIn(view: CardView): CardShown {
  const { asOf, nextBy } = view
  const alert = { ...view.alert, actions: [] }
  const look = hash('sha256', JSON.stringify({ ...view, alert, asOf: 0, nextBy: 0 }), 'base64url')
  return { alert, asOf, nextBy, look }
}

async function viewOf(
  house: House,
  { card, live }: Held,
  names: Names,
  alert: Alert,
  { readBy, isOverdue = false, watchers }: Omit<Reading, 'alert'>,
  by: From | undefined,
): Promise<CardView> {
  const { config, now } = house
  const { id, asker, askerName, isPrivate, channelId, link } = card
  const isRead = readBy !== undefined
  const asOf = isRead || live === undefined ? Math.floor(now() / 1000) : live.shown.asOf
  const named = watchers ?? (live ? runningAt(live, now()) : [])
  // Bellhop keeps looking at a closed alert for a while, but its card does not say so.
  const line = isClosed(alert) ? undefined : lineOf(named)
  const nextBy = isRead ? asOf + Math.floor(goodForMs(config.watch.intervalMs) / 1000) : live?.shown.nextBy
  const isAnothers = by !== undefined && by.asker.userId !== asker.userId
  return {
    ...{ cardId: id, alert, askerName, link, names, asOf, isOverdue, isPrivate },
    canShare: channelId !== undefined,
    refresherName: isAnothers ? by.asker.name : undefined,
    readerId: isPrivate ? await ownIdOf(house, asker) : undefined,
    live: line,
    nextBy: line && nextBy,
  }
}

/** How much somebody who reads the card would miss; undefined when that is nothing. */
function urgencyOf(
  { config, now }: House,
  { shown, drawnAt }: LiveCard,
  look: string,
  { live, asOf }: CardView,
): Urgency | undefined {
  const { intervalMs } = config.watch
  if (shown.look !== look) return live === undefined || shown.look === '' ? 'pressed' : 'change'
  const isDue = now() - drawnAt >= goodForMs(intervalMs) - 1.1 * intervalMs - 30_000
  return live !== undefined && asOf > shown.asOf && isDue ? 'renewal' : undefined
}

/** Where the bot cannot change it: the message that was pressed becomes card and history in one. */
async function replaceByUrl({ config, slack }: House, card: Card, view: CardView, { place }: From) {
  if (place.responseUrl === undefined) return
  const wantsThread = !card.isPrivate && !place.isDirect && place.threadTs === undefined
  const message = renderInOneMessage(config, view, wantsThread ? 'invite' : undefined)
  await slack.respond(place.responseUrl, message, {
    to: card.isPrivate ? 'asker' : 'channel',
    replaces: true,
  })
}
