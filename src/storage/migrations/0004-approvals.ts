// Requests for approval, and a fingerprint beside each token. Never edited once released: changes are further migrations.
import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const approvals: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('accounts').addColumn('fingerprint', 'text').execute()
    await createApprovals(db)
    await createIndices(db)
  },
}

async function createApprovals(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('approvals')
    .addColumn('workspace_id', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('wish_id', 'text', (column) => column.notNull())
    .addColumn('asker_id', 'text', (column) => column.notNull())
    .addColumn('asker_name', 'text', (column) => column.notNull())
    .addColumn('wish', 'text', (column) => column.notNull())
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('barred', 'text', (column) => column.notNull())
    .addColumn('channel_id', 'text')
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('is_open', 'integer', (column) => column.notNull())
    .addColumn('attempt', 'integer', (column) => column.notNull())
    .addColumn('approver_id', 'text')
    .addColumn('approver_name', 'text')
    .addColumn('lease_until', 'bigint')
    .addColumn('ending', 'text')
    .addColumn('asked_at', 'bigint', (column) => column.notNull())
    .addColumn('until', 'bigint', (column) => column.notNull())
    .addColumn('card', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('is_owed', 'integer', (column) => column.notNull())
    .addColumn('claim_until', 'bigint', (column) => column.notNull())
    .addColumn('is_asker_told', 'integer', (column) => column.notNull())
    .addColumn('is_approver_told', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('approvals_key', ['workspace_id', 'id'])
    .execute()
}

async function createIndices(db: Kysely<unknown>): Promise<void> {
  // The one thing that keeps two presses from asking twice for one wish.
  await db.schema
    .createIndex('approvals_one_open')
    .on('approvals')
    .columns(['workspace_id', 'wish_id'])
    .where(sql.ref('is_open'), '=', sql.lit(1))
    .unique()
    .execute()
  await db.schema
    .createIndex('approvals_own')
    .on('approvals')
    .columns(['workspace_id', 'asker_id'])
    .where(sql.ref('is_open'), '=', sql.lit(1))
    .execute()
  await db.schema
    .createIndex('approvals_until')
    .on('approvals')
    .column('until')
    .where(sql.ref('state'), '=', sql.lit('open'))
    .execute()
  await db.schema
    .createIndex('approvals_granting')
    .on('approvals')
    .column('lease_until')
    .where(sql.ref('state'), '=', sql.lit('granting'))
    .execute()
  await db.schema
    .createIndex('approvals_owed')
    .on('approvals')
    .column('claim_until')
    .where(sql.ref('is_owed'), '=', sql.lit(1))
    .execute()
  await db.schema.createIndex('approvals_asked_at').on('approvals').column('asked_at').execute()
}
