// Writes down what happens: records at the end of the chain, one after the other, also against other processes that do the
// same; look-ups beside it, in batches.
import { randomUUID } from 'node:crypto'
import type { Log } from '../log/log.ts'
import { type HandledRequest, outsideRequest, recordsNow, requestNow } from '../log/request.ts'
import type { Clock } from '../slack/ids.ts'
import { withoutSecrets } from '../slack/text/typed.ts'
import { retry, unlessStopped } from '../work/retry.ts'
import { singleFlight } from '../work/turns.ts'
import { type Chain, wordsOf } from './chain.ts'
import type { AuditLookUps, AuditRecords, Entry, LookUp, NewLookUp } from './trail.ts'

/** Attempts before giving up for now; each failed one means another process has appended a record. */
const mostLooks = 200
const longestPauseMs = 50
const failurePauseMs = 5_000
/** Records that wait while the database is away for long; as many look-ups again. */
const mostWaiting = 10_000

export interface Recorder {
  /**
   * Resolves once the record is in the database. Never rejects: where that fails it is logged, the caller goes on, and
   * the record is tried again until the process ends.
   */
  record(entry: Entry): Promise<void>
  /** How many records wait for the database. */
  waiting(): number
  /** Resolves when what waits is written, or has failed once more. */
  stop(): Promise<void>
}

interface Written {
  readonly seq: number
  /** False where it was there already. */
  readonly isNew: boolean
}

interface Waiting {
  readonly entry: Entry
  /** The request it is written for, whose line in the log names the record. */
  readonly request: HandledRequest | undefined
  /** Numbers of the records of the same work: this one's goes there, whoever has written it. */
  readonly records: Set<number> | undefined
  /** Lets the caller go on. */
  readonly release: () => void
}

/** Another process has appended meanwhile. */
class Overtaken extends Error {
  constructor() {
    super('the audit trail did not stand still for long enough to be appended to')
  }
}

export function createRecorder({
  records,
  chain,
  onRecorded,
  log,
  wait,
}: {
  readonly records: AuditRecords
  readonly chain: Chain
  /** Called with each entry that was not there before. */
  readonly onRecorded: (entry: Entry) => void
  readonly log: Log
  readonly wait: (ms: number) => Promise<void>
}): Recorder {
  const waiting: Waiting[] = []
  const stopping = new AbortController()
  let isFailing = false
  let working: Promise<void> | undefined

  async function append(entry: Entry): Promise<Written> {
    const head = await records.head()
    const record = chain.seal(entry, head)
    if (await records.append(record)) {
      // Whoever has the log can tell when the newest records are missing.
      log.info({ auditHead: wordsOf(record) }, 'an audit record was written')
      return { seq: record.seq, isNew: true }
    }
    const seq = await records.numberOf(entry.workspaceId, entry.key)
    if (seq !== undefined) return { seq, isNew: false }
    throw new Overtaken()
  }

  /** Jitter, so that those who collided do not collide again. */
  function pauseAfter(error: unknown, looks: number): number | undefined {
    if (!(error instanceof Overtaken) || looks === mostLooks) return undefined
    return Math.random() * Math.min(2 * looks, longestPauseMs)
  }

  function settleFirst({ entry, request, records, release }: Waiting, { seq, isNew }: Written): void {
    waiting.shift()
    isFailing = false
    if (isNew) request?.recorded.push(seq)
    records?.add(seq)
    release()
    if (!isNew) return
    try {
      onRecorded(entry)
    } catch (error) {
      // The next one is written all the same.
      log.error(
        { err: error, act: entry.act },
        'an audit record was written, but its line for the audit channel is lost',
      )
    }
  }

  /** What has failed after the stop is not tried again. */
  function pauseAfterFailure({ entry }: Waiting, error: unknown): number | undefined {
    const { act, reference } = entry
    const what = { err: error, act, reference, waiting: waiting.length }
    log.failedJob('error', what, 'an audit record could not be written; trying again')
    isFailing = true
    for (const one of waiting) one.release()
    return stopping.signal.aborted ? undefined : failurePauseMs
  }

  /** A stop ends it, for one last try. */
  const pause = (ms: number) => unlessStopped(wait(ms), stopping.signal)

  async function work(): Promise<void> {
    for (let first = waiting[0]; first !== undefined; first = waiting[0]) {
      const one = first
      const write = () => retry(() => append(one.entry), { pauseAfter, wait })
      const written = await retry(write, {
        pauseAfter: (error) => pauseAfterFailure(one, error),
        wait: pause,
      }).catch(() => undefined)
      // What is left is told by `stop`.
      if (written === undefined) break
      settleFirst(one, written)
    }
    // At once: whoever was released a moment ago may record the next.
    working = undefined
  }

  return {
    record(entry) {
      const { promise, resolve } = Promise.withResolvers<void>()
      if (waiting.length >= mostWaiting) {
        const { act, reference } = entry
        log.error({ act, reference }, 'an audit record is lost: too many wait for the database')
        return Promise.resolve()
      }
      waiting.push({ entry, request: requestNow(), records: recordsNow(), release: resolve })
      // It goes on for whoever comes after.
      working ??= outsideRequest(work)
      return isFailing ? Promise.resolve() : promise
    },
    waiting: () => waiting.length,
    async stop() {
      stopping.abort()
      await working
      if (waiting.length > 0) log.error({ lost: waiting.length }, 'audit records could not be written')
    },
  }
}

const batchMs = 1_000
const mostInBatch = 500

/** Look-ups are written in batches, so that nobody who looks an alert up waits for it. */
export interface LookUpBatches {
  /** Takes it down, and returns at once. */
  add(lookUp: LookUp): void
  /** Writes what waits, once. */
  stop(): Promise<void>
}

export function createLookUpBatches({
  lookUps,
  log,
  now,
}: {
  readonly lookUps: AuditLookUps
  readonly log: Log
  readonly now: Clock
}): LookUpBatches {
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
    timer ??= setTimeout(flush, batchMs)
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

/**
 * A key that nobody was shown an alert for may be a token, typed in the wrong place, and not the asker's own, which is
 * known. Its beginning and length stay: whoever reads the trail sees that somebody tries keys.
 */
function masked(ks: string): string {
  const shown = withoutSecrets(ks)
  return shown === ks ? ks : `${shown} (${[...ks].length} characters)`
}
