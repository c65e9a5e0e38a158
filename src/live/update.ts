// One card, one turn. Whoever reads, tells and draws a card holds its turn in this process, and where it is live its lease
// between processes. It reads inside of that, so nothing older lands on something newer. *Refresh*, an act and a look at a
// live card all go this way: read, tell the thread, draw, keep.
import { hash } from 'node:crypto'
import { learnNamesForRedraw, namesShownIn } from '../alert/card-names.ts'
import { type Card, readerIdOf } from '../alert/cards.ts'
import { type CardView, renderCard, renderInOneMessage } from '../alert/render/card.ts'
import { renderNews } from '../alert/render/history.ts'
import { isClosed } from '../alert/render/state.ts'
import { type Ending, isMentioned, newsFor, toldWith } from '../alert/thread.ts'
import type { House } from '../house.ts'
import type { Alert } from '../monitor/schema.ts'
import { type Names, noNames } from '../names/names.ts'
import { mayBeDone, waitSecondsOf } from '../slack/client/slack-error.ts'
import type { From } from '../slack/guard/requests.ts'
import { isDirectId } from '../slack/ids.ts'
import type { Place } from '../slack/outbound/delivery.ts'
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
      if (live !== undefined)
        await storage.liveCards.change(key, (one, now) => givenBack(one, live, outcome, now))
    }
  })
}

/** Another process that has it longer is not waited for by somebody who pressed something. */
const mostWaits = 50
const waitMs = 200

