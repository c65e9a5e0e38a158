// Batches: wishes for several people, whose result is told in one message.
// Never edited once released: changes are further migrations.
import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const batches: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('batches')
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('asker_id', 'text', (column) => column.notNull())
      .addColumn('wish', 'text', (column) => column.notNull())
      .addColumn('fingerprint', 'text', (column) => column.notNull())
      .addColumn('channel_id', 'text')
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('joined_id', 'text')
      .addColumn('is_standing', 'integer', (column) => column.notNull())
      .addColumn('asked_at', 'bigint', (column) => column.notNull())
      .addColumn('lease_until', 'bigint')
      .addColumn('settled_at', 'bigint')
      .addColumn('is_told', 'integer', (column) => column.notNull())
      .addColumn('telling_until', 'bigint')
      .addColumn('is_shared', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('batches_key', ['workspace_id', 'id'])
      .execute()
    await createIndices(db)
  },
}

async function createIndices(db: Kysely<unknown>): Promise<void> {
  // The one thing that keeps two processes from beginning equal batches at the same time.
  await db.schema
    .createIndex('batches_one_standing')
    .on('batches')
    .columns(['workspace_id', 'asker_id', 'fingerprint'])
    .where(sql.ref('is_standing'), '=', sql.lit(1))
    .unique()
    .execute()
  await db.schema
    .createIndex('batches_under_way')
    .on('batches')
    .column('lease_until')
    .where(sql.ref('state'), '=', sql.lit('sending'))
    .execute()
  await db.schema
    .createIndex('batches_untold')
    .on('batches')
    .column('settled_at')
    .where(sql.ref('state'), '=', sql.lit('settled'))
    .where(sql.ref('is_told'), '=', sql.lit(0))
    .execute()
  await db.schema.createIndex('batches_asked_at').on('batches').column('asked_at').execute()
}
