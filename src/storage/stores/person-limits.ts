// Limits of each person for all processes together, in the database, and who those processes are. Times are the
// database's own, so that machines whose clocks differ count alike.
import { type Expression, type Kysely, sql } from 'kysely'
import type { Processes, SharedLimits, UnreportedCharge } from '../../slack/gate/buckets.ts'
import { type Engine, fromNow, prepare, type Slots } from '../engine.ts'
import type { Tables } from '../tables.ts'

type Charge = {
  readonly workspaceId: string
  readonly userId: string
  readonly perMinute: number
  /** Requests left in a bucket that was full. */
  readonly afterwards: number
  readonly cost: number
  readonly needed: number
}

type HeldBack = Pick<Charge, 'workspaceId' | 'userId' | 'perMinute'> & { readonly toldEveryMs: number }

/** Rows in one statement, which stops a process on SQLite for as long as it takes. */
const mostAtOnce = 500
/** Rows older than this are full buckets: the largest debt refills within minutes. */
const remembersMs = 60 * 60_000

/** The time at which a row is written: read once, so that all of a statement means the same. */
const writtenAt = sql<number>`excluded.at`

const isToBeTold = (toldEveryMs: Expression<number>) =>
  sql`(${writtenAt} - person_limits.told_at >= ${toldEveryMs} or ${writtenAt} < person_limits.told_at)`

const toFloat = (value: number | Expression<number>) => sql<number>`cast(${value} as double precision)`

export function personLimitsIn(db: Kysely<Tables>, engine: Engine): SharedLimits {
  /** Requests left at a time. A clock that was set back gives nothing, and takes nothing. */
  function leftAt(at: Expression<number>, perMinute: number | Expression<number>): Expression<number> {
    const sinceMs = engine.greatest(sql<number>`${at} - person_limits.at`, sql.lit(0))
    const filled = sql<number>`person_limits.remaining + ${sinceMs} * ${toFloat(perMinute)} / 60000`
    return engine.least(filled, toFloat(perMinute))
  }

  const charge = prepare(db, (slot: Slots<Charge>) =>
    db
      .insertInto('person_limits')
      .values({
        workspace_id: slot('workspaceId'),
        user_id: slot('userId'),
        remaining: toFloat(slot('afterwards')),
        at: engine.now(),
        told_at: 0,
      })
      .onConflict((conflict) =>
        conflict
          .columns(['workspace_id', 'user_id'])
          .doUpdateSet({
            remaining: sql<number>`${leftAt(writtenAt, slot('perMinute'))} - ${toFloat(slot('cost'))}`,
            at: writtenAt,
          })
          .where(leftAt(writtenAt, slot('perMinute')), '>=', toFloat(slot('needed'))),
      ),
  )

  const holdBack = prepare(db, (slot: Slots<HeldBack>) =>
    db
      .insertInto('person_limits')
      .values({
        workspace_id: slot('workspaceId'),
        user_id: slot('userId'),
        remaining: toFloat(slot('perMinute')),
        at: engine.now(),
        told_at: 0,
      })
      .onConflict((conflict) =>
        conflict.columns(['workspace_id', 'user_id']).doUpdateSet({
          remaining: leftAt(writtenAt, slot('perMinute')),
          // Later than the time of telling, for all but the one who tells: many may come in one millisecond.
          at: sql<number>`case when ${isToBeTold(slot('toldEveryMs'))}
            then ${writtenAt} else ${engine.greatest(writtenAt, sql`person_limits.told_at + 1`)} end`,
          told_at: sql<number>`case when ${isToBeTold(slot('toldEveryMs'))}
            then ${writtenAt} else person_limits.told_at end`,
        }),
      )
      .returning(['remaining', 'at', 'told_at']),
  )

  const add = prepare(db, (slot: Slots<{ readonly rows: string; readonly perMinute: number }>) => {
    const before = leftAt(writtenAt, slot('perMinute'))
    const remaining = sql<number>`excluded.remaining`
    const after = sql<number>`${before} - (${toFloat(slot('perMinute'))} - ${remaining})`
    // Two who each let a full bucket through before they knew of each other do not make anybody wait for two.
    const lowest = engine.least(before, engine.least(remaining, sql.lit(0)))
    return db
      .insertInto('person_limits')
      .columns(['workspace_id', 'user_id', 'remaining', 'at', 'told_at'])
      .expression(
        sql`select value ->> 'workspaceId', value ->> 'userId', cast(value ->> 'remaining' as double precision),
          ${engine.now()}, 0 from ${engine.each(slot('rows'))} where true`,
      )
      .onConflict((conflict) =>
        conflict
          .columns(['workspace_id', 'user_id'])
          .doUpdateSet({ remaining: engine.greatest(after, lowest), at: writtenAt }),
      )
  })

  return {
    async charge({ workspaceId, userId }, { perMinute, cost, needed }) {
      const ask = { workspaceId, userId, perMinute, afterwards: perMinute - cost, cost, needed }
      const { numAffectedRows = 0n } = await charge(ask)
      return numAffectedRows > 0n
    },

    async holdBack({ workspaceId, userId }, how) {
      const { rows } = await holdBack({ workspaceId, userId, ...how })
      const [row] = rows
      // Forgotten in between, it is as full as it gets.
      if (row === undefined) return { left: how.perMinute, isToBeTold: true }
      return { left: row.remaining, isToBeTold: row.told_at === row.at }
    },

    async add(charges, perMinute) {
      const rows = charges.map((one) => rowOf(one, perMinute)).toSorted(byPerson)
      for (let from = 0; from < rows.length; from += mostAtOnce) {
        await add({ rows: JSON.stringify(rows.slice(from, from + mostAtOnce)), perMinute })
      }
    },

    async notFull(perMinute, most) {
      const left = leftAt(engine.now(), perMinute)
      const rows = await db
        .selectFrom('person_limits')
        .select(['workspace_id', 'user_id', sql<number>`${left}`.as('left')])
        .where('at', '>', fromNow(engine, -remembersMs))
        .where(left, '<', toFloat(perMinute))
        .orderBy('at', 'desc')
        .limit(most)
        .execute()
      return rows.map((row) => ({
        person: { workspaceId: row.workspace_id, userId: row.user_id },
        left: row.left,
      }))
    },

    async forgetWorkspace(workspaceId) {
      await db.deleteFrom('person_limits').where('workspace_id', '=', workspaceId).execute()
    },

    async prune(silentMs) {
      await db.deleteFrom('person_limits').where('at', '<', fromNow(engine, -silentMs)).execute()
    },
  }
}

