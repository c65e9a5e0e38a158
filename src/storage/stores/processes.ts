// Processes that share the database, by what they wrote into it.
import type { Kysely } from 'kysely'
import type { Processes } from '../../slack/gate/shared-limits.ts'
import { type Engine, fromNow } from '../engine.ts'
import type { Tables } from '../tables.ts'

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
