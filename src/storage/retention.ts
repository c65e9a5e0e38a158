// Background job: every hour, deletes what nobody will ask for any more, each kind after its time.
import type { Log } from '../log/log.ts'
import type { Clock } from '../slack/person.ts'
import { every, type Repeated } from '../work/retry.ts'
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

  async function prune(): Promise<void> {
    const pruned = await Promise.allSettled([
      cards.prune(now() - keptMs.cards),
      requests.prune(now() - keptMs.requests),
      // All that says its own end.
      storage.prune(),
    ])
    const failed = pruned.find(({ status }) => status === 'rejected')
    if (failed?.status === 'rejected')
      log.failedJob(
        'warn',
        { err: failed.reason },
        'old records could not be deleted; trying again in an hour',
      )
    await storage.scrub()
    // Says so in the log where nobody asks /readyz.
    await storage.problem()
  }

  return every(hourMs, prune)
}
