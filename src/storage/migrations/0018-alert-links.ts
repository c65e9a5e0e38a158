// Links of alerts that hold no key: what they lead to, for whom, and the one on each card.
// Never edited once released: changes are further migrations.
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

export const alertLinks: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('alert_links')
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      // A link may be longer than PostgreSQL takes into an index.
      .addColumn('hash', 'text', (column) => column.notNull())
      .addColumn('link', 'text', (column) => column.notNull())
      .addColumn('ks', 'text', (column) => column.notNull())
      .addColumn('kept_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('alert_links_key', ['workspace_id', 'user_id', 'hash'])
      .execute()
    await db.schema.createIndex('alert_links_kept_at').on('alert_links').column('kept_at').execute()
    await db.schema.alterTable('cards').addColumn('link', 'text').execute()
  },
}
