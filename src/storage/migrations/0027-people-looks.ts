// Looks at the people of a container after a grant that was left in doubt: what was seen last, and which wishes are told
// elsewhere. Never edited once released: changes are further migrations.
import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const peopleLooks: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('sends').addColumn('look', 'text').execute()
    await db.schema
      .alterTable('wishes')
      .addColumn('is_told_elsewhere', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    // Those that were approved: of these, the request tells the outcome.
    await sql`update wishes set is_told_elsewhere = 1 where asker_id <> sender_id`.execute(db)
  },
}
