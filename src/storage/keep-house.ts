// Forgets what nobody will ask for any more.
import type { Log } from '../log.ts'
import type { Clock } from '../slack/ids.ts'
import type { Storage } from './storage.ts'

const hourMs = 60 * 60_000
const dayMs = 24 * hourMs
/** A button on a card older than this says that the card is too old. */
const cardsKeptMs = 90 * dayMs
const grantsKeptMs = 90 * dayMs
const approvalsKeptMs = 90 * dayMs
const waitingKeptMs = dayMs
const onceKeptMs = 31 * dayMs
const refusalsKeptMs = 90 * dayMs

export interface Housekeeping {
  /** Now, and every hour. */
  start(): void
  /** No more; resolves when what is under way is done. */
  stop(): Promise<void>
}

export function keepHouse(storage: Storage, now: Clock, log: Log): Housekeeping {
  let timer: NodeJS.Timeout | undefined
  let pruning: Promise<void> | undefined

  async function prune(): Promise<void> {
    try {
      await storage.waiting.prune(now() - waitingKeptMs)
      await storage.cards.prune(now() - cardsKeptMs)
      await storage.grants.prune(now() - grantsKeptMs)
      await storage.once.prune(now() - onceKeptMs)
      await storage.batches.prune(now() - grantsKeptMs)
      await storage.approvals.prune(now() - approvalsKeptMs)
      await storage.recent.prune(now() - refusalsKeptMs)
    } catch (error) {
      log.warn({ err: error }, 'old records could not be forgotten; it is tried again in an hour')
    }
  }

  return {
    start() {
      pruning = prune()
      timer = setInterval(() => {
        pruning = prune()
      }, hourMs)
      timer.unref()
    },
    async stop() {
      clearInterval(timer)
      await pruning
    },
  }
}
