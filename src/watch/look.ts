// Looks at one live card: what is new is told and drawn; when nobody watches any more, or there is nothing left to
// watch, it is told how it ended.
//
// The thread comes first, as messages have a limit of their own in each channel, while all cards of a workspace share
// the updates. A card that waits for its turn is read and told on, and is finished only once it is drawn.

import { askToConnect } from '../account/connect-first.ts'
import type { Ending } from '../alert/cards.ts'
import { isNews, type ToTell, tellThread, type Way } from '../alert/thread-news.ts'
import { type Names, noNames } from '../names/names.ts'
import { classify } from '../slack/client/refusals.ts'
import type { Message } from '../slack/outbound/message.ts'
import {
  endOf,
  type Fresh,
  isNothingNew,
  isOld,
  isRested,
  isResting,
  type Redrawn,
  redraw,
  seenOf,
} from './draw.ts'
import { type Findings, findOut, namesFor } from './find.ts'
import { type Held, NotHeld, type Poller, throwUnlessHeld } from './poller.ts'
import {
  endingWords,
  nameOf,
  refusedWatchWords,
  renderGone,
  renderNotAllowed,
  unreadWords,
} from './render.ts'
import type { LookRoom, WatchRoom } from './room.ts'
import { tellWatchers } from './tell-watchers.ts'
import type { Freshness } from './updates.ts'
import type { CardShown, Ended, KnownCard, Looked, Watcher } from './watches.ts'

/** A reply that is on its way, or in doubt, is looked at again after this time. */
const soonMs = 5_000

/** Background job: looks at live cards as they fall due. */
export function keepLive(room: WatchRoom): { start(): void; readonly stop: Poller['stop'] } {
  const { poller } = room
  return { start: () => poller.start((held) => look(room, held)), stop: poller.stop }
}

/** A poller's `Look`. */
export async function look(room: LookRoom, held: Held): Promise<(() => Promise<void>) | undefined> {
  const { watches, updates } = room
  const { card } = held.live
  if (card === undefined) {
    updates.forget(held.live)
    await watches.finish(held.owner, held.live)
    return undefined
  }
  const live = { ...held.live, card }
  const atMs = held.ageMs()
  const [found, freshness] = await Promise.all([findOut(room, live), room.freshness.of(live.workspaceId)])
  const fresh = { found, atMs }
  if (isNothingNew(live, found, { now: room.now(), leadMs: freshness.leadMs })) {
    updates.forget(live)
    await giveBack(room, held, { isRead: true })
    return undefined
  }
  return () => deliver(room, held, live, fresh, freshness)
}

async function deliver(
  room: LookRoom,
  held: Held,
  live: KnownCard,
  first: Fresh,
  freshness: Freshness,
): Promise<void> {
  let drawn: CardShown | undefined
  let { found } = first
  try {
    const news = await tellFirst(room, held, live, first)
    found = news.fresh.found
    // Side by side: each waits for turns of its own.
    const [redrawing, telling] = await Promise.allSettled([
      redraw(room, held, live, news.fresh, freshness),
      tellWatchers(room, held, live, found),
    ])
    const redrawn = resultOf(redrawing)
    drawn = redrawn.drawn
    const areWatchersTold = resultOf(telling)
    if (news.error !== undefined && classify(news.error).kind !== 'busy') throw news.error
    await conclude(room, held, live, { ...news, areWatchersTold }, redrawn)
  } catch (error) {
    // A poked card is due again. If another process holds the card by now, this changes nothing.
    if (error instanceof NotHeld) return giveBack(room, held, { drawn, inMs: 0 })
    if (classify(error).lost.message) {
      room.updates.forget(live)
      return abandon(room, held, live)
    }
    // Whether Slack took the last drawing is not known.
    const seen = drawn === undefined ? null : undefined
    const kept = { drawn, seen, isRead: found.answer.kind === 'alert' }
    const what = 'a live card could not be brought up to date; it is tried again'
    if (classify(error).kind !== 'defect') room.log.failedJob('warn', { err: error }, what)
    else room.log.failedJob('error', { err: error }, what)
    await giveBackFailed(room, held, kept)
  }
}

function resultOf<T>(settled: PromiseSettledResult<T>): T {
  if (settled.status === 'rejected') throw settled.reason
  return settled.value
}

/** What the thread knows. */
interface NewsTold {
  /** What was found last: all of it is told, unless it is still to be. */
  readonly fresh: Fresh
  readonly isTold: boolean
  /** Slack's refusal of the reply. The card is redrawn all the same. */
  readonly error?: unknown
}

/** The same, and whether those who watch were told directly. */
type AllTold = NewsTold & { readonly areWatchersTold: boolean }

