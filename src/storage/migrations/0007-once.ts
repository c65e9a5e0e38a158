// What is to happen once, and how loud each channel wants it.
// Never edited once released: changes are further migrations.
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

export const once: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('once')
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('key', 'text', (column) => column.notNull())
      .addColumn('said_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('once_key', ['workspace_id', 'key'])
      .execute()
    await db.schema.createIndex('once_said_at').on('once').column('said_at').execute()
    await db.schema
      .createTable('channel_styles')
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('channel_id', 'text', (column) => column.notNull())
      .addColumn('style', 'text', (column) => column.notNull())
      .addColumn('set_by', 'text', (column) => column.notNull())
      .addColumn('set_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('channel_styles_key', ['workspace_id', 'channel_id'])
      .execute()
  },
}
