// Cards that stand in a thread of others, and what each card was about.
// Never edited once released: changes are further migrations.
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

export const threads: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('cards')
      .addColumn('title', 'text', (column) => column.notNull().defaultTo(''))
      .execute()
    await db.schema.alterTable('cards').addColumn('thread_ts', 'text').execute()
    await db.schema.alterTable('live_cards').addColumn('thread_ts', 'text').execute()
  },
}
