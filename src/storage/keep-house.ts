// Forgets what nobody will ask for any more.

import type { Log } from '../log/log.ts'
import { replayKeys } from '../slack/guard/once.ts'
import type { Clock } from '../slack/ids.ts'
import { every, type Repeated } from '../work/repeat.ts'
import type { Storage } from './storage.ts'

const hourMs = 60 * 60_000
const dayMs = 24 * hourMs
/** A button on a card older than this says that the card is too old. */
const cardsKeptMs = 90 * dayMs
/** Since somebody last used them. */
const linksKeptMs = 90 * dayMs
/** Since the service last showed them. */
const namesKeptMs = 90 * dayMs
const wishesKeptMs = 90 * dayMs
const approvalsKeptMs = 90 * dayMs
const waitingKeptMs = dayMs
/** What is over does not work, however long it is kept: clocks may differ a little. */
const connectLinksKeptMs = hourMs
const onceKeptMs = 31 * dayMs
/** Ten minutes after it was signed, nobody is taken for Slack with it any more. */
const requestsKeptMs = hourMs
const refusalsKeptMs = 90 * dayMs
/** Long enough to tell whoever comes back late that it was too late. */
const statesKeptMs = hourMs

/** Buckets of people are full after a minute, or a few; whoever shares the database says so every few seconds. */
const sharingKeptMs = hourMs

/** @param settings.approvalTtlMs - How long a request for approval stays open. Default: that of APPROVAL_TTL_HOURS. */
export function keepHouse(
  storage: Storage,
  now: Clock,
  log: Log,
  { approvalTtlMs = dayMs }: { readonly approvalTtlMs?: number } = {},
): Repeated {
  async function prune(): Promise<void> {
    try {
      await storage.waiting.prune(now() - waitingKeptMs)
      await storage.connectLinks.prune(now() - connectLinksKeptMs)
      await storage.cards.prune(now() - cardsKeptMs)
      await storage.alertLinks.prune(now() - linksKeptMs)
      await storage.containerNames.prune(now() - namesKeptMs)
      await storage.wishes.prune(now() - wishesKeptMs)
      await storage.once.prune(now() - onceKeptMs)
      await storage.once.prune(now() - requestsKeptMs, replayKeys)
      await storage.approvals.prune(now() - approvalsKeptMs)
      await storage.pastTokens.prune(approvalTtlMs)
      await storage.recent.prune(now() - refusalsKeptMs)
      await storage.installStates.prune(now() - statesKeptMs)
      await storage.sharedLimits.prune(sharingKeptMs)
      await storage.processes.prune(sharingKeptMs)
      await storage.scrub()
      // Says so in the log where nobody asks /readyz.
      await storage.isInPlace()
      await storage.unwritable()
    } catch (error) {
      log.failedJob('warn', { err: error }, 'old records could not be deleted; trying again in an hour')
    }
  }

  return every(hourMs, prune)
}
