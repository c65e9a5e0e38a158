// Names of containers in requests for approval, as the asker's token had shown them.
// Never edited once released: changes are further migrations.
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

export const requestNames: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('approvals').addColumn('container', 'text').execute()
  },
}
