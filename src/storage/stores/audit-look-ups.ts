// Look-ups in the database, beside the chained records.
import { type Kysely, sql } from 'kysely'
import type { AuditLookUps } from '../../audit/trail.ts'
import { type Engine, fromNow } from '../engine.ts'
import { inPieces, prepare, type Slots } from '../prepared.ts'
import type { Tables } from '../tables.ts'

/** Of what is added: an array of `NewLookUp` as JSON. */
type Added = { readonly rows: string }

export function auditLookUpsIn(db: Kysely<Tables>, engine: Engine): AuditLookUps {
  const addAll = prepare(db, (slot: Slots<Added>) =>
    db
      .insertInto('audit_look_ups')
      .columns(['id', 'workspace_id', 'user_id', 'body', 'at'])
      .expression(
        // SQLite would take a conflict that follows the table for a join with it.
        sql`select value ->> 'id', value ->> 'workspaceId', value ->> 'userId', value ->> 'body',
          ${fromNow(engine, sql`-cast(value ->> 'ageMs' as bigint)`)} from ${engine.each(slot('rows'))} where true`,
      )
      // A batch whose end was not heard of is written again.
      .onConflict((conflict) => conflict.doNothing()),
  )

  return {
    async add(lookUps) {
      if (lookUps.length > 0) await addAll({ rows: JSON.stringify(lookUps) })
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
      await inPieces((most) =>
        db
          .deleteFrom('audit_look_ups')
          .where('id', 'in', (from) =>
            from.selectFrom('audit_look_ups').select('id').where('at', '<', before).limit(most),
          )
          .executeTakeFirst(),
      )
    },
  }
}
