// The audit trail: chained records, where the chain goes on after pruning, and look-ups.
// Never edited once released: changes are further migrations.
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

export const audit: Migration = {
  async up(db: Kysely<unknown>) {
    await createRecords(db)
    await createCheckpoint(db)
    await createLookUps(db)
  },
}

async function createRecords(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('audit_records')
    // The one thing that keeps two processes from writing the same place in the chain.
    .addColumn('seq', 'bigint', (column) => column.primaryKey().notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('workspace_id', 'text', (column) => column.notNull())
    .addColumn('event_key', 'text', (column) => column.notNull())
    .addColumn('key_id', 'text', (column) => column.notNull())
    .addColumn('mac', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('email', 'text')
    .execute()
  await db.schema
    .createIndex('audit_records_once')
    .on('audit_records')
    .columns(['workspace_id', 'event_key'])
    .unique()
    .execute()
  await db.schema.createIndex('audit_records_at').on('audit_records').column('at').execute()
  await db.schema.createIndex('audit_records_email').on('audit_records').column('email').execute()
}

/** One row, whose id is 1. */
async function createCheckpoint(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('audit_checkpoint')
    .addColumn('id', 'integer', (column) => column.primaryKey().notNull())
    .addColumn('seq', 'bigint', (column) => column.notNull())
    .addColumn('mac', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('unverified', 'bigint', (column) => column.notNull())
    .addColumn('key_id', 'text', (column) => column.notNull())
    .addColumn('seal', 'text', (column) => column.notNull())
    .execute()
}

async function createLookUps(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('audit_look_ups')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('workspace_id', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('audit_look_ups_at').on('audit_look_ups').columns(['at', 'id']).execute()
}
