// Views that an ack has just changed. Slack may apply the ack after a call that was made right behind it, and the view
// then stays as the ack had it. Source: slackapi/bolt-python#481, slackapi/bolt-js#1827.
import { LRUCache } from 'lru-cache'
import type { Clock } from '../ids.ts'

/** How long an ack has to take effect. */
export const settleMs = 750
const mostViews = 1_000

export interface AckedViews {
  /** The answer to a submission changes this view. */
  acked(viewId: string): void
  /** Resolves when no ack is about to change it. */
  settled(viewId: string): Promise<void>
}

export function createAckedViews(now: Clock, wait: (ms: number) => Promise<void>): AckedViews {
  const ackedAt = new LRUCache<string, number>({ max: mostViews })
  return {
    acked: (viewId) => void ackedAt.set(viewId, now()),
    async settled(viewId) {
      const at = ackedAt.get(viewId)
      if (at === undefined) return
      const leftMs = Math.min(at + settleMs - now(), settleMs)
      if (leftMs > 0) await wait(leftMs)
      ackedAt.delete(viewId)
    },
  }
}
