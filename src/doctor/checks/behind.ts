// Doctor's look at the live cards of this workspace: whether any is behind.
import type { Check } from './check.ts'

const name = 'Live cards'

/** @param behind - Those that were not checked by the time they say, and when the oldest alert was last read. */
export function behindCheck(
  behind: () => Promise<{ readonly overdue: number; readonly oldestMs: number }>,
): Check {
  return {
    name,
    ifSlow: 'Try again in a minute.',
    async run() {
      const { overdue, oldestMs } = await behind()
      // Where all is well there is nothing to say of cards that somebody else watches.
      if (overdue === 0) return []
      const late =
        overdue === 1
          ? 'One card wasn’t checked by the time shown on it.'
          : `${overdue} cards weren’t checked by the time shown on them.`
      const minutes = Math.max(1, Math.round(oldestMs / 60_000))
      const ago = minutes === 1 ? 'a minute ago' : `${minutes} minutes ago`
      return [
        {
          name,
          state: 'amber',
          found: `${late} The oldest was last checked ${ago}.`,
          mend: 'See whether the service answers. If it does, more cards are changing than Slack lets Bellhop update: stop watching some.',
        },
      ]
    },
  }
}
