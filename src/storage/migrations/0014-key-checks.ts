// A known text for each key that sealed something: whoever starts with other keys is told.
// Never edited once released: changes are further migrations.
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

export const keyChecks: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('key_checks')
      .addColumn('key_id', 'text', (column) => column.primaryKey())
      .addColumn('sealed', 'text', (column) => column.notNull())
      .execute()
  },
}
