// Requests for approval that stand in a thread, and an index that finds all of one wish.
// Never edited once released: changes are further migrations.
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

export const approvalThreads: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('approvals').addColumn('thread_ts', 'text').execute()
    await db.schema
      .createIndex('approvals_of_wish')
      .on('approvals')
      .columns(['workspace_id', 'wish_id'])
      .execute()
  },
}
