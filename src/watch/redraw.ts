// Draws a live card anew where somebody would see the difference.
import type { CardSettings } from '../alert/render.ts'
import type { Clock } from '../slack/ids.ts'
import type { Outbound } from '../slack/outbound.ts'
import { NotSent, type Pace } from '../slack/pace.ts'
import type { PerWorkspace } from '../slack/per-workspace.ts'
import { type Drawing, draw, endOf, isWorthDrawing } from './draw.ts'
import type { Find, Findings } from './find.ts'
import { check, type Held, inTurn } from './held.ts'
import type { Timing } from './timing.ts'
import type { KnownCard, Shown } from './watches.ts'

/** Draws the newest state. Resolves to what was found last, and what the card shows now if it was drawn. */
export type Redraw = (
  held: Held,
  live: KnownCard,
  first: Findings,
) => Promise<readonly [Findings, Shown | undefined]>

/** What is older than this when the channel's turn has come is asked for again: the newest state is drawn. */
const oldMs = 1_000

export function createRedraw(room: {
  readonly find: Find
  readonly outbound: PerWorkspace<Pick<Outbound, 'updateOnce'>>
  readonly pace: Pace
  readonly timing: Timing
  readonly settings: CardSettings
  readonly now: Clock
}): Redraw {
  const { find, outbound, pace, timing, settings, now } = room

  const drawingOf = (live: KnownCard, found: Findings) => {
    const { answer, remaining } = found
    const watchers = endOf(found) === undefined ? remaining : []
    const alert = answer.kind === 'alert' ? answer.alert : undefined
    const isOverdue = answer.kind === 'failure' && timing.isOverdue(live)
    return draw(settings, live, { alert, asOf: Math.floor(now() / 1000), isOverdue }, watchers)
  }

  const isNeeded = (
    live: KnownCard,
    drawing: Drawing | undefined,
    { answer }: Findings,
  ): drawing is Drawing => drawing !== undefined && isWorthDrawing(live, drawing, answer.kind === 'alert')

  return async (held, live, first) => {
    if (!isNeeded(live, drawingOf(live, first), first)) return [first, undefined]
    try {
      return await inTurn(pace, held, async () => {
        // A service that does not answer is not asked again here: the whole channel waits for this turn.
        const isOld = first.answer.kind === 'alert' && held.ageMs() > oldMs
        const found = isOld ? await find(live) : first
        const drawing = drawingOf(live, found)
        if (!isNeeded(live, drawing, found)) throw new NothingToDraw(found)
        check(held)
        await outbound.in(live.workspaceId).updateOnce(live.posted, drawing.message)
        return [found, drawing.shown]
      })
    } catch (error) {
      if (error instanceof NothingToDraw) return [error.found, undefined]
      throw error
    }
  }
}

/** When its turn came, the card was as it should be. */
class NothingToDraw extends NotSent {
  readonly found: Findings

  constructor(found: Findings) {
    super()
    this.found = found
  }
}
