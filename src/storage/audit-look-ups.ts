// Look-ups in the database, beside the chained records.
import type { Kysely } from 'kysely'
import type { AuditLookUps, NewLookUp } from '../audit/trail.ts'
import { type Engine, fromNow } from './engine.ts'
import { inPieces } from './in-pieces.ts'
import { prepare, type Slots } from './prepared.ts'
import type { Tables } from './tables.ts'

/** `sinceMs` is counted from now, and below 0. */
type Row = Omit<NewLookUp, 'ageMs'> & { readonly sinceMs: number }

export function auditLookUpsIn(db: Kysely<Tables>, engine: Engine): AuditLookUps {
  const addOne = prepare(db, (slot: Slots<Row>) =>
    db
      .insertInto('audit_look_ups')
      .values({
        id: slot('id'),
        workspace_id: slot('workspaceId'),
        user_id: slot('userId'),
        body: slot('body'),
        at: fromNow(engine, slot('sinceMs')),
      })
      .onConflict((conflict) => conflict.doNothing()),
  )

  return {
    async add(lookUps) {
      if (lookUps.length === 0) return
      if (engine.joinsWrites) {
        await Promise.all(lookUps.map(({ ageMs, ...lookUp }) => addOne({ ...lookUp, sinceMs: -ageMs })))
        return
      }
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
