// Looks at one live card: what is new is drawn and told; when nobody watches any more, or there is nothing left to
// watch, it is told how it ended.
import type { CardSettings } from '../alert/render.ts'
import type { ThreadNews } from '../alert/thread-news.ts'
import type { Log } from '../log.ts'
import type { Clock } from '../slack/ids.ts'
import type { Outbound } from '../slack/outbound.ts'
import type { Pace } from '../slack/pace.ts'
import type { PerWorkspace } from '../slack/per-workspace.ts'
import { isGone, isSlackFailure, waitAskedFor } from '../slack/refusals.ts'
import { createConclusions } from './conclude.ts'
import { isNothingNew } from './draw.ts'
import type { Find, Findings } from './find.ts'
import { createGiveBack, type Held, NotHeld } from './held.ts'
import type { Inform } from './inform.ts'
import { createRedraw } from './redraw.ts'
import type { Timing } from './timing.ts'
import type { KnownCard, Shown, Watches } from './watches.ts'

/**
 * Asks the service. Resolves to what is left to do in Slack, which waits for the channel's turn; undefined when that
 * is nothing. Neither rejects for what the service or Slack do; both do for what the store does.
 */
export type Look = (held: Held) => Promise<(() => Promise<void>) | undefined>

export function createLook(room: {
  readonly watches: Pick<Watches, 'looked' | 'isStill' | 'markEnded' | 'drop' | 'finish'>
  readonly find: Find
  readonly threadNews: ThreadNews
  readonly outbound: PerWorkspace<Pick<Outbound, 'updateOnce' | 'reply' | 'seek'>>
  readonly inform: Inform
  readonly pace: Pace
  readonly timing: Timing
  readonly settings: CardSettings
  readonly log: Log
  readonly now: Clock
}): Look {
  const { watches, find, timing, log } = room
  const giveBack = createGiveBack(watches, timing)
  const redraw = createRedraw(room)
  const { conclude, abandon } = createConclusions({ ...room, giveBack })

  async function deliver(held: Held, live: KnownCard, first: Findings): Promise<void> {
    let drawn: Shown | undefined
    let found = first
    try {
      ;[found, drawn] = await redraw(held, live, first)
      await conclude(held, live, found, drawn)
    } catch (error) {
      // When somebody poked it, it is due again; when it is somebody else's, this changes nothing.
      if (error instanceof NotHeld) return giveBack.well(held, { drawn, inMs: 0 })
      if (isGone(error)) return abandon(held, live)
      // Whether Slack took the last drawing is not known.
      const kept = { drawn, seen: null, isTrue: found.answer.kind === 'alert' }
      const seconds = waitAskedFor(error)
      if (seconds !== undefined) {
        const inMs = timing.afterBusy(seconds * 1000)
        return giveBack.well(held, { ...kept, failures: live.failures, inMs })
      }
      const what = 'a live card could not be brought up to date; it is tried again'
      if (isSlackFailure(error)) log.warn({ err: error }, what)
      else log.error({ err: error }, what)
      await giveBack.failed(held, kept)
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
    if (isNothingNew(live, found)) {
      await giveBack.well(held, { isTrue: true })
      return undefined
    }
    return () => deliver(held, live, found)
  }
}
