// Later looks at what is not certain: what an alert showed before a write, and when somebody looks what became of it.
// Never edited once released: changes are further migrations.
import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const looks: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('sends').addColumn('before', 'text').execute()
    await db.schema.alterTable('sends').addColumn('look_at', 'bigint').execute()
    await db.schema
      .alterTable('sends')
      .addColumn('looks', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await db.schema
      .createIndex('sends_to_look_at')
      .on('sends')
      .column('look_at')
      .where(sql.ref('look_at'), 'is not', null)
      .execute()
  },
}
