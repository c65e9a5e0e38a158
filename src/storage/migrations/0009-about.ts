// What access is granted for, and whether a wish was given up because approval was asked for.
// Never edited once released: changes are further migrations.
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

export const about: Migration = {
  async up(db: Kysely<unknown>) {
    for (const table of ['grants', 'batches']) {
      await db.schema.alterTable(table).addColumn('about', 'text').execute()
      await db.schema
        .alterTable(table)
        .addColumn('is_handed_over', 'integer', (column) => column.notNull().defaultTo(0))
        .execute()
    }
  },
}
