// What a request for approval says later: when it ended, whether its thread has the details, and when it reminds; and
// whom an installation mentions.
// Never edited once released: changes are further migrations.
import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

const hourMs = 60 * 60_000

export const approvalNews: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('approvals').addColumn('ended_at', 'bigint').execute()
    await db.schema
      .alterTable('approvals')
      .addColumn('is_thread_told', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await db.schema.alterTable('approvals').addColumn('remind_at', 'bigint').execute()
    await sql`update approvals set remind_at = until - ${sql.lit(hourMs)}
      where is_open = 1 and until - asked_at > ${sql.lit(hourMs)}`.execute(db)
    await db.schema
      .createIndex('approvals_remind')
      .on('approvals')
      .column('remind_at')
      .where(sql.ref('state'), '=', sql.lit('open'))
      .where(sql.ref('remind_at'), 'is not', null)
      .execute()
    await db.schema.alterTable('installations').addColumn('approval_mention', 'text').execute()
  },
}
