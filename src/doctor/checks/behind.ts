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
          ? 'One card is overdue: the time it shows for its next check has passed.'
          : `${overdue} cards are overdue: the times they show for their next checks have passed.`
      const minutes = Math.max(1, Math.round(oldestMs / 60_000))
      const ago = minutes === 1 ? 'a minute ago' : `${minutes} minutes ago`
      return [
        {
          name,
          state: 'amber',
          found: `${late} Of all live cards, the one that has waited longest was last checked ${ago}.`,
          mend: 'Check that the service answers. If it does, more cards are changing than Slack lets Bellhop update: stop watching some.',
        },
      ]
    },
  }
}
