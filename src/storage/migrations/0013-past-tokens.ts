// Fingerprints of tokens that people gave up; requests that have ended lose theirs.
// Never edited once released: changes are further migrations.
import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const pastTokens: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('past_tokens')
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('fingerprint', 'text', (column) => column.notNull())
      .addColumn('key_id', 'text', (column) => column.notNull())
      .addColumn('given_up_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('past_tokens_key', ['workspace_id', 'user_id', 'fingerprint'])
      .execute()
    await db.schema.createIndex('past_tokens_given_up_at').on('past_tokens').column('given_up_at').execute()
    await sql`update approvals set barred = '{"recipientIds":[],"recipients":[]}' where is_open = 0`.execute(
      db,
    )
  },
}