async function tellFirst(room: LookRoom, held: Held, live: KnownCard, fresh: Fresh): Promise<NewsTold> {
  try {
    return await tellNews(room, held, live, fresh)
  } catch (error) {
    const { kind, lost } = classify(error)
    if (error instanceof NotHeld || lost.message || kind === 'defect') throw error
    return { fresh, isTold: false, error }
  }
}

/** The card is given back, or finished. */
async function conclude(
  room: LookRoom,
  held: Held,
  live: KnownCard,
  news: AllTold,
  redrawn: Redrawn,
): Promise<void> {
  const { watches } = room
  const { drawn, isWaiting } = redrawn
  const { found } = news.fresh
  const isRead = redrawn.found.answer.kind === 'alert'
  if (redrawn.failure !== undefined) {
    return giveBackUnanswered(room, held, redrawn.failure.retryAfterMs, { drawn, isRead })
  }
  if (!news.isTold) {
    // If Slack asked to wait, the next look comes at the usual interval; otherwise soon.
    const soon = news.error === undefined ? { inMs: soonMs } : {}
    return giveBack(room, held, { drawn, isRead, failures: live.failures, ...soon })
  }
  await informEnded(room, held, live, found)
  // What was found only when the card was drawn is still to be told.
  if (!isSame(found, redrawn.found)) return giveBack(room, held, { drawn, isRead, inMs: 0 })
  const { answer, remaining } = found
  const end = endOf(found)
  if (end?.kind === 'closed' && !isResting(live)) {
    room.tellOthersIfClosed(live.workspaceId, end.alert, { ks: live.card.ks, but: live.cardId })
  }
  const isOver = end?.kind === 'closed' ? remaining.length === 0 || isRested(live) : end !== undefined
  if (isOver && !isWaiting) return void (await watches.finish(held.owner, live))
  if (isOver) return giveBack(room, held, { drawn, isRead })
  const gone = found.ended.map(({ watcher }) => watcher.userId)
  await watches.drop(held.owner, live, gone)
  if (answer.kind === 'failure' && isRested(live)) return void (await watches.finish(held.owner, live))
  if (answer.kind === 'failure') return giveBackUnanswered(room, held, answer.error.retryAfterMs, { drawn })
  const isAll = answer.kind === 'alert' && !isWaiting && news.areWatchersTold
  return giveBack(room, held, { drawn, isRead, ...(isAll ? { seen: seenOf(answer.alert, remaining) } : {}) })
}

/** True when there is the same to tell of both. */
function isSame(one: Findings, other: Findings): boolean {
  if (one === other) return true
  if (one.answer.kind !== 'alert' || other.answer.kind !== 'alert') return false
  return seenOf(one.answer.alert, one.remaining) === seenOf(other.answer.alert, other.remaining)
}

/** Tells the thread what it does not know yet. Rejects for what Slack does; then nothing is told. */
async function tellNews(room: LookRoom, held: Held, live: KnownCard, first: Fresh): Promise<NewsTold> {
  const { card } = live
  const known = card.names ?? noNames
  if (!isNews(room, card, toTell(room, live, first.found, known))) return { fresh: first, isTold: true }
  // In the turn from the beginning: a reply that was noted and then waited would seem to be in doubt.
  return inTurn(room, held, async () => {
    // What came while it waited is told along.
    const atMs = held.ageMs()
    const fresh = isOld(held, first) ? { found: await findOut(room, live), atMs } : first
    const { found } = fresh
    const names = await namesFor(room, live, found)
    // Somebody may watch again by now.
    if (endOf(found) !== undefined && !(await room.watches.isStill(held.owner, live))) throw new NotHeld()
    const slack = room.outbound.in(live.workspaceId)
    const way: Way = {
      post: (message, mark) => {
        throwUnlessHeld(held)
        return slack.reply(live.posted, message, mark)
      },
      seek: (markId, since) => slack.seek(live.posted, markId, since),
    }
    const told = await tellThread(room, { ...card, names }, toTell(room, live, found, names), way)
    if (told.kind === 'doubtful')
      room.log.warn({ err: told.error }, 'Slack did not confirm a reply; it is looked for')
    return { fresh, isTold: told.kind === 'all' }
  })
}

/** Sends in the channel's turn, unless the card has come into other hands by then. */
function inTurn<T>({ pace }: LookRoom, held: Held, work: () => Promise<T>): Promise<T> {
  const { workspaceId, posted } = held.live
  return pace.inTurn({ workspaceId, channelId: posted.channelId }, async () => {
    throwUnlessHeld(held)
    return work()
  })
}

