// The audit trail in the database. What a mac is, this does not know.
import { type Kysely, type Selectable, sql } from 'kysely'
import { type AuditRecords, beginning, type ChainedRecord } from '../../audit/trail.ts'
import type { Database } from '../engine.ts'
import type { AuditRecordsTable, Tables } from '../tables.ts'

export function auditRecordsIn({ db, now, hasRowLocks }: Database): AuditRecords {
  const all = (on: Kysely<Tables> = db) => on.selectFrom('audit_records').selectAll()

  return {
    append: ({ workspaceId, key }, seal) =>
      db.transaction().execute(async (transaction) => {
        // One after the other. SQLite lets one write at a time anyway.
        if (hasRowLocks)
          await sql`select pg_advisory_xact_lock(hashtext('bellhop audit'))`.execute(transaction)
        const known = await all(transaction)
          .where('workspace_id', '=', workspaceId)
          .where('event_key', '=', key)
          .executeTakeFirst()
        if (known !== undefined) return { seq: known.seq, mac: known.mac, isNew: false }
        const newest = await all(transaction).orderBy('seq', 'desc').limit(1).executeTakeFirst()
        const { seq, mac, at } = newest ?? { ...beginning, at: 0 }
        const record = seal({ seq, mac, at, now: now() })
        await transaction.insertInto('audit_records').values(rowOf(record)).execute()
        return { seq: record.seq, mac: record.mac, isNew: true }
      }),

    async page({ after, since = 0, most }) {
      const rows = await all()
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

    async newestOlderThan(ms) {
      const old = all().where('at', '<', now() - ms)
      const row = await old.orderBy('at', 'desc').orderBy('seq', 'desc').limit(1).executeTakeFirst()
      return row && recordOf(row)
    },

    async newestCut() {
      const cuts = all().where('workspace_id', '=', '').where('event_key', 'like', 'cut:%')
      const row = await cuts.orderBy('seq', 'desc').limit(1).executeTakeFirst()
      return row && recordOf(row)
    },

    async drop(upTo) {
      await db.deleteFrom('audit_records').where('seq', '<=', upTo).execute()
    },
  }
}

function rowOf({ workspaceId, key, keyId, email, ...rest }: ChainedRecord): AuditRecordsTable {
  return { ...rest, workspace_id: workspaceId, event_key: key, key_id: keyId, email: email ?? null }
}

function recordOf({ workspace_id, event_key, key_id, email, ...rest }: Selectable<AuditRecordsTable>) {
  const record: ChainedRecord = {
    ...rest,
    workspaceId: workspace_id,
    key: event_key,
    keyId: key_id,
    email: email ?? undefined,
  }
  return record
}
