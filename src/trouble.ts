// Trouble that lasts: one line in the log when it begins, one when it ends, none in between.
import type { Log } from './log.ts'

type Fields = Readonly<Record<string, unknown>>

export interface Trouble {
  /** When it began, by the clock that was given; undefined while all is well. */
  since(): number | undefined
  /** Warns, unless it has begun already. */
  begins(fields: Fields, message: string): void
  /** Says so, and how long it lasted (`lastedSeconds`); nothing when none had begun. */
  ends(fields: Fields, message: string): void
}

/**
 * Both lines are warnings: whoever reads the first must not miss the second.
 * @param room.now - Milliseconds.
 */
export function createTrouble({ log, now }: { readonly log: Log; readonly now: () => number }): Trouble {
  let since: number | undefined
  return {
    since: () => since,
    begins(fields, message) {
      if (since !== undefined) return
      since = now()
      log.warn(fields, message)
    },
    ends(fields, message) {
      if (since === undefined) return
      // A clock that is set meanwhile may run backwards.
      const lastedSeconds = Math.max(0, Math.round((now() - since) / 1000))
      since = undefined
      log.warn({ ...fields, lastedSeconds }, message)
    },
  }
}