/** What the thread is told besides actions: how it ended, or, once, that the alert cannot be read just now. */
function lastWords(
  { timing, ttlHours }: LookRoom,
  live: KnownCard,
  found: Findings,
  names: Names,
): Ending | undefined {
  const end = endOf(found)
  if (end !== undefined) return { id: String(live.since), ...endingWords(end, ttlHours, names) }
  if (found.answer.kind !== 'failure' || isResting(live) || !timing.isOverdue(live)) return undefined
  return { id: `${live.since} unread ${live.shown?.asOf ?? 0}`, words: unreadWords }
}

function toTell(room: LookRoom, live: KnownCard, found: Findings, names: Names): ToTell {
  const { answer } = found
  return {
    alert: answer.kind === 'alert' ? answer.alert : undefined,
    ending: lastWords(room, live, found, names),
  }
}

/** Those who watch no more hear why, each once, where the thread does not tell it. */
async function informEnded(
  room: LookRoom,
  { owner }: Held,
  live: KnownCard,
  { ended }: Findings,
): Promise<void> {
  for (const { watcher, why } of ended) {
    if (watcher.ended !== undefined || (why.kind !== 'refused' && why.kind !== 'forbidden')) continue
    const isMarked = await room.watches.markEnded(owner, live, watcher.userId, why)
    if (isMarked) await inform(room, live, watcher, why.kind)
  }
}

/** So often somebody is told that their card is gone, when Slack does not take it. */
const mostFarewells = 8

/** The card is out of reach: its watchers hear it, as no thread can tell them. */
async function abandon(room: LookRoom, held: Held, live: KnownCard): Promise<void> {
  for (const watcher of live.watchers) {
    if (watcher.ended !== undefined) continue
    const isTold = await inform(room, live, watcher, 'gone')
    if (!isTold && live.failures < mostFarewells) return giveBackFailed(room, held, {})
    await room.watches.markEnded(held.owner, live, watcher.userId, { kind: 'gone' })
  }
  await room.watches.finish(held.owner, live)
}

type WhyInform = Extract<Ended['kind'], 'refused' | 'forbidden' | 'gone'>

/**
 * Tells a watcher directly that they watch no more, where they could not know it from the thread. Never throws. False
 * when the message could not be posted, which is logged.
 */
async function inform(room: LookRoom, live: KnownCard, watcher: Watcher, why: WhyInform): Promise<boolean> {
  try {
    await sayWhyEnded(room, live, watcher, why)
    return true
  } catch (error) {
    room.log.failedJob(
      'warn',
      { err: error, user: watcher.userId },
      'a watcher could not be told that their watch has ended',
    )
    return false
  }
}

async function sayWhyEnded(
  { account, outbound }: LookRoom,
  live: KnownCard,
  { userId, name }: Watcher,
  why: WhyInform,
): Promise<void> {
  const { workspaceId, cardId, shown } = live
  const { ks } = live.card
  const post = (message: Message) => outbound.in(workspaceId).post(userId, message)
  const alertName = nameOf(ks, shown)
  if (why === 'gone') await post(renderGone(alertName, ks))
  if (why === 'forbidden') await post(renderNotAllowed(alertName))
  if (why !== 'refused') return
  const place = { workspaceId, userId, channelId: undefined, responseUrl: undefined, isDirect: true }
  const wanted = { feature: 'watch', ks, ask: { cardId } } as const
  const text = refusedWatchWords(alertName)
  await askToConnect(account, { asker: { workspaceId, userId, name }, place }, wanted, 'refused', { text })
}

/** Keeps what was found, and lets others have the card. */
function giveBack(
  { watches, timing }: LookRoom,
  { owner, live, ageMs }: Held,
  looked: Partial<Looked>,
): Promise<void> {
  const nothing = { drawn: undefined, seen: undefined, isRead: false, failures: 0, askInMs: 0 }
  return watches.looked(owner, live, { ...nothing, inMs: timing.next(live, ageMs()), ...looked })
}

/** The look failed: the next one comes later. */
function giveBackFailed(room: LookRoom, held: Held, looked: Partial<Looked>): Promise<void> {
  const { live } = held
  return giveBack(room, held, {
    ...looked,
    failures: live.failures + 1,
    inMs: room.timing.afterFailure(live),
  })
}

/** The service did not answer, or was not asked, as it has asked to be left alone. */
function giveBackUnanswered(
  room: LookRoom,
  held: Held,
  askInMs: number,
  looked: Partial<Looked>,
): Promise<void> {
  const { live } = held
  if (live.askInMs === 0) return giveBackFailed(room, held, { ...looked, askInMs })
  const inMs = Math.min(room.timing.afterFailure(live), askInMs)
  return giveBack(room, held, { ...looked, askInMs, inMs, failures: live.failures })
}
