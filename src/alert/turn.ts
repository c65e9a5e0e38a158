// Updates one card in one turn: reads its alert, tells its thread, draws the card, keeps the outcome. A card’s turns queue
// in this process, and a live card’s lease keeps other processes out, so that nothing older overwrites something newer.
//
// a turn for                 reads with the token of                     who waits (`by`)
// *Refresh*, an act          the presser                                 the presser: always drawn
// a look at a live card      a watcher, else the carrier of its follow   nobody: drawn if it differs, or its times are old
// a new card                 its asker, or the carrier, before           the asker, or nobody: posted, not changed
//
// A follow (a channel that gets a container’s new alerts) reads with its carrier’s token. Names are those that the reader
// (`readBy`) may see. A turn that read nothing shows names that the card has already.

import { hash } from 'node:crypto'
import type { House } from '../house.ts'
import {
  type CardShown,
  givenBack,
  type LiveCard,
  peopleAt,
  runningAt,
  type TurnOutcome,
  watchersShown,
} from '../live/live-cards.ts'
import { closedWords, unreadWords } from '../live/render.ts'
import { quietAt } from '../maintenance/names.ts'
import { quietLine } from '../maintenance/render.ts'
import type { Alert } from '../monitor/schema.ts'
import { containerKnown, namesKnown } from '../names/containers.ts'
import { type Names, noNames, personNamed } from '../names/names.ts'
import { ownIdOf } from '../names/own-id.ts'
import { orRefusal, waitSecondsOf } from '../slack/client.ts'
import type { From } from '../slack/guard/requests.ts'
import type { CardMessages, Delivered } from '../slack/outbound/delivery.ts'
import type { Posted } from '../slack/outbound/message.ts'
import { NotSent } from '../slack/pace.ts'
import { isDirectId, type SlackUser } from '../slack/person.ts'
import type { DocKey } from '../storage/docs.ts'
import { minuteMs } from '../work/durations.ts'
import { poked, takenBy } from '../work/lease.ts'
import { callNow } from './call.ts'
import { type Card, isOfFollow, type Naming, namesRead, namesShownIn } from './cards.ts'
import { afterCall, type Call, withCalled } from './followed.ts'
import { type CardView, renderCard, renderInOneMessage } from './render/card.ts'
import { renderHistory, renderNews } from './render/history.ts'
import { isClosed } from './render/state.ts'
import { closingIn, withCounts } from './tally.ts'
import { isWorse, type LastWords, loudnessOf, marksOf, newsFor, type Reply } from './thread.ts'

/** How long a closed alert is still looked at, as it may open again. */
const mayReopenMs = 15 * minuteMs
/** Delay before Slack is asked again to take what it did not take yet. */
export const soonMs = 5_000
/** Such a delay for a card that nobody watches, kept by a follow: thousands may wait. */
const laterMs = 30_000

/** A reading of the alert, to draw the card and to tell the thread; and what becomes of a live card, if not the usual. */
export interface CardReading
  extends Pick<TurnOutcome, 'watchers' | 'failures' | 'inMs' | 'isOver'> {
  readonly alert: Alert | undefined
  /**
   * Slack id of the person whose token read the alert just now; undefined if `alert` is the one that the card shows
   * already.
   */
  readonly readBy?: string | undefined
  /** The person who acted just now: number at the service, and Slack id, for their name if the service gives none. */
  readonly doer?: { readonly id: number; readonly userId: string } | undefined
  readonly ending?: LastWords | undefined
  readonly isOverdue?: boolean
}

export interface Update {
  /** @param live - Undefined if the card isn’t live. @returns Undefined if nothing is to be changed. */
  read(card: Card, live: LiveCard | undefined): Promise<CardReading | undefined>
  /** Somebody who pressed and waits. Without them, a card is drawn only if it differs or is old, and Slack has room. */
  readonly by?: From
  /** Decides about a live card that could not be told or drawn. Without this, the failure is thrown. */
  onFailure?(error: unknown, live: LiveCard): Promise<TurnOutcome>
}

/** A turn has only names that everybody who sees the card may read. */
interface Turn extends CardReading, Naming {
  readonly card: Card
  readonly live?: LiveCard | undefined
  readonly by?: From | undefined
  /** The card’s message; undefined if Slack did not say where it is. */
  readonly posted: Posted | undefined
}

