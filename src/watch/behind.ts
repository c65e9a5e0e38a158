// Says in the log when live cards fall behind, and when they have caught up: one line each.
import type { Log } from '../log/log.ts'
import { createTrouble } from '../log/trouble.ts'
import type { Updates } from './updates.ts'
import type { Watches } from './watches.ts'

/** So often it is looked. */
const everyMs = 30_000
/** A card that is late by less is about to be drawn. */
export const graceMs = 60_000

/** Looks whether cards are behind, when it is time to. Rejects when the store does. */
export type LookForBehind = () => Promise<void>

/** @param monotonic - Milliseconds, never jumps. */
export function createLookForBehind(room: {
  readonly watches: Pick<Watches, 'behind'>
  readonly updates: Pick<Updates, 'waiting'>
  readonly log: Log
  readonly monotonic: () => number
}): LookForBehind {
  const { watches, updates, log, monotonic } = room
  let lookedAt = Number.NEGATIVE_INFINITY
  const trouble = createTrouble({ log, now: monotonic })

  return async () => {
    if (monotonic() - lookedAt < everyMs) return
    lookedAt = monotonic()
    // Once they are behind, all have to catch up.
    const { overdue, oldestMs } = await watches.behind(trouble.since() === undefined ? graceMs : 0)
    const figures = { overdue, oldestLookSeconds: Math.round(oldestMs / 1000), waiting: updates.waiting() }
    if (overdue > 0) {
      trouble.begins(
        figures,
        'live cards fall behind: they were not checked by the time they say; either their alerts cannot be read, or more cards change than Slack lets Bellhop update',
      )
    } else trouble.ends(figures, 'live cards have caught up')
  }
}
