// Writes that fail: told in the log when the database can’t be written and when it can again, and counted.
//
// It is unwritable from the first statement that fails for want of room, because the system refuses to write, or because
// the database can only be read, until a write of this file's own has succeeded. That one is tried when somebody asks,
// every ten seconds at most, and never while all is well. Others' writes don't end it: a small one may fit where the next
// does not.

import { randomBytes, randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Unwritable } from '../doctor/health.ts'
import { announce, createTrouble, type Log } from '../log/log.ts'
import type { Clock } from '../slack/ids.ts'
import { singleFlight } from '../work/turns.ts'
import { inTime } from '../work/under-way.ts'
import type { Tables } from './tables.ts'

const failureKinds = ['full', 'unreachable', 'other'] as const
export type FailureKind = (typeof failureKinds)[number]

/** What is wrong with the database itself, when a statement has failed. */
export interface Failure {
  readonly kind: FailureKind
  /** Where nothing can be written until somebody mends it. */
  readonly unwritable?: Unwritable
}

export interface WriteHealth {
  /** A statement has failed. @param failure - Undefined where the statement itself is to blame. */
  failed(failure: Failure | undefined, error: unknown): void
  /** Since it was opened. */
  counts(): Readonly<Record<FailureKind, number>>
  /** As of now, after a try where it is time for one. Never rejects, and answers within a second. */
  unwritable(): Promise<Unwritable | undefined>
}

const triedEveryMs = 10_000
const waitedMs = 1_000

/** @param room.tryWrite - Writes as much as a busy moment does, and leaves nothing behind. */
export function createWriteHealth(room: {
  readonly tryWrite: () => Promise<void>
  readonly log: Log | undefined
  readonly now: Clock
}): WriteHealth {
  const { tryWrite, log, now } = room
  const trouble = log && createTrouble({ log, now })
  const counts = { full: 0, unreachable: 0, other: 0 }
  let present: Unwritable | undefined
  let triedAt: number | undefined

  async function tryOnce(): Promise<void> {
    triedAt = now()
    try {
      await tryWrite()
      present = undefined
      triedAt = undefined
      trouble?.ends({}, 'the database can be written again')
    } catch {
      // The failure has been noted as every statement's is.
    }
  }
  const trying = singleFlight(tryOnce)

  return {
    failed(failure, error) {
      if (failure === undefined) return
      counts[failure.kind] += 1
      const { unwritable: why } = failure
      if (why === undefined) return
      present = why
      announce(error)
      trouble?.begins({ why }, `Bellhop can’t write to the database: ${inWords[why]}`)
    },
    counts: () => ({ ...counts }),
    async unwritable() {
      // A clock that was set back must not put it off.
      const isTime = triedAt === undefined || Math.abs(now() - triedAt) >= triedEveryMs
      if (present !== undefined && isTime) void trying.run()
      const tried = trying.underWay()
      if (tried !== undefined) await inTime(tried, waitedMs)
      return present
    },
  }
}

const inWords: Readonly<Record<Unwritable, string>> = {
  full: 'its disk is full; free some space. Until then nobody can grant or connect',
  refused:
    'the system refuses to write its file; raise its quota or the limit on the size of files, or fix the disk. Until then nobody can grant or connect',
  'read-only':
    'it is read-only; make it writable for Bellhop’s user, or point DATABASE_URL at the server that accepts writes',
}

/** Some pages of a file. Random, as PostgreSQL makes less of what it can compress. */
const bytes = 48 * 1024

/**
 * One write that leaves nothing behind, as large as what a busy moment writes. Rejects when it cannot be written. The
 * row is gone by the end of its transaction, and nobody sees it.
 */
export async function tryWrite(db: Kysely<Tables>): Promise<void> {
  const id = `trial:${randomUUID()}`
  const what = randomBytes(bytes).toString('base64')
  await db.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('waiting')
      .values({ workspace_id: '', user_id: '', id, what, since: 0 })
      .execute()
    await transaction.deleteFrom('waiting').where('workspace_id', '=', '').where('id', '=', id).execute()
  })
}
