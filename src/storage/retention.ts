// Background job: every hour, deletes what nobody will ask for any more, each kind after its time.
import type { Log } from '../log/log.ts'
import { replayKeys } from '../slack/guard/once.ts'
import type { Clock } from '../slack/ids.ts'
import { every, type Repeated } from '../work/repeat.ts'
import type { Storage } from './storage.ts'

const hourMs = 60 * 60_000
const dayMs = 24 * hourMs

/** How long each kind is kept. The audit trail prunes itself by AUDIT_DAYS. */
export const keptMs = {
  waiting: dayMs,
  /** What is over does not work, however long it is kept: clocks may differ a little. */
  connectLinks: hourMs,
  /** A button on a card older than this says that the card is too old. */
  cards: 90 * dayMs,
  /** Since somebody last used them. */
  alertLinks: 90 * dayMs,
  /** Since the service last showed them. */
  wishes: 90 * dayMs,
  /** Nobody sends an act any more that was begun so long ago. */
  once: 31 * dayMs,
  /** Ten minutes after it was signed, nobody is taken for Slack with it any more. */
  requests: hourMs,
  approvals: 90 * dayMs,
  /** Buckets of people are full after a minute, or a few. */
  /** Whoever shares the database says so every few seconds. */
} as const

type Kind = keyof typeof keptMs

export function keepHouse(storage: Storage, now: Clock, log: Log): Repeated {
  const before = (kind: keyof typeof keptMs) => now() - keptMs[kind]
  const prunes: Readonly<Record<Kind, () => Promise<unknown>>> = {
    waiting: () => storage.waiting.prune(before('waiting')),
    connectLinks: () => storage.connectLinks.prune(before('connectLinks')),
    cards: () => storage.cards.prune(before('cards')),
    alertLinks: () => storage.alertLinks.prune(before('alertLinks')),
    wishes: () => storage.wishes.prune(before('wishes')),
    once: () => storage.once.prune(before('once')),
    requests: () => storage.once.prune(before('requests'), replayKeys),
    approvals: () => storage.approvals.prune(before('approvals')),
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
