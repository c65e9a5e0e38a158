// Notices to people who got access: which grants were told to them, so that each is once.
// Never edited once released: changes are further migrations.
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

export const notices: Migration = {
  async up(db: Kysely<unknown>) {
    // Of grants from before: none. Nobody looks for them but whoever tells their outcome late.
    await db.schema
      .alterTable('sends')
      .addColumn('is_noticed', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
  },
}