/** Runs a turn, in steps 1 to 7. @returns Undefined if nothing changed. @throws What `read` throws, and Slack’s errors. */
export function updateCard(house: House, key: DocKey, update: Update): Promise<Turn | undefined> {
  const { turns, storage, poller } = house
  return turns(`card ${key.id}`, async () => {
    // 1. The lease, so that no other process changes the card meanwhile.
    const live = await takeLease(house, key)
    // If anything is thrown, the lease goes back with this outcome, which changes nothing.
    let outcome: TurnOutcome = {}
    try {
      const changed = await changeCard(house, key, live, update)
      outcome = changed.outcome
      // 6. Offers that follow the alert’s closing, once the card shows that it is closed.
      await tellOfClosing(house, changed.turn)

      return changed.turn
    } catch (error) {
      if (!live || !update.onFailure) throw error

      outcome = await update.onFailure(error, live)
      return undefined
    } finally {
      // 7. The lease goes back last, with what was found: somebody else may change the card from here on.
      if (live?.holder === poller.owner)
        await storage.liveCards.change(key, (one, now) => givenBack(one, live, outcome, now))
    }
  })
}

/** @returns `turn`: undefined if nothing was to be changed. */
async function changeCard(
  house: House,
  key: DocKey,
  live: LiveCard | undefined,
  { read, by }: Update,
): Promise<{ readonly outcome: TurnOutcome; readonly turn?: Turn }> {
  const found = await house.storage.cards.find(key)
  if (!found) return { outcome: { isOver: true } }

  // 2. The alert, read only now: a reading from before this turn may be older than what the card shows.
  const reading = await read(found, live)
  if (!reading) return { outcome: {} }

  // 3. Where the alert is, and names, for thread and card alike.
  const posted = live?.posted ?? found.posted
  const card = await placed(house, found, reading)
  const naming = await namesFor(house, card, reading, posted?.channelId ?? by?.place.channelId)
  const turn = { ...reading, ...naming, card, live, by, posted }

  // 4. The thread before the card: if the reply fails, the turn does too, and the news comes again.
  const [told] = await Promise.allSettled([tellNews(house, turn)])

  // 5. The card, even if the reply fails.
  const drawn = await redrawCard(house, turn)
  if (told.status === 'rejected') throw told.reason

  return { turn, outcome: turnOutcome(house, turn, told.value, drawn) }
}

/** If the card now shows its alert as closed, offers those who got access for the alert to hand that access back. */
async function tellOfClosing(house: House, turn: Turn | undefined) {
  const { posted, alert, card } = turn ?? {}
  if (posted && alert && card && isClosed(alert))
    await house.afterwards.offerHandBack(house, card.workspaceId, posted)
}

/**
 * Sends a new card in its turn, so that presses on the card come after.
 * @returns `fingerprint`: of the card as sent, for a live card.
 */
export function sendCard(
  house: House,
  card: Card,
  alert: Alert,
  send: (story: CardMessages) => Promise<Delivered>,
): Promise<{ readonly card: Card; fingerprint(): string }> {
  const { config, storage, turns } = house
  return turns(`card ${card.id}`, async () => {
    const { asker, place, names: known = noNames } = card
    const asset = place && house.assets.nameKnown(asker, place)
    const quiet = await quietLineAt(house, asker, place)
    const naming = await namesShownIn(house, card, { names: known, asset, quiet })
    const view = await viewOf(house, { ...naming, card, alert, readBy: asker.userId }, alert)
    const { isPrivate, posted, isHistoryTold } = await send({
      card: (isSeenByOne) => renderCard(config, { ...view, isPrivate: isSeenByOne }),
      history: () => renderHistory(alert.actions, naming.names),
      inOneMessage: ({ wantsThread, ...how }) =>
        renderInOneMessage(config, { ...view, ...how }, wantsThread),
    })

    // A history that did not arrive comes with the next *Refresh*, or with the next look if the card is live.
    const told = isHistoryTold ? card.told : marksOf(alert, [])
    const stands = (one: Card) => ({ ...one, isPrivate, posted, told })
    const kept = await storage.cards.change(card, stands, card)

    return { card: kept ?? card, fingerprint: () => shownIn(house, view).fingerprint }
  })
}

/** How often, and how long each time, a turn waits for another process that has the card. */
const mostWaits = 50
const waitMs = 200

/**
 * Takes a live card’s lease; after ten seconds of waiting, goes on without it.
 * @returns Undefined if the card is not live.
 */
async function takeLease(
  { storage, poller, now, wait }: House,
  key: DocKey,
): Promise<LiveCard | undefined> {
  const { liveCards } = storage
  for (let waits = 0; ; waits += 1) {
    const live = await liveCards.find(key)
    // This process’s own loop may hold the lease already.
    if (!live || (live.holder === poller.owner && live.heldUntil > now())) return live

    const taken = await liveCards.change(key, (one, at) =>
      takenBy(one, poller.owner, poller.leaseMs, at),
    )
    if (taken || waits === mostWaits) return taken ?? live

    await wait(waitMs)
  }
}

