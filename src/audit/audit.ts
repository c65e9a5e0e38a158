// The room put together: what happened is written down, told in the audit channel, and forgotten in time.
import type { Log } from '../log/log.ts'
import type { Clock, PerWorkspace, SlackUser } from '../slack/ids.ts'
import type { Outbound } from '../slack/outbound/outbound.ts'
import type { ChosenChannels } from '../slack/workspace/channels.ts'
import { type ChainKey, createChain } from './chain.ts'
import { type ChannelProblem, createAuditChannel } from './channel.ts'
import { createLookUpBatches } from './look-ups.ts'
import { createRecorder } from './recorder.ts'
import type { AuditLookUps, AuditRecords, Entry, LookUp } from './trail.ts'
import { createUpkeep } from './upkeep.ts'

/** What features tell the audit trail. */
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
  /** Why the last line could not be posted to a workspace's audit channel; undefined when nothing is wrong. */
  channelProblem(workspaceId: string): ChannelProblem | undefined
  /** How many records wait for the database. */
  waiting(): number
  start(): void
  /** To be called when nothing is recorded any more. Resolves when all is written and told. */
  stop(): Promise<void>
}

export function createAudit(room: {
  readonly records: AuditRecords
  readonly lookUps: AuditLookUps
  /** Of ENCRYPTION_KEYS; the first seals. */
  readonly keys: readonly ChainKey[]
  /** How long records are kept; 0 keeps them for ever. */
  readonly days: number
  readonly channels: ChosenChannels
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
  const upkeep = createUpkeep({ records, lookUps, chain, days, log })
  return {
    record: recorder.record,
    lookedUp: batches.add,
    channelProblem: channel.problem,
    waiting: recorder.waiting,
    start: upkeep.start,
    async stop() {
      await Promise.all([recorder.stop(), batches.stop(), upkeep.stop()])
      await Promise.all([channel.idle(), upkeep.tellEnd()])
    },
  }
}
