// Looks at one live card: what is new is told and drawn; when nobody watches any more, or there is nothing left to
// watch, it is told how it ended.
//
// The thread comes first, as messages have a limit of their own in each channel, while all cards of a workspace share
// the updates. A card that waits for its turn is read and told on, and is finished only once it is drawn.

import type { CardSettings } from '../alert/render/card.ts'
import type { ThreadNews } from '../alert/thread-news.ts'
import type { Log } from '../log/log.ts'
import { classify } from '../slack/client/refusals.ts'
import type { Clock } from '../slack/ids.ts'
import type { Outbound } from '../slack/outbound/outbound.ts'
import type { Pace } from '../slack/outbound/pace.ts'
import type { PerWorkspace } from '../slack/per-workspace.ts'
import { createConclusions, type Inform, type NewsTold } from './conclude.ts'
import { endOf, isNothingNew, seenOf } from './draw.ts'
import type { Find, Findings } from './find.ts'
import { createGiveBack, type Held, NotHeld } from './held.ts'
import { createRedraw, type Fresh, type Redrawn } from './redraw.ts'
import type { Promised, Promises, Timing } from './timing.ts'
import type { Updates } from './updates.ts'
import type { CardShown, KnownCard, Watches } from './watches.ts'

/**
 * Asks the service. Resolves to what is left to do in Slack, which waits for the channel's turn; undefined when that
 * is nothing. Neither rejects for what the service or Slack do; both do for what the store does.
 */
export type Look = (held: Held) => Promise<(() => Promise<void>) | undefined>

/** A reply that is on its way, or in doubt, is looked at again after this time. */
const soonMs = 5_000

export function createLook(room: {
  readonly watches: Pick<Watches, 'looked' | 'isStill' | 'markEnded' | 'drop' | 'finish'>
  readonly find: Find
  readonly threadNews: ThreadNews
  readonly outbound: PerWorkspace<Pick<Outbound, 'updateOnce' | 'reply' | 'seek'>>
  readonly inform: Inform
  readonly pace: Pace
  readonly updates: Pick<Updates, 'ask' | 'done' | 'forget' | 'busy'>
  readonly promises: Promises
  readonly timing: Timing
  readonly settings: CardSettings
  readonly log: Log
  readonly now: Clock
}): Look {
  const { watches, find, updates, promises, timing, log, now } = room
  const giveBack = createGiveBack(watches, timing)
  const redraw = createRedraw(room)
  const { tell, informEnded, abandon } = createConclusions({ ...room, giveBack })

  /** What Slack would not take is no reason to leave the card as it is. */
  async function tellFirst(
    held: Held,
    live: KnownCard,
    fresh: Fresh,
  ): Promise<NewsTold & { error?: unknown }> {
    try {
      return await tell(held, live, fresh)
    } catch (error) {
      const { kind, lost } = classify(error)
      if (error instanceof NotHeld || lost.message || kind === 'defect') throw error
      return { fresh, isTold: false, error }
    }
  }

  async function deliver(held: Held, live: KnownCard, first: Fresh, promised: Promised): Promise<void> {
    let drawn: CardShown | undefined
    let { found } = first
    try {
      const news = await tellFirst(held, live, first)
      found = news.fresh.found
      const redrawn = await redraw(held, live, news.fresh, promised)
      drawn = redrawn.drawn
      if (news.error !== undefined && classify(news.error).kind !== 'busy') throw news.error
      await conclude(held, live, news, redrawn)
    } catch (error) {
      // When somebody poked it, it is due again; when it is somebody else's, this changes nothing.
      if (error instanceof NotHeld) return giveBack.well(held, { drawn, inMs: 0 })
      if (classify(error).lost.message) {
        updates.forget(live)
        return abandon(held, live)
      }
      // Whether Slack took the last drawing is not known.
      const seen = drawn === undefined ? null : undefined
      const kept = { drawn, seen, isTrue: found.answer.kind === 'alert' }
      const what = 'a live card could not be brought up to date; it is tried again'
      if (classify(error).kind !== 'defect') log.failedJob('warn', { err: error }, what)
      else log.failedJob('error', { err: error }, what)
      await giveBack.failed(held, kept)
    }
  }

  /** The card is given back, or finished. */
  async function conclude(
    held: Held,
    live: KnownCard,
    news: NewsTold & { error?: unknown },
    redrawn: Redrawn,
  ) {
    const { drawn, isWaiting } = redrawn
    const { found } = news.fresh
    const isTrue = redrawn.found.answer.kind === 'alert'
    if (!news.isTold) {
      // One that Slack asks to wait with is tried again in its time, and the alert is read meanwhile.
      const soon = news.error === undefined ? { inMs: soonMs } : {}
      return giveBack.well(held, { drawn, isTrue, failures: live.failures, ...soon })
    }
    await informEnded(held, live, found)
    // What was found only when the card was drawn is still to be told.
    const isWhole = isSame(found, redrawn.found)
    if (endOf(found) !== undefined && isWhole && !isWaiting) {
      return void (await watches.finish(held.owner, live))
    }
    if (!isWhole) return giveBack.well(held, { drawn, isTrue, inMs: 0 })
    if (endOf(found) !== undefined) return giveBack.well(held, { drawn, isTrue })
    const gone = found.ended.map(({ watcher }) => watcher.userId)
    await watches.drop(held.owner, live, gone)
    const { answer, remaining } = found
    if (answer.kind === 'failure') return giveBack.unanswered(held, answer.error.retryAfterMs, drawn)
    const isAll = answer.kind === 'alert' && !isWaiting
    return giveBack.well(held, { drawn, isTrue, ...(isAll ? { seen: seenOf(answer.alert, remaining) } : {}) })
  }

  return async (held) => {
    const { card } = held.live
    if (card === undefined) {
      updates.forget(held.live)
      await watches.finish(held.owner, held.live)
      return undefined
    }
    const live = { ...held.live, card }
    const atMs = held.ageMs()
    const [found, promised] = await Promise.all([find(live), promises.of(live.workspaceId)])
    const fresh = { found, atMs }
    if (isNothingNew(live, found, { now: now(), leadMs: promised.leadMs })) {
      updates.forget(live)
      await giveBack.well(held, { isTrue: true })
      return undefined
    }
    return () => deliver(held, live, fresh, promised)
  }
}

/** True when both lead to the same being told. */
function isSame(one: Findings, other: Findings): boolean {
  if (one === other) return true
  if (one.answer.kind !== 'alert' || other.answer.kind !== 'alert') return false
  return seenOf(one.answer.alert, one.remaining) === seenOf(other.answer.alert, other.remaining)
}
