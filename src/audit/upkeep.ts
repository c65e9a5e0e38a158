// Every hour, forgets what is old; then, and at a stop, logs where the chain ends, so that somebody who has the log can
// tell when its newest records are missing.

import type { Log } from '../log/log.ts'
import { every, type Repeated } from '../work/repeat.ts'
import { type Chain, walk } from './chain.ts'
import { type AuditLookUps, type AuditRecords, beginning, type Checkpoint, type Link } from './trail.ts'

const hourMs = 60 * 60_000
const dayMs = 24 * hourMs
/** Clocks are put right by less than this every day. */
const clockSlackMs = 60_000

export interface Upkeep extends Repeated {
  /** Logs where the chain ends now. Never rejects. */
  tellEnd(): Promise<void>
}

export function createUpkeep(room: {
  readonly records: AuditRecords
  readonly lookUps: AuditLookUps
  readonly chain: Chain
  /** How long records are kept; 0 keeps them for ever. */
  readonly days: number
  readonly log: Log
}): Upkeep {
  const { records, lookUps, chain, days, log } = room

  /** How far the chain may be pruned: over records that are old enough, and none that somebody has touched. */
  async function reach(from: Checkpoint | undefined, before: number) {
    let link: Link = from ?? beginning
    let unverified = from?.unverified ?? 0
    for await (const { record, fault } of walk(records, chain, link)) {
      if (fault !== undefined && fault.kind !== 'unknown-key') {
        log.error({ fault }, `${touched} Bellhop deletes nothing from there on. ${verifyIt}`)
        break
      }
      if (record.at >= before) break
      if (fault !== undefined) unverified += 1
      link = record
    }
    return { seq: link.seq, mac: link.mac, unverified }
  }

  async function pruneRecords(now: number): Promise<void> {
    const checkpoint = await records.checkpoint()
    const judgement = checkpoint === undefined ? 'holds' : chain.judgeCheckpoint(checkpoint)
    if (judgement !== 'holds') {
      // What it says cannot be sealed anew: that would make good whatever somebody wrote there.
      const what = judgement === 'changed' ? touched : `Key ${checkpoint?.keyId} is not in ENCRYPTION_KEYS.`
      return log.error(`${what} Bellhop deletes no records. ${verifyIt}`)
    }
    const to = await reach(checkpoint, days === 0 ? 0 : now - days * dayMs)
    const hasMoved = to.seq > (checkpoint?.seq ?? 0)
    const isOfOldKey = checkpoint !== undefined && checkpoint.keyId !== chain.keyId
    if (hasMoved || isOfOldKey) {
      const at = Math.max(now, checkpoint?.at ?? 0)
      await records.moveCheckpoint(chain.sealCheckpoint({ ...to, at }), checkpoint)
    }
    // Also what another process has left when it was killed.
    await records.drop()
  }

  async function tell(): Promise<void> {
    const { seq, mac } = await records.head()
    const auditRecords = await records.count()
    log.info({ auditRecords, ...(seq > 0 && { auditHead: `${seq}:${mac}` }) }, 'the audit trail ends here')
  }

  async function lookOnce(): Promise<void> {
    try {
      const { now, at } = await records.head()
      if (at - now > clockSlackMs) {
        log.warn({ aheadMs: at - now }, clockWentBack)
      }
      if (days > 0) await lookUps.prune(now - days * dayMs)
      await pruneRecords(now)
      await tell()
    } catch (error) {
      log.failedJob(
        'warn',
        { err: error },
        'the audit trail could not be maintained; trying again in an hour',
      )
    }
  }

  return {
    ...every(hourMs, lookOnce),
    tellEnd: () =>
      tell().catch((error) =>
        log.failedJob('warn', { err: error }, 'could not find out where the audit trail ends'),
      ),
  }
}

const clockWentBack =
  'The newest audit record is dated in the future: the database’s clock was ahead once. Until that time has come, new records get the same date.'
const touched = 'Somebody else changed the audit trail.'
const verifyIt = 'Run `npm run audit -- --verify`.'
