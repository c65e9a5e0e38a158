// Writes down what happens: records at the end of the chain, one after the other.
import type { Log } from '../log/log.ts'
import { type HandledRequest, outsideRequest, requestNow } from '../log/request.ts'
import { unlessStopped } from '../work/retry.ts'
import { type Chain, wordsOf } from './chain.ts'
import type { AuditRecords, Entry } from './trail.ts'

const failurePauseMs = 5_000

interface Waiting {
  readonly entry: Entry
  /** The request it is written for, whose line in the log names the record. */
  readonly request: HandledRequest | undefined
  /** Lets the caller go on. */
  readonly release: () => void
}

export function createRecorder({
  records,
  chain,
  onRecorded,
  log,
  wait,
}: {
  readonly records: Pick<AuditRecords, 'append'>
  readonly chain: Chain
  /** Called with each entry that was not there before. Never throws. */
  readonly onRecorded: (entry: Entry) => void
  readonly log: Log
  readonly wait: (ms: number) => Promise<void>
}) {
  const waiting: Waiting[] = []
  const stopping = new AbortController()
  let isFailing = false
  let working: Promise<void> | undefined

  async function write({ entry, request, release }: Waiting): Promise<void> {
    const written = await records.append(entry, (head) => chain.seal(entry, head))
    waiting.shift()
    isFailing = false
    if (written.isNew) {
      request?.recorded.push(written.seq)
      // Whoever has the log can tell when the newest records are missing.
      log.info({ auditHead: wordsOf(written) }, 'an audit record was written')
      onRecorded(entry)
    }
    release()
  }

  /** While the database takes nothing, nobody waits for it. */
  async function pauseAfter({ entry: { act, reference } }: Waiting, error: unknown): Promise<void> {
    const what = { err: error, act, reference, waiting: waiting.length }
    log.failedJob('error', what, 'an audit record could not be written; trying again')
    isFailing = true
    for (const one of waiting) one.release()
    await unlessStopped(wait(failurePauseMs), stopping.signal)
  }

  async function work(): Promise<void> {
    for (let first = waiting[0]; first !== undefined; first = waiting[0]) {
      const one = first
      const isLast = stopping.signal.aborted
      await write(one).catch((error: unknown) => pauseAfter(one, error))
      // What was tried once more after the stop, and failed, is left; `stop` says how much.
      if (isLast && waiting[0] === one) break
    }
    // At once: whoever was released a moment ago may record the next.
    working = undefined
  }

  return {
    /**
     * Resolves once the record is in the database. Never rejects: where that fails it is logged, the caller goes on, and
     * the record is tried again until the process ends.
     */
    record(entry: Entry): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.push({ entry, request: requestNow(), release: resolve })
      // It goes on for whoever comes after.
      working ??= outsideRequest(work)
      return isFailing ? Promise.resolve() : promise
    },
    /** How many records wait for the database. */
    waiting: () => waiting.length,
    /** Resolves when what waits is written, or has failed once more. */
    async stop(): Promise<void> {
      stopping.abort()
      await working
      if (waiting.length > 0) log.error({ lost: waiting.length }, 'audit records could not be written')
    },
  }
}
