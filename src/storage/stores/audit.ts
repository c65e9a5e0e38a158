// The audit trail in the database: chained records, and look-ups beside them. What a mac is, this does not know.
import { type Kysely, type Selectable, sql } from 'kysely'
import {
  type AuditLookUps,
  type AuditRecords,
  beginning,
  type ChainedRecord,
  type Head,
} from '../../audit/trail.ts'
import { type Engine, fromNow } from '../engine.ts'
import type { AuditRecordsTable, Tables } from '../tables.ts'

export function auditRecordsIn(db: Kysely<Tables>, engine: Engine): AuditRecords {
  return {
    async head(): Promise<Head> {
      const { now } = await db.selectNoFrom(engine.now().as('now')).executeTakeFirstOrThrow()
      const newest = await db
        .selectFrom('audit_records')
        .select(['seq', 'mac', 'at'])
        .orderBy('seq', 'desc')
        .limit(1)
        .executeTakeFirst()
      return { ...(newest ?? { ...beginning, at: 0 }), now }
    },

    async append({ seq, at, workspaceId, key, keyId, mac, body, email }) {
      const added = await db
        .insertInto('audit_records')
        .columns(['seq', 'at', 'workspace_id', 'event_key', 'key_id', 'mac', 'body', 'email'])
        .expression(
          db
            .selectNoFrom([
              sql<number>`cast(${seq} as bigint)`.as('seq'),
              sql<number>`cast(${at} as bigint)`.as('at'),
              sql<string>`cast(${workspaceId} as text)`.as('workspace_id'),
              sql<string>`cast(${key} as text)`.as('event_key'),
              sql<string>`cast(${keyId} as text)`.as('key_id'),
              sql<string>`cast(${mac} as text)`.as('mac'),
              sql<string>`cast(${body} as text)`.as('body'),
              sql<string | null>`cast(${email ?? null} as text)`.as('email'),
            ])
            // A process may have slept since it read the head: its place may be free again because it was pruned.
            .where(({ not, exists }) =>
              not(exists(db.selectFrom('audit_records').select('seq').where('seq', '>=', seq))),
            ),
        )
        .onConflict((conflict) => conflict.doNothing())
        .returning('seq')
        .executeTakeFirst()
      return added !== undefined
    },

    async numberOf(workspaceId, key) {
      const row = await db
        .selectFrom('audit_records')
        .select('seq')
        .where('workspace_id', '=', workspaceId)
        .where('event_key', '=', key)
        .executeTakeFirst()
      return row?.seq
    },

    async page({ after, since = 0, most }) {
      const rows = await db
        .selectFrom('audit_records')
        .selectAll()
        .where('seq', '>', after)
        .$if(since > 0, (query) => query.where('at', '>=', since))
        .orderBy('seq')
        .limit(most)
        .execute()
      return rows.map(recordOf)
    },

    async erase(email) {
      const { numUpdatedRows } = await db
        .updateTable('audit_records')
        .set({ email: null })
        .where('email', '=', email)
        .executeTakeFirst()
      return Number(numUpdatedRows)
    },

    async newestCut() {
      const row = await db
        .selectFrom('audit_records')
        .selectAll()
        .where('workspace_id', '=', '')
        .where('event_key', 'like', 'cut:%')
        .orderBy('seq', 'desc')
        .limit(1)
        .executeTakeFirst()
      return row && recordOf(row)
    },

    async drop(upTo) {
      await db.deleteFrom('audit_records').where('seq', '<=', upTo).execute()
    },
  }
}

function recordOf(row: Selectable<AuditRecordsTable>): ChainedRecord {
  const { seq, at, workspace_id, event_key, key_id, mac, body, email } = row
  return {
    seq,
    at,
    workspaceId: workspace_id,
    key: event_key,
    keyId: key_id,
    mac,
    body,
    email: email ?? undefined,
  }
}

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
        id,
        at,
        workspaceId: workspace_id,
        userId: user_id,
        body,
      }))
    },

    async prune(before) {
      await db.deleteFrom('audit_look_ups').where('at', '<', before).execute()
    },
  }
}
