// Drawings of cards are counted: whoever read an alert knows whether another process has drawn its card since. Never
// edited once released: changes are further migrations.
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

export const cardDrawings: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('cards')
      .addColumn('drawings', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
  },
}
