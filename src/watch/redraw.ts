// Draws a live card anew where somebody would see the difference, in its turn.
import type { CardSettings } from '../alert/render/card.ts'
import { classify } from '../slack/client/refusals.ts'
import type { Clock } from '../slack/ids.ts'
import type { Outbound } from '../slack/outbound/outbound.ts'
import type { PerWorkspace } from '../slack/per-workspace.ts'
import { type Drawing, draw, endOf, promisedBy, urgencyOf } from './draw.ts'
import type { Find, Findings } from './find.ts'
import { check, type Held, NotHeld } from './held.ts'
import type { Promised, Timing } from './timing.ts'
import type { Updates } from './updates.ts'
import type { CardShown, KnownCard, Watches } from './watches.ts'

/** What became of the card. */
export interface Redrawn {
  /** What was found last. */
  readonly found: Findings
  /** What the card shows now, when it was drawn. */
  readonly drawn: CardShown | undefined
  /** It does not show what was found yet: its turn is still to come. */
  readonly isWaiting: boolean
}

/** What was found, and how old the card's lease was when that was asked for, in milliseconds. */
export interface Fresh {
  readonly found: Findings
  readonly atMs: number
}

/** Draws the newest state. Rejects for what Slack does, unless it asks to wait. */
export type Redraw = (held: Held, live: KnownCard, fresh: Fresh, promised: Promised) => Promise<Redrawn>

/** What is older than this is asked for again: the newest state is told and drawn. */
const oldMs = 1_000

/** A service that does not answer is not asked again: others wait for this turn. */
export function isOld(held: Held, { found, atMs }: Fresh): boolean {
  return found.answer.kind === 'alert' && held.ageMs() - atMs > oldMs
}

export function createRedraw(room: {
  readonly watches: Pick<Watches, 'isStill'>
  readonly find: Find
  readonly outbound: PerWorkspace<Pick<Outbound, 'updateOnce'>>
  readonly updates: Pick<Updates, 'ask' | 'done' | 'forget' | 'busy'>
  readonly timing: Timing
  readonly settings: CardSettings
  readonly now: Clock
}): Redraw {
  const { watches, find, outbound, updates, timing, settings, now } = room

  function drawingOf(live: KnownCard, found: Findings, { goodForMs }: Promised): Drawing | undefined {
    const { answer, remaining } = found
    const watchers = endOf(found) === undefined ? remaining : []
    const alert = answer.kind === 'alert' ? answer.alert : undefined
    const isOverdue = answer.kind === 'failure' && timing.isOverdue(live)
    const asOf = Math.floor(now() / 1000)
    const nextBy = asOf + Math.floor(goodForMs / 1000)
    return draw(settings, live, { alert, asOf, nextBy, isOverdue }, watchers)
  }

  /** Undefined when nobody would see a difference. */
  function needed(live: KnownCard, found: Findings, promised: Promised) {
    const drawing = drawingOf(live, found, promised)
    const renewal = { now: now(), leadMs: promised.leadMs }
    const urgency = drawing && urgencyOf(live, drawing, found, renewal)
    return drawing && urgency && { drawing, urgency }
  }

  /** False when Slack asks to wait: then no card of this workspace is drawn until then. */
  async function unlessBusy({ workspaceId, posted }: KnownCard, { message }: Drawing): Promise<boolean> {
    try {
      await outbound.in(workspaceId).updateOnce(posted, message)
      return true
    } catch (error) {
      const seconds = classify(error).waitSeconds
      if (seconds === undefined) throw error
      updates.busy(workspaceId, seconds)
      return false
    }
  }

  return async (held, live, fresh, promised) => {
    const { found: first } = fresh
    const wanted = needed(live, first, promised)
    if (wanted === undefined) {
      updates.forget(live)
      return { found: first, drawn: undefined, isWaiting: false }
    }
    const wish = { urgency: wanted.urgency, nextBy: promisedBy(live.shown) }
    if (!updates.ask(live, wish)) return { found: first, drawn: undefined, isWaiting: true }
    let isSent = false
    try {
      const found = isOld(held, fresh) ? await find(live) : first
      const newest = needed(live, found, promised)
      if (newest === undefined) return { found, drawn: undefined, isWaiting: false }
      // Somebody may watch again by now.
      if (endOf(found) !== undefined && !(await watches.isStill(held.owner, live))) throw new NotHeld()
      check(held)
      isSent = true
      const isDrawn = await unlessBusy(live, newest.drawing)
      if (!isDrawn) updates.ask(live, wish)
      return { found, drawn: isDrawn ? newest.drawing.shown : undefined, isWaiting: !isDrawn }
    } finally {
      updates.done(live, isSent)
    }
  }
}
