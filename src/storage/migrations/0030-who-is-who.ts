// Several people may say that they are the same user of the service; one at most has proven it.
// Never edited once released: changes are further migrations.
import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const whoIsWho: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.dropIndex('own_ids_of_service_user').execute()
    await db.schema
      .createIndex('own_ids_proven')
      .on('own_ids')
      .columns(['workspace_id', 'service_user_id'])
      .unique()
      .where(sql.ref('is_proven'), '=', sql.lit(1))
      .execute()
  },
}