/** A card without a place gets the one that somebody’s link, or a follow, has found meanwhile. */
async function placed({ storage }: House, card: Card, { alert }: CardReading) {
  if (card.place || !alert) return card

  const place = await storage.places.find(card.workspaceId, alert.ks)
  const change = (one: Card) => ({ ...one, place })
  return (place && (await storage.cards.change(card, change, card))) ?? card
}

/** Names that the reader’s token has shown, and that all who see the card may read. All but the asset’s name are stored. */
async function namesFor(
  house: House,
  card: Card,
  { alert, readBy, doer }: CardReading,
  channelId: string | undefined,
): Promise<Naming> {
  if (!alert) return { names: noNames }

  const { assets, tokens, storage } = house
  const { asker, isPrivate, place } = card
  const owner = { ...asker, userId: readBy ?? asker.userId }
  const on = { ...card, names: namesKnown(house, asker, alert, card) }
  // Only the asker’s token searches for an unknown container; with another reader’s, the card shows the names already
  // known.
  const isFound =
    readBy === asker.userId || containerKnown(house, owner, alert.ks, card) !== undefined
  const token = readBy && (await tokens.find(owner))
  const reader = token && { owner, token }
  const [known, asset] = await Promise.all([
    reader && isFound ? namesRead(house, reader, on, alert) : namesKnown(house, owner, alert, on),
    place &&
      (reader ? assets.nameOf(reader, place, isOfFollow(card)) : assets.nameKnown(owner, place)),
  ])

  const names = await withDoer(house, known, doer)
  if (JSON.stringify(names) !== JSON.stringify(card.names ?? noNames))
    await storage.cards.change(card, (one) => ({ ...one, names }))
  const quiet = await quietLineAt(house, owner, place)
  return namesShownIn(house, { isPrivate, channelId }, { names, asset, quiet })
}

async function quietLineAt(house: House, owner: SlackUser, place: Card['place']) {
  const quiet = place && (await quietAt(house, owner, place))
  return quiet && quietLine(quiet, house.now())
}

async function withDoer({ slack }: House, names: Names, doer: CardReading['doer']) {
  if (!doer || personNamed(names, doer.id)) return names

  const name = await slack.people.nameOf(doer.userId)
  return name ? { ...names, people: { ...names.people, [doer.id]: name } } : names
}

/**
 * Tells the thread its news in one reply, and stores what was told. A reply that Slack did not confirm comes again.
 * @returns False if nothing was told yet, as Slack asks for a pause. A presser’s turn waits for Slack instead.
 */
async function tellNews(house: House, turn: Turn): Promise<boolean> {
  const { storage, now } = house
  const { card, posted, readBy, ending = endingFor(turn, now()) } = turn
  if (!posted) return true

  const { reply, marks } = newsFor(card.told, readBy ? turn.alert : undefined, ending)
  const loudness = reply && loudnessOf(reply, card.aloud, now())
  if (loudness && !(await sendReply(house, turn, posted, { ...reply, ...loudness }))) return false

  const { aloud } = loudness ?? card
  if (marks.join() !== card.told.join())
    await storage.cards.change(card, (kept) => ({ ...kept, told: marks, aloud }))
  if (reply) await countClosing(house, turn, reply)
  return true
}

/** Adds a closing to its follow’s tally once the thread has it: then it is no news any more, so it counts only once. */
async function countClosing({ storage }: House, { live, alert }: Turn, { actions }: Reply) {
  const { workspaceId = '', followId: id } = live ?? {}
  const counts = alert && isClosed(alert) ? closingIn(actions) : undefined
  if (id === undefined || counts === undefined) return

  await storage.follows.change({ workspaceId, id }, (one, now) => ({
    ...one,
    tally: withCounts(one.tally, counts, now),
  }))
}

