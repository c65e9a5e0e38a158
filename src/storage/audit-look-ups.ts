// Look-ups in the database, beside the chained records.
import { setImmediate as letOthersOn } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { AuditLookUps } from '../audit/trail.ts'
import { type Engine, fromNow } from './engine.ts'
import type { Tables } from './tables.ts'

/** SQLite stops the process while it deletes, so it is done in pieces. */
const MOST_AT_ONCE = 1_000

export function auditLookUpsIn(db: Kysely<Tables>, engine: Engine): AuditLookUps {
  return {
    async add(lookUps) {
      if (lookUps.length === 0) return
      await db
        .insertInto('audit_look_ups')
        .values(
          lookUps.map(({ id, workspaceId, userId, body, ageMs }) => ({
            ...{ id, workspace_id: workspaceId, user_id: userId, body },
            at: fromNow(engine, -ageMs),
          })),
        )
        // A batch whose end was not heard of is written again.
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    },

    async page({ after, since, most }) {
      const rows = await db
        .selectFrom('audit_look_ups')
        .selectAll()
        .where('at', '>=', since)
        .$if(after !== undefined, (query) =>
          // Compared as a pair, which an index can be searched for.
          query.where(({ refTuple, tuple, eb }) =>
            eb(refTuple('at', 'id'), '>', tuple(after?.at ?? 0, after?.id ?? '')),
          ),
        )
        .orderBy('at')
        .orderBy('id')
        .limit(most)
        .execute()
      return rows.map(({ id, at, workspace_id, user_id, body }) => ({
        ...{ id, at, workspaceId: workspace_id, userId: user_id, body },
      }))
    },

    async prune(before) {
      for (let deleted = MOST_AT_ONCE; deleted === MOST_AT_ONCE; ) {
        const { numDeletedRows } = await db
          .deleteFrom('audit_look_ups')
          .where('id', 'in', (from) =>
            from.selectFrom('audit_look_ups').select('id').where('at', '<', before).limit(MOST_AT_ONCE),
          )
          .executeTakeFirst()
        deleted = Number(numDeletedRows)
        await letOthersOn()
      }
    },
  }
}
