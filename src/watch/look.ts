// Looks at one live card: what is new is drawn and told; when nobody watches any more, or there is nothing left to
// watch, it is told how it ended.
import type { CardSettings } from '../alert/render.ts'
import type { ThreadNews, Way } from '../alert/thread-news.ts'
import type { Log } from '../log.ts'
import type { Clock } from '../slack/ids.ts'
import type { Outbound } from '../slack/outbound.ts'
import { NotSent, type Pace } from '../slack/pace.ts'
import { isGone, isSlackFailure, waitAskedFor } from '../slack/refusals.ts'
import { type Drawing, draw, endOf, isQuiet, isWorthDrawing, seenOf } from './draw.ts'
import type { Find, Findings } from './find.ts'
import type { Inform } from './inform.ts'
import { type EndOfCard, endingWords } from './render.ts'
import type { Timing } from './timing.ts'
import type { KnownCard, LiveCard, Looked, Shown, Watches } from './watches.ts'

/** A card in the hands of this process. */
export interface Held {
  readonly live: LiveCard
  /** Names the holder to the store. */
  readonly owner: string
  /** How long ago it was taken, in milliseconds. */
  ageMs(): number
  /** False once the lease may have run out: somebody else may look at the card now. */
  isHeld(): boolean
}

/**
 * Asks the service. Resolves to what is left to do in Slack, which waits for the channel's turn; undefined when that
 * is nothing. Neither rejects for what the service or Slack do; both do for what the store does.
 */
export type Look = (held: Held) => Promise<(() => Promise<void>) | undefined>

/** What is older than this when the channel's turn has come is asked for again: the newest state is drawn. */
const oldMs = 1_000
/** So often somebody is told that their card is gone, when Slack does not take it. */
const mostFarewells = 8
/** A reply that is on its way, or in doubt, is looked at again after this time. */
const soonMs = 5_000

