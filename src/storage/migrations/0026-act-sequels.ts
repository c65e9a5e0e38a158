// What follows an act on an alert: until when somebody follows it up, and whether a new owner was told.
// Never edited once released: changes are further migrations.
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

export const actSequels: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('act_sequels')
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('wish_id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('step', 'text', (column) => column.notNull())
      .addColumn('kept_at', 'bigint', (column) => column.notNull())
      .addColumn('due_at', 'bigint')
      .addColumn('until', 'bigint')
      .addColumn('is_owner_told', 'integer', (column) => column.notNull().defaultTo(0))
      .addPrimaryKeyConstraint('act_sequels_key', ['workspace_id', 'wish_id'])
      .execute()
    await db.schema.createIndex('act_sequels_due_at').on('act_sequels').column('due_at').execute()
    await db.schema.createIndex('act_sequels_kept_at').on('act_sequels').column('kept_at').execute()
  },
}