/** Posts the reply with the news. @returns False if nothing was told yet, as Slack asks for a pause. */
async function sendReply(
  house: House,
  { card, live, names, by }: Turn,
  { channelId, ts, threadTs }: Posted,
  reply: Reply & ReturnType<typeof loudnessOf>,
): Promise<boolean> {
  const { config, slack, pace, now } = house
  const { isAloud } = reply
  const isForAll = isAloud && isWorse(reply) && live?.followId !== undefined
  const calling = live && isForAll ? callingFor(live, reply, now()) : undefined
  const made = live && calling && (await callForChange(house, live, calling))
  // Watchers are mentioned, but not in a direct message, where a reply is enough; nor is the presser, who sees the outcome
  // anyway.
  const watchers = live && isAloud && !isDirectId(channelId) ? runningAt(live, now()) : []
  const heard = watchers.map(({ userId }) => userId).filter((userId) => userId !== by?.asker.userId)
  const mention = [...heard, made?.mention ?? []].flat()

  const message = renderNews(config, { ...reply, names, about: threadTs && card.title, mention })
  const post = () => slack.postOnce(channelId, message, threadTs ?? ts, isForAll)
  const postIfStill = async () => {
    if (!live || !(await isStillOurs(house, live))) throw new NotSent()

    await post()
  }
  try {
    await (by ? slack.patiently(post) : pace.inTurn(channelId, postIfStill))
  } catch (error) {
    if (!by && waitSecondsOf(error) !== undefined) return false

    throw error
  }

  if (live && (calling || live.failures > 0)) await noteSaid(house, live, made?.call, calling)
  return true
}

/** The changed alert, if it may call somebody; undefined if somebody has the alert, or watches it, already. */
function callingFor(live: LiveCard, { change }: Reply, now: number): Alert | undefined {
  const isFree = change?.alert.ownerId === null && peopleAt(live, now).length === 0
  return isFree ? change.alert : undefined
}

async function callForChange(house: House, live: LiveCard, { lastSeverity }: Alert) {
  const { workspaceId, followId: id = '', posted } = live
  const follow = await house.storage.follows.find({ workspaceId, id })
  return callNow(house, posted.channelId, follow?.call, lastSeverity)
}

/**
 * Stores with the follow that the call was made, to be made again while nobody answers it. Also stores that its channel
 * takes messages again, unless new alerts still wait.
 */
async function noteSaid(
  house: House,
  live: LiveCard,
  made: Call | undefined,
  calling: Alert | undefined,
) {
  const { storage, poller } = house
  const { workspaceId, followId: id = '', ks } = live
  await storage.follows.change({ workspaceId, id }, (one, now) => {
    const call = afterCall(one.call, made)
    const unsaid = one.unsaid?.alerts === 0 ? undefined : one.unsaid
    const isCalled = calling !== undefined && calling.lastSeverity <= (call?.from ?? -1)
    const openCalls = isCalled
      ? withCalled(one.openCalls, [ks], now, made !== undefined)
      : one.openCalls
    // The follow’s look, due at once, says who isn’t there, and notes when to call again.
    const isAway = call?.away === 'untold'
    const said = { ...one, call, unsaid, openCalls }
    return isAway || isCalled ? poked(said, now) : said
  })
  poller.wake()
}

/** Last words for the thread, if the alert is closed or can’t be read. Their id sees to it that they are said once. */
function endingFor({ live, alert, readBy, isOverdue }: Turn, now: number): LastWords | undefined {
  if (!live) return undefined

  const { since, shown } = live
  if (isOverdue) return { id: `${since} unread ${shown.asOf}`, words: unreadWords }

  // Nothing is said of a card that was drawn closed before, nor of one that nobody watches: nobody was told that it is
  // live.
  const isNews = readBy && alert && isClosed(alert) && !isClosed(shown.alert)
  return isNews && peopleAt(live, now).length > 0
    ? { id: String(since), words: closedWords }
    : undefined
}

/** @returns What the card shows now, if it was drawn; `waits` if Slack, or another process, has to be waited for. */
async function redrawCard(house: House, turn: Turn): Promise<CardShown | 'waits' | undefined> {
  const { config, slack, updates } = house
  const { live, alert, posted, by } = turn
  if (!alert) return undefined

  const view = await viewOf(house, turn, alert)
  if (!posted) return void (by && (await replaceByUrl(house, view, by)))

  const message = renderCard(config, view)
  const shown = shownIn(house, view)
  if (by) {
    await slack.update(posted, message)
    updates.note()
    return shown
  }

  if (!live || !isToDraw(house, live, shown)) return undefined

  const update = async () => {
    const refusal = await orRefusal(slack.updateOnce(posted, message))
    // Cards that Slack lets nobody change stay as they are: their thread says it all.
    if (refusal && refusal.meaning !== 'fixed') throw refusal
  }
  return (await isStillOurs(house, live)) && (await updates.run(update)) ? shown : 'waits'
}

function shownIn({ config }: House, view: CardView): CardShown {
  const { asOf, nextBy } = view
  const drawn = renderCard(config, { ...view, asOf: 0, nextBy: nextBy && 0 })
  const fingerprint = hash('sha256', JSON.stringify(drawn), 'base64url')

  return { alert: { ...view.alert, actions: [] }, asOf, nextBy, fingerprint }
}

