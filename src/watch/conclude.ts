// Draws the conclusions of a look at a live card: the thread is told, and so are those who watch no more.
import type { ThreadNews, Way } from '../alert/thread-news.ts'
import type { Log } from '../log.ts'
import type { Outbound } from '../slack/outbound.ts'
import type { Pace } from '../slack/pace.ts'
import type { PerWorkspace } from '../slack/per-workspace.ts'
import { endOf, seenOf } from './draw.ts'
import type { Findings } from './find.ts'
import { check, type GiveBack, type Held, inTurn, NotHeld } from './held.ts'
import type { Inform } from './inform.ts'
import { type EndOfCard, endingWords } from './render.ts'
import type { KnownCard, Shown, Watches } from './watches.ts'

export interface Conclusions {
  /** @param drawn - What the card shows now, when it was drawn. */
  conclude(held: Held, live: KnownCard, found: Findings, drawn: Shown | undefined): Promise<void>
  /** The card is out of reach: its watchers hear it, as no thread can tell them. */
  abandon(held: Held, live: KnownCard): Promise<void>
}

/** A reply that is on its way, or in doubt, is looked at again after this time. */
const soonMs = 5_000
/** So often somebody is told that their card is gone, when Slack does not take it. */
const mostFarewells = 8

export function createConclusions(room: {
  readonly watches: Pick<Watches, 'isStill' | 'markEnded' | 'drop' | 'finish'>
  readonly giveBack: GiveBack
  readonly threadNews: ThreadNews
  readonly outbound: PerWorkspace<Pick<Outbound, 'reply' | 'seek'>>
  readonly inform: Inform
  readonly pace: Pace
  readonly log: Log
}): Conclusions {
  const { watches, giveBack, threadNews, outbound, inform, pace, log } = room

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
    const told = await inTurn(pace, held, async () => {
      // Somebody may watch again by now.
      if (end !== undefined && !(await watches.isStill(held.owner, live))) throw new NotHeld()
      const way: Way = {
        post: (message, mark) => {
          check(held)
          return outbound.in(live.workspaceId).reply(live.posted, message, mark)
        },
        seek: (markId, since) => outbound.in(live.workspaceId).seek(live.posted, markId, since),
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
    if (!isTold) return giveBack.well(held, { drawn, isTrue, inMs: soonMs })
    await informEnded(held, live, found)
    if (end !== undefined) return void (await watches.finish(held.owner, live))
    const gone = ended.map(({ watcher }) => watcher.userId)
    await watches.drop(held.owner, live, gone)
    if (answer.kind === 'failure') return giveBack.unanswered(held, answer.error.retryAfterMs, drawn)
    return giveBack.well(held, {
      drawn,
      isTrue,
      ...(isTrue ? { seen: seenOf(answer.alert, remaining) } : {}),
    })
  }

  async function abandon(held: Held, live: KnownCard): Promise<void> {
    for (const watcher of live.watchers) {
      if (watcher.ended !== undefined) continue
      const isTold = await inform(live, watcher, 'gone')
      if (!isTold && live.failures < mostFarewells) return giveBack.failed(held, {})
      await watches.markEnded(held.owner, live, watcher.userId, { kind: 'gone' })
    }
    await watches.finish(held.owner, live)
  }

  return { conclude, abandon }
}
