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
import type { Posted } from '../slack/outbound/message.ts'
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
    const readBy = card.asker.userId
    const view = await viewOf(house, { card, live: undefined, alert, readBy, names, by: undefined })
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

/** All that is known in one turn of a card. */
interface Turn extends Held, Reading {
  /** Where it stands; undefined where Slack did not say. */
  readonly posted: Posted | undefined
  /** Those that may be shown there. */
  readonly names: Names
  readonly by: From | undefined
}

async function show(house: House, held: Held, reading: Reading, by: From | undefined): Promise<Outcome> {
  const posted = held.live?.posted ?? held.card.posted
  const channelId = posted?.channelId ?? by?.place.channelId
  const turn = {
    ...held,
    ...reading,
    posted,
    by,
    names: await namesFor(house, held.card, reading, channelId),
  }
  let failure: unknown
  const isTold = await tell(house, turn).catch((error: unknown) => {
    failure = error
  })
  // Whatever becomes of the reply, the card shows how the alert is.
  const drawn = await draw(house, turn)
  if (failure !== undefined) throw failure
  const { intervalMs } = house.config.watch
  if (drawn === 'waits') return { ...readOutcome(house, turn), inMs: soonMs }
  const inMs = Math.round(intervalMs * (0.95 + Math.random() / 10))
  return { ...readOutcome(house, turn), shown: drawn, inMs, ...(isTold && reading.outcome) }
}

function readOutcome({ now }: House, { live, alert, readBy }: Turn): Outcome {
  if (alert === undefined || readBy === undefined) return { failures: 0 }
  const restsUntil = isClosed(alert) ? (live?.restsUntil ?? now() + restMs) : undefined
  return { isRead: true, failures: 0, restsUntil }
}

/** Those that its asker’s token has shown: whoever reads it with another one adds none. */
async function namesFor(
  house: House,
  card: Card,
  { alert, readBy }: Reading,
  channelId: string | undefined,
): Promise<Names> {
  const { asker, isPrivate, names: kept = noNames } = card
  const isOwn = alert !== undefined && readBy === asker.userId
  const names = isOwn ? await namesRead(house, asker, card, alert) : kept
  if (!areSameNames(names, kept)) await house.storage.cards.change(card, (one) => ({ ...one, names }))
  return namesShownIn(house, { isPrivate, channelId }, names)
}

/**
 * Tells the thread what it does not know yet, in one reply, and keeps that. A reply that Slack did not confirm comes again.
 * @returns False where nobody waits for it, and Slack has to be waited for first.
 */
async function tell(house: House, turn: Turn): Promise<boolean> {
  const { config, storage, now } = house
  const { card, live, posted, names, by } = turn
  if (posted === undefined) return true
  const alert = turn.readBy === undefined ? undefined : turn.alert
  const reply = newsFor(card.told, alert, turn.ending ?? endingOf(turn, now()))
  if (reply !== undefined) {
    const about = posted.threadTs === undefined ? undefined : card.title
    // In their direct message the reply is enough.
    const isHeard = live === undefined || isDirectId(posted.channelId) || !isMentioned(reply)
    const mention = isHeard ? [] : runningAt(live, now()).map(({ userId }) => userId)
    const message = renderNews(config, card.id, { ...reply, names, about, mention })
    const post = () => house.slack.reply(posted, message)
    try {
      await (by === undefined ? inChannelsTurn(house, live, posted, post) : house.slack.patiently(post))
    } catch (error) {
      if (by !== undefined || waitSecondsOf(error) === undefined) throw error
      return false
    }
  }
  const told = toldWith(card.told, reply, alert)
  if (told.join() !== card.told.join()) await storage.cards.change(card, (kept) => ({ ...kept, told }))
  return true
}

/** Once for each time of being live: its alert is closed, or cannot be read. */
function endingOf({ live, alert, readBy, isOverdue, names }: Turn, now: number): Ending | undefined {
  if (live === undefined) return undefined
  const { since, shown } = live
  if (isOverdue) return { id: `${since} unread ${shown.asOf}`, words: unreadWords }
  // One that was closed when it was drawn last has said so.
  const isNews = alert !== undefined && readBy !== undefined && isClosed(alert) && !isClosed(shown.alert)
  const isLive = peopleAt(live, now).length > 0
  return isNews && isLive ? { id: String(since), ...closedWords(alert, names) } : undefined
}

function inChannelsTurn(
  house: House,
  live: LiveCard | undefined,
  { channelId }: Posted,
  post: () => Promise<void>,
): Promise<void> {
  return house.pace.inTurn(channelId, async () => {
    if (live === undefined || !(await isStill(house, live))) throw new NotSent()
    await post()
  })
}

/** @returns What the card shows since; `waits` where Slack, or another process, has to be waited for. */
async function draw(house: House, turn: Turn): Promise<CardShown | 'waits' | undefined> {
  const { config, slack } = house
  const { live, alert, posted, by } = turn
  if (alert === undefined) return undefined
  const view = await viewOf(house, { ...turn, alert })
  if (posted === undefined) return void (by && (await replaceByUrl(house, view, by)))
  const message = renderCard(config, view)
  const shown = shownIn(view)
  if (by !== undefined) {
    await slack.update(posted, message)
    return shown
  }
  if (live === undefined) return undefined
  const urgency = urgencyOf(house, live, shown.look, view)
  if (urgency === undefined) return undefined
  const isTaken = await updateInTurn(house, live, urgency, () => slack.updateOnce(posted, message))
  return isTaken ? shown : 'waits'
}

/** As much as Slack takes: nobody waits for it. @returns False where it has to be waited for. */
async function updateInTurn(
  house: House,
  live: LiveCard,
  urgency: Urgency,
  update: () => Promise<unknown>,
): Promise<boolean> {
  const { updates } = house
  const done = (await isStill(house, live)) ? updates.take(urgency) : undefined
  if (done === undefined) return false
  try {
    await update()
    return true
  } catch (error) {
    const waitSeconds = waitSecondsOf(error)
    if (waitSeconds === undefined) throw error
    updates.busy(waitSeconds)
    return false
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

type ToView = Pick<Turn, 'card' | 'live' | 'names' | 'readBy' | 'isOverdue' | 'watchers' | 'by'>

async function viewOf(
  house: House,
  { card, live, names, alert, readBy, isOverdue = false, watchers, by }: ToView & { readonly alert: Alert },
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
async function replaceByUrl({ config, slack }: House, view: CardView, { place }: From): Promise<void> {
  const { responseUrl, isDirect, threadTs } = place
  if (responseUrl === undefined) return
  const wantsThread = !view.isPrivate && !isDirect && threadTs === undefined
  const message = renderInOneMessage(config, view, wantsThread ? 'invite' : undefined)
  await slack.respond(responseUrl, message, { to: view.isPrivate ? 'asker' : 'channel', replaces: true })
}
