// Draws the conclusions of a look at a live card: the thread is told, and so are those who watch no more.

import type { ConnectFirst } from '../account/connect-first.ts'
import type { Ending } from '../alert/cards.ts'
import type { ThreadNews, Way } from '../alert/thread-news.ts'
import type { Log } from '../log/log.ts'
import type { Message } from '../slack/outbound/message.ts'
import type { Outbound } from '../slack/outbound/outbound.ts'
import type { Pace } from '../slack/outbound/pace.ts'
import type { PerWorkspace } from '../slack/per-workspace.ts'
import { endOf } from './draw.ts'
import type { Find, Findings } from './find.ts'
import { check, type GiveBack, type Held, inTurn, NotHeld } from './held.ts'
import { type Fresh, isOld } from './redraw.ts'
import {
  endingWords,
  nameOf,
  refusedWatchWords,
  renderGone,
  renderNotAllowed,
  unreadWords,
} from './render.ts'
import type { Timing } from './timing.ts'
import type { Ended, KnownCard, Watcher, Watches } from './watches.ts'

/** What the thread knows. */
export interface NewsTold {
  /** What was found last: all of it is told, unless it is still to be. */
  readonly fresh: Fresh
  readonly isTold: boolean
}

export interface Conclusions {
  /** Tells the thread what it does not know yet. Rejects for what Slack does; then nothing is told. */
  tell(held: Held, live: KnownCard, fresh: Fresh): Promise<NewsTold>
  /** Those who watch no more hear why, each once, where the thread does not tell it. */
  informEnded(held: Held, live: KnownCard, found: Findings): Promise<void>
  /** The card is out of reach: its watchers hear it, as no thread can tell them. */
  abandon(held: Held, live: KnownCard): Promise<void>
}

/** So often somebody is told that their card is gone, when Slack does not take it. */
const mostFarewells = 8

export function createConclusions(room: {
  readonly watches: Pick<Watches, 'isStill' | 'markEnded' | 'finish'>
  readonly find: Find
  readonly giveBack: GiveBack
  readonly threadNews: ThreadNews
  readonly outbound: PerWorkspace<Pick<Outbound, 'reply' | 'seek'>>
  readonly inform: Inform
  readonly pace: Pace
  readonly timing: Timing
  readonly log: Log
}): Conclusions {
  const { watches, find, giveBack, threadNews, outbound, inform, pace, timing, log } = room

  /** What the thread is told besides actions: how it ended, or, once, that the alert cannot be read just now. */
  function lastWords(live: KnownCard, found: Findings): Ending | undefined {
    const end = endOf(found)
    if (end !== undefined) return { id: String(live.since), ...endingWords(end) }
    if (found.answer.kind !== 'failure' || !timing.isOverdue(live)) return undefined
    return { id: `${live.since} unread ${live.shown?.asOf ?? 0}`, words: unreadWords }
  }

  function untold({ card }: KnownCard, found: Findings, ending: Ending | undefined): boolean {
    return threadNews.isAnything(card, actionsOf(found), ending)
  }

  async function tell(held: Held, live: KnownCard, first: Fresh): Promise<NewsTold> {
    if (!untold(live, first.found, lastWords(live, first.found))) return { fresh: first, isTold: true }
    // In the turn from the beginning: a reply that was noted and then waited would seem to be in doubt.
    return inTurn(pace, held, async () => {
      // What came while it waited is told along.
      const atMs = held.ageMs()
      const fresh = isOld(held, first) ? { found: await find(live), atMs } : first
      const { found } = fresh
      // Somebody may watch again by now.
      if (endOf(found) !== undefined && !(await watches.isStill(held.owner, live))) throw new NotHeld()
      const way: Way = {
        post: (message, mark) => {
          check(held)
          return outbound.in(live.workspaceId).reply(live.posted, message, mark)
        },
        seek: (markId, since) => outbound.in(live.workspaceId).seek(live.posted, markId, since),
      }
      const told = await threadNews.tell(live.card, actionsOf(found), way, lastWords(live, found))
      if (told.kind === 'doubtful')
        log.warn({ err: told.error }, 'Slack did not confirm a reply; it is looked for')
      return { fresh, isTold: told.kind === 'all' }
    })
  }

  async function informEnded({ owner }: Held, live: KnownCard, { ended }: Findings): Promise<void> {
    for (const { watcher, why } of ended) {
      if (watcher.ended !== undefined || (why.kind !== 'refused' && why.kind !== 'forbidden')) continue
      if (await watches.markEnded(owner, live, watcher.userId, why)) await inform(live, watcher, why.kind)
    }
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

  return { tell, informEnded, abandon }
}

function actionsOf({ answer }: Findings) {
  return answer.kind === 'alert' ? answer.alert.actions : []
}

export type WhyInform = Extract<Ended['kind'], 'refused' | 'forbidden' | 'gone'>

/**
 * Tells a watcher directly that they watch no more, where they could not know it from the thread. Never throws. False
 * when the message could not be posted, which is logged.
 */
export type Inform = (live: KnownCard, watcher: Watcher, why: WhyInform) => Promise<boolean>

export function createInform(room: {
  readonly connectFirst: Pick<ConnectFirst, 'ask'>
  readonly outbound: PerWorkspace<Pick<Outbound, 'post'>>
  readonly log: Log
}): Inform {
  const { connectFirst, outbound, log } = room

  async function tell(live: KnownCard, { userId, name }: Watcher, why: WhyInform): Promise<void> {
    const { workspaceId, cardId, shown } = live
    const { ks } = live.card
    const post = (message: Message) => outbound.in(workspaceId).post(userId, message)
    const alertName = nameOf(ks, shown)
    if (why === 'gone') await post(renderGone(alertName, ks))
    if (why === 'forbidden') await post(renderNotAllowed(alertName))
    if (why !== 'refused') return
    const place = { workspaceId, userId, channelId: undefined, responseUrl: undefined, isDirect: true }
    const wanted = { feature: 'watch', asked: 'alert', ks, ask: { cardId } } as const
    const text = refusedWatchWords(alertName)
    await connectFirst.ask({ asker: { workspaceId, userId, name }, place }, wanted, 'refused', { text })
  }

  return async (live, watcher, why) => {
    try {
      await tell(live, watcher, why)
      return true
    } catch (error) {
      log.failedJob(
        'warn',
        { err: error, user: watcher.userId },
        'a watcher could not be told that their watch has ended',
      )
      return false
    }
  }
}
