// Doctor's look at the live cards of this workspace: whether any is behind.
import type { Check } from './check.ts'

const name = 'Live cards'

/** @param behind - Those that were not checked by the time they say, and when the oldest alert was last read. */
export function behindCheck(
  behind: () => Promise<{ readonly overdue: number; readonly oldestMs: number }>,
): Check {
  return {
    name,
    ifSlow: 'Ask again in a minute.',
    async run() {
      const { overdue, oldestMs } = await behind()
      // Where all is well there is nothing to say of cards that somebody else watches.
      if (overdue === 0) return []
      const which = overdue === 1 ? 'One was' : `${overdue} were`
      const minutes = Math.max(1, Math.round(oldestMs / 60_000))
      const ago = minutes === 1 ? 'a minute ago' : `${minutes} minutes ago`
      return [
        {
          name,
          state: 'amber',
          found: `${which} not checked by the time they say. The oldest alert was last read ${ago}.`,
          mend: 'See whether the service answers. When it does, more cards change than Slack lets Bellhop update: stop watching some.',
        },
      ]
    },
  }
}
