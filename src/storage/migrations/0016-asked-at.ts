// The time at which Slack was last asked whether somebody who has connected is still there.
// Never edited once released: changes are further migrations.
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

export const askedAt: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('accounts')
      // Of those who have connected before: never.
      .addColumn('asked_at', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
    await db.schema.createIndex('accounts_asked_at').on('accounts').column('asked_at').execute()
  },
}
