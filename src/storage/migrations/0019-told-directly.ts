// Direct messages to those who watch: how the alert stood when each was last told, and whether they want none; and cards
// by their alert.
// Never edited once released: changes are further migrations.
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

export const toldDirectly: Migration = {
  async up(db: Kysely<unknown>) {
    // Of those who watched before: nothing is known, and they start from what their card shows.
    await db.schema.alterTable('watches').addColumn('told_level', 'bigint').execute()
    await db.schema.alterTable('watches').addColumn('telling_until', 'bigint').execute()
    await db.schema
      .alterTable('watches')
      .addColumn('is_thread_only', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await db.schema.createIndex('cards_of_alert').on('cards').columns(['workspace_id', 'ks']).execute()
  },
}