/** A row of a person of whom the database knows nothing yet. */
function rowOf({ person: { workspaceId, userId }, cost }: UnreportedCharge, perMinute: number) {
  return { workspaceId, userId, remaining: perMinute - cost }
}

/** One order everywhere: two processes that write the same rows then wait for each other, and not in a circle. */
function byPerson(one: ReturnType<typeof rowOf>, other: ReturnType<typeof rowOf>): number {
  const [a, b] = [one, other].map(({ workspaceId, userId }) => `${workspaceId} ${userId}`)
  if (a === b) return 0
  return (a ?? '') < (b ?? '') ? -1 : 1
}

/** Processes that share the database, by what they wrote into it. */
export function processesIn(db: Kysely<Tables>, engine: Engine): Processes {
  return {
    async renew(id, goneMs) {
      const seen_at = engine.now()
      await db
        .insertInto('processes')
        .values({ id, seen_at })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at }))
        .execute()
      const { alive } = await db
        .selectFrom('processes')
        .select(({ fn }) => fn.countAll().as('alive'))
        .where(({ or, eb }) => or([eb('id', '=', id), eb('seen_at', '>', fromNow(engine, -goneMs))]))
        .executeTakeFirstOrThrow()
      return Number(alive)
    },

    async leave(id) {
      await db.deleteFrom('processes').where('id', '=', id).execute()
    },

    async prune(silentMs) {
      await db.deleteFrom('processes').where('seen_at', '<', fromNow(engine, -silentMs)).execute()
    },
  }
}