/** Takes the lease of a live card. @returns Undefined where it is not live. */
async function hold(house: House, key: DocKey): Promise<LiveCard | undefined> {
  const { storage, poller, now, wait } = house
  const { liveCards } = storage
  for (let waits = 0; ; waits += 1) {
    const live = await liveCards.find(key)
    // What its own loop has taken is this process's already.
    if (live === undefined || (live.holder === poller.owner && live.heldUntil > now())) return live
    const taken = await liveCards.change(key, (one, at) => takenBy(one, poller.owner, poller.leaseMs, at))
    if (taken !== undefined || waits === mostWaits) return taken ?? live
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
  try {
    await tell(house, held, names, reading, by)
  } catch (error) {
    if (error instanceof NotSent) throw error
    failure = error
  }
  const drawn = await draw(house, held, names, reading, by)
  if (failure !== undefined) {
    if (waitSecondsOf(failure) === undefined) throw failure
    // The card is drawn by now: the thread may wait until Slack takes it.
    if (by !== undefined) await house.slack.patiently(() => tell(house, held, names, reading, by))
  }
  const { intervalMs } = house.config.watch
  const shown = drawn === 'waits' ? undefined : drawn
  const inMs = drawn === 'waits' ? soonMs : Math.round(intervalMs * (0.95 + Math.random() / 10))
  const rests = isRead && alert !== undefined ? { restsUntil: restsUntil(house, live, alert) } : {}
  const outcome = { shown, isRead, failures: 0, inMs, ...rests }
  const isAllDone = drawn !== 'waits' && (failure === undefined || by !== undefined)
  return isAllDone ? { ...outcome, ...reading.outcome } : outcome
}

function restsUntil({ now }: House, live: LiveCard | undefined, alert: Alert): number | undefined {
  return isClosed(alert) ? (live?.restsUntil ?? now() + restMs) : undefined
}

/** Where it stands; undefined where nothing leads there but a button's own response_url. */
function postedOf({ card, live }: Held, place: Place | undefined): Posted | undefined {
  if (card.layout === 'one-message') return undefined
  if (live !== undefined) return live.posted
  const { channelId, pressedTs: ts, threadTs } = place ?? {}
  return card.posted ?? (channelId && ts ? { channelId, ts, threadTs } : undefined)
}

async function namesFor(house: House, held: Held, { alert, readBy }: Reading, by: From | undefined) {
  const { card } = held
  const channelId = postedOf(held, by?.place)?.channelId ?? by?.place.channelId
  return alert !== undefined && readBy !== undefined
    ? learnNamesForRedraw(house, card, alert, readBy, channelId)
    : namesShownIn(house, { ...card, channelId }, card.names ?? noNames)
}

/** Tells the thread what it does not know yet, in one reply, and keeps that. A reply that Slack did not confirm comes again. */
async function tell(house: House, held: Held, names: Names, reading: Reading, by: From | undefined) {
  const { config, storage, now } = house
  const { card, live } = held
  const posted = postedOf(held, by?.place)
  if (posted === undefined) return
  const alert = reading.readBy === undefined ? undefined : reading.alert
  const reply = newsFor(card.told, alert, reading.ending ?? (live && endingOf(live, names, reading, now())))
  if (reply !== undefined) {
    const about = posted.threadTs === undefined ? undefined : card.title
    // In their direct message the reply is enough.
    const isHeard = live === undefined || isDirectId(posted.channelId) || !isMentioned(reply)
    const mention = isHeard ? [] : runningAt(live, now()).map(({ userId }) => userId)
    const message = renderNews(config, card.id, { ...reply, names, about, mention })
    await (by === undefined
      ? postInTurn(house, live, posted, message)
      : postAtOnce(house, posted, message, by))
  }
  const told = toldWith(card.told, reply, alert)
  if (told.join() !== card.told.join()) await storage.cards.change(card, (kept) => ({ ...kept, told }))
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

function postAtOnce({ slack }: House, posted: Posted, message: Message, { place }: From): Promise<void> {
  return byApiOrUrl(
    place,
    () => slack.reply(posted, message),
    (url) => slack.respond(url, message, { to: 'channel', threadTs: posted.threadTs ?? posted.ts }),
  )
}

/** @returns What the card shows since; `waits` where Slack, or another process, has to be waited for. */
async function draw(
  house: House,
  held: Held,
  names: Names,
  reading: Reading,
  by: From | undefined,
): Promise<CardShown | 'waits' | undefined> {
  const { config, slack, updates } = house
  const { card, live } = held
  const view = await viewOf(house, held, names, reading, by)
  if (view === undefined) return undefined
  const posted = postedOf(held, by?.place)
  if (posted === undefined) return void (by && (await replaceByUrl(house, card, view, by)))
  const message = renderCard(config, view)
  const { asOf, nextBy } = view
  const alert = { ...view.alert, actions: [] }
  const look = hash('sha256', JSON.stringify({ ...view, alert, asOf: 0, nextBy: 0 }), 'base64url')
  const shown: CardShown = { alert, asOf, nextBy, look }
  if (by !== undefined) {
    await byApiOrUrl(
      by.place,
      () => slack.update(posted, message),
      (url) => slack.respond(url, message, { to: 'channel', replaces: true }),
    )
    return shown
  }
  if (live === undefined) return undefined
  const urgency = urgencyOf(house, live, look, view)
  if (urgency === undefined) return undefined
  const done = (await isStill(house, live)) ? updates.take(urgency) : undefined
  if (done === undefined) return 'waits'
  try {
    await slack.updateOnce(posted, message)
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

async function viewOf(
  house: House,
  { card, live }: Held,
  names: Names,
  { alert, readBy, isOverdue = false, watchers }: Reading,
  by: From | undefined,
): Promise<CardView | undefined> {
  if (alert === undefined) return undefined
  const { config, now } = house
  const isRead = readBy !== undefined
  const asOf = isRead || live === undefined ? Math.floor(now() / 1000) : live.shown.asOf
  const named = watchers ?? (live ? runningAt(live, now()) : [])
  // Bellhop keeps looking at a closed alert for a while, but its card does not say so.
  const line = isClosed(alert) ? undefined : lineOf(named)
  const nextBy = isRead ? asOf + Math.floor(goodForMs(config.watch.intervalMs) / 1000) : live?.shown.nextBy
  const isAnothers = by !== undefined && by.asker.userId !== card.asker.userId
  return {
    ...{ cardId: card.id, alert, askerName: card.askerName, link: card.link, names, asOf, isOverdue },
    ...{ isPrivate: card.isPrivate, canShare: card.channelId !== undefined },
    refresherName: isAnothers ? by.asker.name : undefined,
    readerId: await readerIdOf(house, card, alert),
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

async function replaceByUrl({ config, slack }: House, card: Card, view: CardView, { place }: From) {
  if (card.layout !== 'one-message' || place.responseUrl === undefined) return
  const wantsThread = !card.isPrivate && !place.isDirect && place.threadTs === undefined
  const message = renderInOneMessage(config, view, wantsThread ? 'invite' : undefined)
  await slack.respond(place.responseUrl, message, {
    to: card.isPrivate ? 'asker' : 'channel',
    replaces: true,
  })
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
    const isRefused = !mayBeDone(error) && waitSecondsOf(error) === undefined
    if (!isRefused || place.responseUrl === undefined) throw error
    await byUrl(place.responseUrl)
  }
}
