// Background job: every hour, deletes what nobody will ask for any more, each kind after its time.
import type { Log } from '../log/log.ts'
import type { Clock } from '../slack/ids.ts'
import { every, type Repeated } from '../work/repeat.ts'
import type { Storage } from './storage.ts'

const hourMs = 60 * 60_000
const dayMs = 24 * hourMs

/** How long each kind is kept, but for small things (stores/small.ts). The audit trail prunes itself by AUDIT_DAYS. */
export const keptMs = {
  /** A button on a card older than this says that the card is too old. */
  cards: 90 * dayMs,
  /** Since they were asked, once they have ended. */
  requests: 90 * dayMs,
} as const

export function keepHouse(storage: Storage, now: Clock, log: Log): Repeated {
  const { cards, requests } = storage
  const prunes = {
    cards: () => cards.prune(now() - keptMs.cards),
    requests: () => requests.prune(now() - keptMs.requests),
    // All that says its own end.
    small: storage.prune,
  }

  async function prune(): Promise<void> {
    const failed: { readonly kind: string; readonly error: unknown }[] = []
    for (const [kind, deleteOld] of Object.entries(prunes)) {
      // The others are done all the same.
      await deleteOld().catch((error: unknown) => failed.push({ kind, error }))
    }
    if (failed.length > 0) {
      const what = { err: failed[0]?.error, failed: failed.map(({ kind }) => kind) }
      log.failedJob('warn', what, 'old records could not be deleted; trying again in an hour')
    }
    await storage.scrub()
    // Says so in the log where nobody asks /readyz.
    await storage.problem()
  }

  return every(hourMs, prune)
}
