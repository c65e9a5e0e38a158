// Looks at one live card: what is new is drawn and told; when nobody watches any more, or there is nothing left to
// watch, it is told how it ended.
import type { CardSettings } from '../alert/render.ts'
import type { ThreadNews } from '../alert/thread-news.ts'
import type { Log } from '../log.ts'
import type { Clock } from '../slack/ids.ts'
import type { Outbound } from '../slack/outbound.ts'
import type { Pace } from '../slack/pace.ts'
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
 * is nothing. Neither rejects for what the service or Slack do.
 */
export type Look = (held: Held) => Promise<(() => Promise<void>) | undefined>

/** What is older than this when the channel's turn has come is asked for again: the newest state is drawn. */
const oldMs = 1_000
/** A reply that is on its way, or in doubt, is looked at again after this time. */
const soonMs = 5_000

export function createLook(room: {
  readonly watches: Pick<Watches, 'looked' | 'finish' | 'drop'>
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
    const nothing = { drawn: undefined, seen: undefined, isTrue: false, failures: 0 }
    return watches.looked(owner, live, { ...nothing, inMs: timing.next(live, ageMs()), ...looked })
  }

  function failed(held: Held, atLeastMs: number, looked: Partial<Looked> = {}): Promise<void> {
    const { live } = held
    const inMs = timing.afterFailure(live, atLeastMs)
    return giveBack(held, { ...looked, failures: live.failures + 1, inMs })
  }

  /** In the channel's turn, unless the card has come into other hands meanwhile: they tell it. */
  function inTurn<T>({ live, isHeld }: Held, work: () => Promise<T>): Promise<T> {
    return pace.inTurn(live.posted.channelId, async () => {
      if (!isHeld()) throw new NotHeld()
      return work()
    })
  }

  /** Draws the newest state. Returns what was found last, and what the card shows now if it was drawn. */
  async function redraw(
    held: Held,
    live: KnownCard,
    first: Findings,
  ): Promise<[Findings, Shown | undefined]> {
    const isNeeded = (drawing: Drawing | undefined, { answer }: Findings): drawing is Drawing =>
      drawing !== undefined && isWorthDrawing(live, drawing, answer.kind === 'alert')
    if (!isNeeded(drawingOf(live, first), first)) return [first, undefined]
    return inTurn(held, async () => {
      const found = held.ageMs() > oldMs ? await find(live) : first
      const drawing = drawingOf(live, found)
      if (!isNeeded(drawing, found)) return [found, undefined]
      await outbound.updateOnce(live.posted, drawing.message)
      return [found, drawing.shown]
    })
  }

  /** True when the thread has everything, the ending too. */
  async function tell(
    held: Held,
    live: KnownCard,
    found: Findings,
    end: EndOfCard | undefined,
  ): Promise<boolean> {
    const { answer } = found
    if (answer.kind === 'failure' && live.card.reply === undefined) return true
    const actions = answer.kind === 'alert' ? answer.alert.actions : []
    const ending = end && { id: String(live.since), ...endingWords(end) }
    const told = await threadNews.tell(
      live.card,
      actions,
      {
        post: (message, mark) => inTurn(held, () => outbound.reply(live.posted, message, mark)),
        seek: (markId) => outbound.seek(live.posted, markId),
      },
      ending,
    )
    if (told.kind === 'doubtful')
      log.warn({ err: told.error }, 'Slack did not confirm a reply; it is looked for')
    return told.kind === 'all'
  }

  async function conclude(held: Held, live: KnownCard, found: Findings, drawn: Shown | undefined) {
    const { answer, remaining, ended } = found
    const end = endOf(found)
    const isTrue = answer.kind === 'alert'
    const isTold = await tell(held, live, found, end)
    if (!isTold) return giveBack(held, { drawn, isTrue, inMs: soonMs })
    for (const { watcher, why } of ended) await inform(live, watcher, why.kind)
    if (end !== undefined) return void (await watches.finish(held.owner, live))
    const gone = ended.map(({ watcher }) => watcher.userId)
    await watches.drop(held.owner, live, gone)
    if (answer.kind === 'failure') return failed(held, answer.error.retryAfterMs, { drawn })
    return giveBack(held, { drawn, isTrue, ...(isTrue ? { seen: seenOf(answer.alert, remaining) } : {}) })
  }

  /** The card is out of reach: its watchers hear it, as no thread can tell them. */
  async function abandon(held: Held, live: KnownCard): Promise<void> {
    for (const watcher of live.watchers) await inform(live, watcher, watcher.ended?.kind ?? 'gone')
    await watches.finish(held.owner, live)
  }

  async function deliver(held: Held, live: KnownCard, first: Findings): Promise<void> {
    let drawn: Shown | undefined
    let found = first
    try {
      ;[found, drawn] = await redraw(held, live, first)
      await conclude(held, live, found, drawn)
    } catch (error) {
      if (error instanceof NotHeld) return
      if (isGone(error)) return abandon(held, live)
      const isTrue = found.answer.kind === 'alert'
      const seconds = waitAskedFor(error)
      if (seconds !== undefined)
        return giveBack(held, { drawn, isTrue, inMs: timing.afterBusy(seconds * 1000) })
      const what = 'a live card could not be brought up to date; it is tried again'
      if (isSlackFailure(error)) log.warn({ err: error }, what)
      else log.error({ err: error }, what)
      await failed(held, 0, { drawn, isTrue })
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

/** The card is somebody else's now. */
class NotHeld extends Error {}
