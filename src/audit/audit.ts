// Builds the audit room: it records what happened, posts it in the audit channel, and deletes old records. Every hour and
// at a stop, the log says where the chain ends.
import type { Log } from '../log/log.ts'
import type { Clock, PerWorkspace, SlackUser } from '../slack/ids.ts'
import type { Outbound } from '../slack/outbound/outbound.ts'
import type { Channels } from '../slack/workspace/channels.ts'
import { every, type Repeated } from '../work/repeat.ts'
import { type Chain, type ChainKey, createChain, walk } from './chain.ts'
import { createAuditChannel } from './channel.ts'
import { createLookUpBatches, createRecorder } from './recorder.ts'
import {
  type AuditLookUps,
  type AuditRecords,
  beginning,
  type Checkpoint,
  type Entry,
  type Link,
  type LookUp,
} from './trail.ts'

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

export interface AuditRoom extends Audit {
  /** How many records wait for the database. */
  waiting(): number
  start(): void
  /** Call it when nothing is recorded any more. Resolves when all is written and posted. */
  stop(): Promise<void>
}

export function createAudit(room: {
  readonly records: AuditRecords
  readonly lookUps: AuditLookUps
  /** Of ENCRYPTION_KEYS; the first seals. */
  readonly keys: readonly ChainKey[]
  /** How long records are kept; 0 keeps them for ever. */
  readonly days: number
  readonly channels: Channels
  readonly outbound: PerWorkspace<Pick<Outbound, 'post'>>
  readonly nameOf: (user: SlackUser) => Promise<string | undefined>
  readonly log: Log
  readonly now: Clock
  readonly wait: (ms: number) => Promise<void>
}): AuditRoom {
  const { records, lookUps, days, log, now, wait } = room
  const chain = createChain(room.keys)
  const channel = createAuditChannel(room)
  const recorder = createRecorder({ records, chain, onRecorded: (entry) => channel.tell(entry), log, wait })
  const batches = createLookUpBatches({ lookUps, log, now })
  const upkeep: UpkeepRoom = { records, lookUps, chain, days, log }
  const hourly = keepUp(upkeep)
  return {
    record: recorder.record,
    lookedUp: batches.add,
    waiting: recorder.waiting,
    start: hourly.start,
    async stop() {
      await Promise.all([recorder.stop(), batches.stop(), hourly.stop()])
      await Promise.all([channel.idle(), tellEndAtStop(upkeep)])
    },
  }
}

const hourMs = 60 * 60_000
const dayMs = 24 * hourMs
/** Clocks are put right by less than this every day. */
const clockSlackMs = 60_000

interface UpkeepRoom {
  readonly records: AuditRecords
  readonly lookUps: AuditLookUps
  readonly chain: Chain
  /** How long records are kept; 0 keeps them for ever. */
  readonly days: number
  readonly log: Log
}

/** Every hour, forgets what is old, and logs where the chain ends. */
export function keepUp(room: UpkeepRoom): Repeated {
  return every(hourMs, () => keepUpOnce(room))
}

/** Never rejects. */
async function keepUpOnce(room: UpkeepRoom): Promise<void> {
  const { records, lookUps, days, log } = room
  try {
    const { now, at } = await records.head()
    if (at - now > clockSlackMs) log.warn({ aheadMs: at - now }, clockWentBack)
    if (days > 0) await lookUps.prune(now - days * dayMs)
    await pruneRecords(room, now)
    await tellEnd(room)
  } catch (error) {
    const message = 'the audit trail could not be maintained; trying again in an hour'
    log.failedJob('warn', { err: error }, message)
  }
}

async function pruneRecords(room: UpkeepRoom, now: number): Promise<void> {
  const { records, chain, days, log } = room
  const checkpoint = await records.checkpoint()
  const judgement = checkpoint === undefined ? 'holds' : chain.judgeCheckpoint(checkpoint)
  if (judgement !== 'holds') {
    // It can’t be sealed anew: that would make good whatever somebody wrote there.
    const what = judgement === 'changed' ? touched : `Key ${checkpoint?.keyId} is not in ENCRYPTION_KEYS.`
    return log.error(`${what} Bellhop deletes no records. ${verifyIt}`)
  }
  const { seq, mac, unverified } = await oldUpTo(room, checkpoint, days === 0 ? 0 : now - days * dayMs)
  const hasMoved = seq > (checkpoint?.seq ?? 0)
  const isOfOldKey = checkpoint !== undefined && checkpoint.keyId !== chain.keyId
  if (hasMoved || isOfOldKey) {
    const at = Math.max(now, checkpoint?.at ?? 0)
    const to = { seq, mac, at, unverified: (checkpoint?.unverified ?? 0) + unverified }
    const hasDone = await records.moveCheckpoint(chain.sealCheckpoint(to), checkpoint)
    if (hasDone && unverified > 0) log.warn({ unverified }, deletedUnverified)
  }
  // Also what another process has left when it was killed.
  await records.drop()
}

/**
 * How far the chain may be pruned: over records that are old enough, and none that somebody has touched. Without its key,
 * the time of a record proves nothing: such records are pruned with the next one that holds and is old enough, as no
 * record is older than the one before.
 */
async function oldUpTo({ records, chain, log }: UpkeepRoom, from: Checkpoint | undefined, before: number) {
  let link: Link = from ?? beginning
  let unverified = 0
  let unverifiedUpToLink = 0
  for await (const { record, fault } of walk(records, chain, link)) {
    if (fault?.kind === 'unknown-key') {
      unverified += 1
      continue
    }
    if (fault !== undefined) {
      log.error({ fault }, `${touched} Bellhop deletes nothing from there on. ${verifyIt}`)
      break
    }
    if (record.at >= before) break
    link = record
    unverifiedUpToLink = unverified
  }
  return { seq: link.seq, mac: link.mac, unverified: unverifiedUpToLink }
}

/** Logs where the chain ends: who has the log can then tell when the newest records are missing. */
async function tellEnd({ records, log }: UpkeepRoom): Promise<void> {
  const { seq, mac } = await records.head()
  const auditRecords = await records.count()
  log.info({ auditRecords, ...(seq > 0 && { auditHead: `${seq}:${mac}` }) }, 'the audit trail ends here')
}

/** Never rejects. */
function tellEndAtStop(room: UpkeepRoom): Promise<void> {
  return tellEnd(room).catch((error) =>
    room.log.failedJob('warn', { err: error }, 'could not find out where the audit trail ends'),
  )
}

const clockWentBack =
  'The newest audit record is dated in the future: the database’s clock was ahead once. Until that time has come, new records get the same date.'
const deletedUnverified =
  'Bellhop deleted old audit records that it couldn’t verify: their key is not in ENCRYPTION_KEYS.'
const touched = 'Somebody else changed the audit trail.'
const verifyIt = 'Run `npm run audit -- --verify`.'