/** All that the card’s message shows after this turn. A turn that read nothing keeps the times of the last reading. */
async function viewOf(
  house: House,
  {
    card,
    live,
    names,
    asset,
    quiet,
    readBy,
    isOverdue = false,
    watchers,
    by,
  }: Omit<Turn, 'posted'>,
  alert: Alert,
): Promise<CardView> {
  const { config, now } = house
  const { asker, isPrivate } = card
  const asOf = readBy || !live ? Math.floor(now() / 1000) : live.shown.asOf
  const named = watchers ?? (live ? runningAt(live, now()) : [])
  // A closed alert’s card does not say that Bellhop still looks at it for a while.
  const line = isClosed(alert) ? undefined : watchersShown(named)
  const nextBy = readBy
    ? asOf + Math.floor(goodForMs(config.watch.intervalMs) / 1000)
    : live?.shown.nextBy
  const isAskers = by?.asker.userId === asker.userId

  return {
    ...card,
    alert,
    names,
    asset,
    quiet,
    asOf,
    isOverdue,
    refresherName: isAskers ? undefined : by?.asker.name,
    readerId: isPrivate ? await ownIdOf(house, asker) : undefined,
    live: line,
    nextBy: line && nextBy,
  }
}

function isToDraw({ config, now }: House, { shown }: LiveCard, drawn: CardShown): boolean {
  if (drawn.fingerprint !== shown.fingerprint) return true

  const { intervalMs } = config.watch
  const isDue = now() - shown.asOf * 1000 >= goodForMs(intervalMs) - 1.1 * intervalMs - 30_000
  return isDue && drawn.nextBy !== undefined && drawn.asOf > shown.asOf
}

/** How long a card drawn now can be trusted. */
function goodForMs(intervalMs: number) {
  return Math.max(10 * minuteMs, 1.25 * intervalMs + minuteMs)
}

/**
 * Replaces the pressed message through its response_url, as the bot can’t edit that message. Nor can it post below it, so
 * card and history are one message, which says that a thread (`wantsThread`) needs the bot as a member.
 */
async function replaceByUrl({ config, slack }: House, view: CardView, { place }: From) {
  const { responseUrl, isDirect, threadTs } = place
  if (!responseUrl) return

  const wantsThread = !view.isPrivate && !isDirect && !threadTs
  const message = renderInOneMessage(config, view, wantsThread)
  await slack.respond(responseUrl, message, {
    to: view.isPrivate ? 'asker' : 'channel',
    replaces: true,
  })
}

/** True if the bot isn’t stopping, this process has the card, and nobody asked for another look at the card. */
async function isStillOurs({ storage, poller, stopping }: House, live: LiveCard) {
  const found = stopping.aborted ? undefined : await storage.liveCards.find(live)
  return found?.holder === poller.owner && found.dueAt === live.dueAt
}

/**
 * The outcome of a turn for a live card: when it is looked at next, who still watches, whether it is over.
 * @param isTold - False if the thread hasn’t its news yet: then nobody’s watch ends.
 */
function turnOutcome(
  { config, now }: House,
  { live, alert, readBy, watchers, isOver, failures = 0, inMs }: Turn,
  isTold: boolean,
  shown: Awaited<ReturnType<typeof redrawCard>>,
): TurnOutcome {
  const mayReopenUntil =
    alert && isClosed(alert) ? (live?.mayReopenUntil ?? now() + mayReopenMs) : undefined
  const found = { failures: 0, read: readBy ? { mayReopenUntil } : undefined }
  // The card is drawn soon, even if nothing else happens to the alert.
  if (shown === 'waits') return { ...found, ...waitingFor(live) }

  const usualMs = Math.round(config.watch.intervalMs * (0.95 + Math.random() / 10))
  if (!isTold) return { ...found, shown, inMs: usualMs }

  const isAtRest = live?.followId && runningAt(live, now()).length === 0
  return {
    ...found,
    shown,
    failures,
    inMs: inMs ?? (isAtRest ? 'never' : usualMs),
    watchers,
    isOver,
  }
}

/** The outcome of a live card that is read, but can’t be drawn yet. */
export function waitingFor(live: LiveCard | undefined): TurnOutcome {
  const isWatched = live && live.watchers.length > 0
  return {
    inMs: isWatched ? soonMs : Math.round(laterMs * (0.8 + Math.random() / 5)),
    isWaiting: true,
  }
}
