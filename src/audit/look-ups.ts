// Look-ups are written in batches, so that nobody who looks an alert up waits for it.

import { randomUUID } from 'node:crypto'
import type { Log } from '../log/log.ts'
import { outsideRequest } from '../log/request.ts'
import type { Clock } from '../slack/ids.ts'
import { withoutSecrets } from '../slack/text/typed.ts'
import { singleFlight } from '../work/turns.ts'
import type { AuditLookUps, LookUp, NewLookUp } from './trail.ts'

const everyMs = 1_000
const mostInBatch = 500
/** While the database is away. */
const mostWaiting = 10_000

export interface LookUpBatches {
  /** Takes it down, and returns at once. */
  add(lookUp: LookUp): void
  /** Writes what waits, once. */
  stop(): Promise<void>
}

/**
 * A key that nobody was shown an alert for may be a token, typed in the wrong place, and not the asker's own, which is
 * known. Its beginning and length stay: whoever reads the trail sees that somebody tries keys.
 */
function masked(ks: string): string {
  const shown = withoutSecrets(ks)
  return shown === ks ? ks : `${shown} (${[...ks].length} characters)`
}

export function createLookUpBatches(room: {
  readonly lookUps: AuditLookUps
  readonly log: Log
  readonly now: Clock
}): LookUpBatches {
  const { lookUps, log, now } = room
  let waiting: (Omit<NewLookUp, 'ageMs'> & { readonly since: number })[] = []
  let lost = 0
  let timer: NodeJS.Timeout | undefined

  async function write(): Promise<void> {
    const batch = waiting.slice(0, mostInBatch)
    if (batch.length === 0) return
    try {
      await lookUps.add(
        batch.map(({ since, ...lookUp }) => ({ ...lookUp, ageMs: Math.max(0, now() - since) })),
      )
      waiting = waiting.slice(batch.length)
      if (lost > 0) log.error({ lost }, 'look-ups are missing from the audit trail: the database was away')
      lost = 0
    } catch (error) {
      log.failedJob(
        'warn',
        { err: error, waiting: waiting.length },
        'look-ups could not be recorded; trying again',
      )
    }
  }

  const writing = singleFlight(write)

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    void writing.run().then(() => {
      if (waiting.length > 0) schedule()
    })
  }

  function schedule(): void {
    timer ??= setTimeout(flush, everyMs)
    timer.unref()
  }

  return {
    add({ workspaceId, userId, ks, outcome }) {
      if (waiting.length >= mostWaiting) {
        lost += 1
        return
      }
      const body = JSON.stringify({ ks: outcome === 'done' ? ks : masked(ks), outcome })
      waiting.push({ id: randomUUID(), workspaceId, userId, body, since: now() })
      // For whoever else is in the batch as well.
      if (waiting.length % mostInBatch === 0) outsideRequest(flush)
      else if (timer === undefined) outsideRequest(schedule)
    },
    async stop() {
      clearTimeout(timer)
      await writing.underWay()
      while (waiting.length > 0) {
        const before = waiting.length
        await write()
        if (waiting.length === before) break
      }
      clearTimeout(timer)
    },
  }
}
