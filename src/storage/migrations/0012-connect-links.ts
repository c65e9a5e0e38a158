// One-time links to the page where a token is given.
// Never edited once released: changes are further migrations.
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

export const connectLinks: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('connect_links')
      .addColumn('hash', 'text', (column) => column.primaryKey())
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('what', 'text', (column) => column.notNull())
      .addColumn('prompt', 'text')
      .addColumn('until', 'bigint', (column) => column.notNull())
      .addColumn('tries_left', 'integer', (column) => column.notNull())
      .addColumn('held_until', 'bigint')
      .execute()
    await db.schema
      .createIndex('connect_links_of_person')
      .on('connect_links')
      .columns(['workspace_id', 'user_id'])
      .execute()
    await db.schema.createIndex('connect_links_until').on('connect_links').column('until').execute()
  },
}
