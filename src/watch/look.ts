// Looks at one live card: what is new is told and drawn; when nobody watches any more, or there is nothing left to
// watch, it is told how it ended.
//
// The thread comes first, as messages have a limit of their own in each channel, while all cards of a workspace share
// the updates. A card that waits for its turn is read and told on, and is finished only once it is drawn.

import { classify } from '../slack/client/refusals.ts'
import {
  abandon,
  giveBack,
  giveBackFailed,
  giveBackUnanswered,
  informEnded,
  type NewsTold,
  tellNews,
} from './conclude.ts'
import { endOf, type Fresh, isNothingNew, isRested, isResting, type Redrawn, redraw, seenOf } from './draw.ts'
import { type Findings, findOut } from './find.ts'
import { type Held, NotHeld, type Poller } from './poller.ts'
import type { LookRoom, WatchRoom } from './room.ts'
import { tellWatchers } from './tell-watchers.ts'
import type { Promised } from './updates.ts'
import type { CardShown, KnownCard } from './watches.ts'

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
  const [found, promised] = await Promise.all([findOut(room, live), room.promises.of(live.workspaceId)])
  const fresh = { found, atMs }
  if (isNothingNew(live, found, { now: room.now(), leadMs: promised.leadMs })) {
    updates.forget(live)
    await giveBack(room, held, { isTrue: true })
    return undefined
  }
  return () => deliver(room, held, live, fresh, promised)
}

async function deliver(
  room: LookRoom,
  held: Held,
  live: KnownCard,
  first: Fresh,
  promised: Promised,
): Promise<void> {
  let drawn: CardShown | undefined
  let { found } = first
  try {
    const news = await tellFirst(room, held, live, first)
    found = news.fresh.found
    // Side by side: each waits for turns of its own.
    const [redrawing, telling] = await Promise.allSettled([
      redraw(room, held, live, news.fresh, promised),
      tellWatchers(room, held, live, found),
    ])
    const redrawn = resultOf(redrawing)
    drawn = redrawn.drawn
    const areWatchersTold = resultOf(telling)
    if (news.error !== undefined && classify(news.error).kind !== 'busy') throw news.error
    await conclude(room, held, live, { ...news, areWatchersTold }, redrawn)
  } catch (error) {
    // When somebody poked it, it is due again; when it is somebody else's, this changes nothing.
    if (error instanceof NotHeld) return giveBack(room, held, { drawn, inMs: 0 })
    if (classify(error).lost.message) {
      room.updates.forget(live)
      return abandon(room, held, live)
    }
    // Whether Slack took the last drawing is not known.
    const seen = drawn === undefined ? null : undefined
    const kept = { drawn, seen, isTrue: found.answer.kind === 'alert' }
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

/** With what Slack would not take, which is no reason to leave the card as it is. */
type NewsTried = NewsTold & { readonly error?: unknown }

/** The same, and whether those who watch were told directly. */
type AllTried = NewsTried & { readonly areWatchersTold: boolean }

async function tellFirst(room: LookRoom, held: Held, live: KnownCard, fresh: Fresh): Promise<NewsTried> {
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
  news: AllTried,
  redrawn: Redrawn,
): Promise<void> {
  const { watches } = room
  const { drawn, isWaiting } = redrawn
  const { found } = news.fresh
  const isTrue = redrawn.found.answer.kind === 'alert'
  if (!news.isTold) {
    // One that Slack asks to wait with is tried again in its time, and the alert is read meanwhile.
    const soon = news.error === undefined ? { inMs: soonMs } : {}
    return giveBack(room, held, { drawn, isTrue, failures: live.failures, ...soon })
  }
  await informEnded(room, held, live, found)
  // What was found only when the card was drawn is still to be told.
  if (!isSame(found, redrawn.found)) return giveBack(room, held, { drawn, isTrue, inMs: 0 })
  const { answer, remaining } = found
  const end = endOf(found)
  if (end?.kind === 'closed' && !isResting(live)) {
    room.noteClosed(live.workspaceId, end.alert, { ks: live.card.ks, but: live.cardId })
  }
  const isOver = end?.kind === 'closed' ? remaining.length === 0 || isRested(live) : end !== undefined
  if (isOver && !isWaiting) return void (await watches.finish(held.owner, live))
  if (isOver) return giveBack(room, held, { drawn, isTrue })
  const gone = found.ended.map(({ watcher }) => watcher.userId)
  await watches.drop(held.owner, live, gone)
  if (answer.kind === 'failure' && isRested(live)) return void (await watches.finish(held.owner, live))
  if (answer.kind === 'failure') return giveBackUnanswered(room, held, answer.error.retryAfterMs, drawn)
  const isAll = answer.kind === 'alert' && !isWaiting && news.areWatchersTold
  return giveBack(room, held, { drawn, isTrue, ...(isAll ? { seen: seenOf(answer.alert, remaining) } : {}) })
}

/** True when both lead to the same being told. */
function isSame(one: Findings, other: Findings): boolean {
  if (one === other) return true
  if (one.answer.kind !== 'alert' || other.answer.kind !== 'alert') return false
  return seenOf(one.answer.alert, one.remaining) === seenOf(other.answer.alert, other.remaining)
}