export function createLook(room: {
  readonly watches: Pick<Watches, 'looked' | 'isStill' | 'markEnded' | 'drop' | 'finish'>
  readonly find: Find
  readonly threadNews: ThreadNews
  readonly outbound: Pick<Outbound, 'updateOnce' | 'reply' | 'seek'>
  readonly inform: Inform
  readonly pace: Pace
  readonly timing: Timing
  readonly settings: CardSettings
  readonly log: Log
  readonly now: Clock
}): Look {
  const { watches, find, threadNews, outbound, inform, pace, timing, settings, log, now } = room

  const drawingOf = (live: KnownCard, found: Findings) => {
    const { answer, remaining } = found
    const watchers = endOf(found) === undefined ? remaining : []
    const alert = answer.kind === 'alert' ? answer.alert : undefined
    const isOverdue = answer.kind === 'failure' && timing.isOverdue(live)
    return draw(settings, live, { alert, asOf: Math.floor(now() / 1000), isOverdue }, watchers)
  }

  /** Keeps what was found, and lets others have the card. */
  function giveBack({ owner, live, ageMs }: Held, looked: Partial<Looked>): Promise<void> {
    const nothing = { drawn: undefined, seen: undefined, isTrue: false, failures: 0, askInMs: 0 }
    return watches.looked(owner, live, { ...nothing, inMs: timing.next(live, ageMs()), ...looked })
  }

  function failed(held: Held, looked: Partial<Looked>): Promise<void> {
    const { live } = held
    return giveBack(held, { ...looked, failures: live.failures + 1, inMs: timing.afterFailure(live) })
  }

  /** It was not asked, as it has asked to be left alone, or it did not answer. */
  function unanswered(held: Held, askInMs: number, drawn: Shown | undefined): Promise<void> {
    const { live } = held
    if (live.askInMs === 0) return failed(held, { drawn, askInMs })
    const inMs = Math.min(timing.afterFailure(live), askInMs)
    return giveBack(held, { drawn, askInMs, inMs, failures: live.failures })
  }

  /** Not once the card has come into other hands: they tell it. */
  function check({ isHeld }: Held): void {
    if (!isHeld()) throw new NotHeld()
  }

  function inTurn<T>(held: Held, work: () => Promise<T>): Promise<T> {
    return pace.inTurn(held.live.posted.channelId, async () => {
      check(held)
      return work()
    })
  }

  const isNeeded = (
    live: KnownCard,
    drawing: Drawing | undefined,
    { answer }: Findings,
  ): drawing is Drawing => drawing !== undefined && isWorthDrawing(live, drawing, answer.kind === 'alert')

  /** Draws the newest state. Returns what was found last, and what the card shows now if it was drawn. */
  async function redraw(
    held: Held,
    live: KnownCard,
    first: Findings,
  ): Promise<[Findings, Shown | undefined]> {
    if (!isNeeded(live, drawingOf(live, first), first)) return [first, undefined]
    try {
      return await inTurn(held, async () => {
        // A service that does not answer is not asked again here: the whole channel waits for this turn.
        const isOld = first.answer.kind === 'alert' && held.ageMs() > oldMs
        const found = isOld ? await find(live) : first
        const drawing = drawingOf(live, found)
        if (!isNeeded(live, drawing, found)) throw new NothingToDraw(found)
        check(held)
        await outbound.updateOnce(live.posted, drawing.message)
        return [found, drawing.shown]
      })
    } catch (error) {
      if (error instanceof NothingToDraw) return [error.found, undefined]
      throw error
    }
  }

  /** True when the thread has everything, the ending too. */
  async function tell(
    held: Held,
    live: KnownCard,
    found: Findings,
    end: EndOfCard | undefined,
  ): Promise<boolean> {
    const { card } = live
    const actions = found.answer.kind === 'alert' ? found.answer.alert.actions : []
    const ending = end && { id: String(live.since), ...endingWords(end) }
    if (!threadNews.isAnything(card, actions, ending)) return true
    // In the turn from the beginning: a reply that was noted and then waited would seem to be in doubt.
    const told = await inTurn(held, async () => {
      // Somebody may watch again by now.
      if (end !== undefined && !(await watches.isStill(held.owner, live))) throw new NotHeld()
      const way: Way = {
        post: (message, mark) => {
          check(held)
          return outbound.reply(live.posted, message, mark)
        },
        seek: (markId) => outbound.seek(live.posted, markId),
      }
      return threadNews.tell(card, actions, way, ending)
    })
    if (told.kind === 'doubtful')
      log.warn({ err: told.error }, 'Slack did not confirm a reply; it is looked for')
    return told.kind === 'all'
  }

  /** Those who watch no more hear why, each once, where the thread does not tell it. */
  async function informEnded({ owner }: Held, live: KnownCard, { ended }: Findings): Promise<void> {
    for (const { watcher, why } of ended) {
      if (watcher.ended !== undefined || (why.kind !== 'refused' && why.kind !== 'forbidden')) continue
      if (await watches.markEnded(owner, live, watcher.userId, why)) await inform(live, watcher, why.kind)
    }
  }

  async function conclude(held: Held, live: KnownCard, found: Findings, drawn: Shown | undefined) {
    const { answer, remaining, ended } = found
    const end = endOf(found)
    const isTrue = answer.kind === 'alert'
    const isTold = await tell(held, live, found, end)
    if (!isTold) return giveBack(held, { drawn, isTrue, inMs: soonMs })
    await informEnded(held, live, found)
    if (end !== undefined) return void (await watches.finish(held.owner, live))
    const gone = ended.map(({ watcher }) => watcher.userId)
    await watches.drop(held.owner, live, gone)
    if (answer.kind === 'failure') return unanswered(held, answer.error.retryAfterMs, drawn)
    return giveBack(held, { drawn, isTrue, ...(isTrue ? { seen: seenOf(answer.alert, remaining) } : {}) })
  }

  /** The card is out of reach: its watchers hear it, as no thread can tell them. */
  async function abandon(held: Held, live: KnownCard): Promise<void> {
    for (const watcher of live.watchers) {
      if (watcher.ended !== undefined) continue
      const isTold = await inform(live, watcher, 'gone')
      if (!isTold && live.failures < mostFarewells) return failed(held, {})
      await watches.markEnded(held.owner, live, watcher.userId, { kind: 'gone' })
    }
    await watches.finish(held.owner, live)
  }

  async function deliver(held: Held, live: KnownCard, first: Findings): Promise<void> {
    let drawn: Shown | undefined
    let found = first
    try {
      ;[found, drawn] = await redraw(held, live, first)
      await conclude(held, live, found, drawn)
    } catch (error) {
      // When somebody poked it, it is due again; when it is somebody else's, this changes nothing.
      if (error instanceof NotHeld) return giveBack(held, { drawn, inMs: 0 })
      if (isGone(error)) return abandon(held, live)
      // Whether Slack took the last drawing is not known.
      const kept = { drawn, seen: null, isTrue: found.answer.kind === 'alert' }
      const seconds = waitAskedFor(error)
      if (seconds !== undefined) {
        return giveBack(held, { ...kept, failures: live.failures, inMs: timing.afterBusy(seconds * 1000) })
      }
      const what = 'a live card could not be brought up to date; it is tried again'
      if (isSlackFailure(error)) log.warn({ err: error }, what)
      else log.error({ err: error }, what)
      await failed(held, kept)
    }
  }

  return async (held) => {
    const { card } = held.live
    if (card === undefined) {
      await watches.finish(held.owner, held.live)
      return undefined
    }
    const live = { ...held.live, card }
    const found = await find(live)
    if (isQuiet(live, found)) {
      await giveBack(held, { isTrue: true })
      return undefined
    }
    return () => deliver(held, live, found)
  }
}

/** The card is in other hands now, or somebody has changed who watches it. */
class NotHeld extends NotSent {}

/** When its turn came, the card was as it should be. */
class NothingToDraw extends NotSent {
  readonly found: Findings

  constructor(found: Findings) {
    super()
    this.found = found
  }
}
