// Trouble that lasts: one line in the log when it begins, one when it ends, none in between.
import type { Log } from './log.ts'

type Fields = Readonly<Record<string, unknown>>

export interface Trouble {
  /** When it began, by the clock that was given; undefined while all is well. */
  since(): number | undefined
  /** Says so, unless it has begun already. */
  begins(fields: Fields, message: string): void
  /** Says so, and how long it lasted (`lastedSeconds`); nothing when none had begun. */
  ends(fields: Fields, message: string): void
}

/**
 * Both lines have the same level: whoever reads the first must not miss the second.
 * @param room.now - Milliseconds.
 * @param room.level - Default: warn.
 */
export function createTrouble(room: {
  readonly log: Log
  readonly now: () => number
  readonly level?: 'warn' | 'error'
}): Trouble {
  const { log, now, level = 'warn' } = room
  let since: number | undefined
  return {
    since: () => since,
    begins(fields, message) {
      if (since !== undefined) return
      since = now()
      log[level](fields, message)
    },
    ends(fields, message) {
      if (since === undefined) return
      // A clock that is set meanwhile may run backwards.
      const lastedSeconds = Math.max(0, Math.round((now() - since) / 1000))
      since = undefined
      log[level]({ ...fields, lastedSeconds }, message)
    },
  }
}
