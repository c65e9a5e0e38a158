// The audit trail put together: it records what happened, posts it in the audit channel, and deletes old records.
import { every, type Repeated } from '../work/repeat.ts'
import { type Chain, type ChainKey, createChain, startAfter, walk, wordsOf } from './chain.ts'
import { type AuditChannelParts, createAuditChannel } from './channel.ts'
import { createLookUpBatches, createRecorder } from './recorder.ts'
import type { AuditLookUps, AuditRecords, Entry, Link, LookUp } from './trail.ts'

/** The audit trail, as features write to it. */
export interface Audit {
  /**
   * Writes a record into the chain, once for each key, and then a line into the audit channel.
   * Resolves when the record is in the database; the line comes later. Never rejects: where the database fails, the
   * caller goes on, and the record is tried again for as long as the process lives.
   */
  record(entry: Entry): Promise<void>
  /**
   * Writes a look-up down with the next batch: within a second, or with 500 others. It is not chained, and a process
   * that is killed, or has to end before its work is done, loses the batch that it has not written yet.
   */
  lookedUp(lookUp: LookUp): void
}

export interface RunningAudit extends Audit {
  /** How many records wait for the database. */
  waiting(): number
  start(): void
  /** Call it when nothing is recorded any more. Resolves when all is written and posted. */
  stop(): Promise<void>
}

interface AuditParts extends AuditChannelParts {
  readonly records: AuditRecords
  readonly lookUps: AuditLookUps
  /** Of ENCRYPTION_KEYS; the first seals. */
  readonly keys: readonly ChainKey[]
  /** How long records are kept; 0 keeps them for ever. */
  readonly days: number
}

export function createAudit(parts: AuditParts): RunningAudit {
  const { records, lookUps, keys, days, log, now, wait } = parts
  const chain = createChain(keys)
  const channel = createAuditChannel(parts)
  const recorder = createRecorder({ records, chain, onRecorded: (entry) => channel.tell(entry), log, wait })
  const batches = createLookUpBatches({ lookUps, log, now })
  const hourly = keepUp({ records, lookUps, chain, record: recorder.record, days, log })
  return {
    record: recorder.record,
    lookedUp: batches.add,
    waiting: recorder.waiting,
    start: hourly.start,
    async stop() {
      await hourly.stop()
      await Promise.all([recorder.stop(), batches.stop()])
      await channel.idle()
    },
  }
}

const hourMs = 60 * 60_000
const dayMs = 24 * hourMs

interface Trail extends Pick<AuditParts, 'records' | 'lookUps' | 'days' | 'log'> {
  readonly chain: Chain
  readonly record: Audit['record']
}

/** Every hour, forgets what is old. */
export function keepUp(trail: Trail): Repeated {
  return every(hourMs, () => keepUpOnce(trail))
}

/** Never rejects. */
async function keepUpOnce(trail: Trail): Promise<void> {
  const { records, lookUps, days, log } = trail
  if (days === 0) return
  try {
    const { now } = await records.head()
    await lookUps.prune(now - days * dayMs)
    await pruneRecords(trail, now)
  } catch (error) {
    const message = 'the audit trail could not be maintained; trying again in an hour'
    log.failedJob('warn', { err: error }, message)
  }
}

/** Once a day, a record says up to where the chain is cut; then what it says is deleted. */
async function pruneRecords(trail: Trail, now: number): Promise<void> {
  const { records, record, days } = trail
  const cut = await records.newestCut()
  const start = startAfter(cut)
  if (cut === undefined || now - cut.at >= dayMs) {
    const last = await oldUpTo(trail, start, now - days * dayMs)
    if (last.seq > start.seq) {
      const reference = wordsOf(last)
      const what = { workspaceId: '', userId: undefined, act: 'cut', outcome: 'done' } as const
      await record({ ...what, key: `cut:${reference}`, reference })
    }
  }
  // Also what another process has left when it was killed.
  await records.drop(startAfter(await records.newestCut()).seq)
}

/**
 * How far the chain may be pruned: over records that are old enough, and none that somebody has touched. Without its key,
 * the time of a record proves nothing: such records are pruned with the next one that holds and is old enough, as no
 * record is older than the one before.
 */
async function oldUpTo({ records, chain, log }: Trail, start: Link, before: number): Promise<Link> {
  let last = start
  for await (const { record, fault } of walk(records, chain, start)) {
    if (fault?.kind === 'unknown-key') continue
    if (fault !== undefined) {
      log.error({ fault }, touched)
      break
    }
    if (record.at >= before) break
    last = record
  }
  return last
}

const touched =
  'Somebody else changed the audit trail. Bellhop deletes nothing from there on. Run `npm run audit -- --verify`.'
