// What somebody did of late is found by its asker, and the last refusals of the service are kept.
// Never edited once released: changes are further migrations.
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

export const recent: Migration = {
  async up(db: Kysely<unknown>) {
    for (const [table, time] of [
      ['cards', 'kept_at'],
      ['grants', 'asked_at'],
      ['batches', 'asked_at'],
    ] as const) {
      await db.schema
        .createIndex(`${table}_of_asker`)
        .on(table)
        .columns(['workspace_id', 'asker_id', time])
        .execute()
    }
    await db.schema
      .createTable('refusals')
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('ks', 'text')
      .addColumn('refused_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('refusals_key', ['workspace_id', 'user_id', 'kind'])
      .execute()
    await db.schema.createIndex('refusals_refused_at').on('refusals').column('refused_at').execute()
  },
}
