// Accounts, waiting commands, cards and grants. Never edited once released: changes are further migrations.
import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

export const core: Migration = {
  async up(db: Kysely<unknown>) {
    await createAccounts(db)
    await createWaiting(db)
    await createCards(db)
    await createGrants(db)
  },
}

async function createAccounts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('accounts')
    .addColumn('workspace_id', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('token', 'text', (column) => column.notNull())
    .addColumn('kept_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('accounts_key', ['workspace_id', 'user_id'])
    .execute()
}

async function createWaiting(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('waiting')
    .addColumn('workspace_id', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('what', 'text', (column) => column.notNull())
    .addColumn('since', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('waiting_key', ['workspace_id', 'user_id', 'id'])
    .execute()
  await db.schema.createIndex('waiting_since').on('waiting').column('since').execute()
}

async function createCards(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('cards')
    .addColumn('workspace_id', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('ks', 'text', (column) => column.notNull())
    .addColumn('asker_id', 'text', (column) => column.notNull())
    .addColumn('asker_name', 'text', (column) => column.notNull())
    .addColumn('channel_id', 'text')
    .addColumn('is_private', 'integer', (column) => column.notNull())
    .addColumn('form', 'text', (column) => column.notNull())
    .addColumn('told', 'text', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('is_shared', 'integer', (column) => column.notNull())
    .addColumn('kept_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('cards_key', ['workspace_id', 'id'])
    .execute()
  await db.schema.createIndex('cards_kept_at').on('cards').column('kept_at').execute()
}

async function createGrants(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('grants')
    .addColumn('workspace_id', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('asker_id', 'text', (column) => column.notNull())
    .addColumn('request', 'text', (column) => column.notNull())
    .addColumn('fingerprint', 'text', (column) => column.notNull())
    .addColumn('channel_id', 'text')
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('joined_id', 'text')
    .addColumn('is_standing', 'integer', (column) => column.notNull())
    .addColumn('outcome', 'text')
    .addColumn('asked_at', 'bigint', (column) => column.notNull())
    .addColumn('lease_until', 'bigint')
    .addColumn('settled_at', 'bigint')
    .addColumn('is_told', 'integer', (column) => column.notNull())
    .addColumn('telling_until', 'bigint')
    .addColumn('is_shared', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('grants_key', ['workspace_id', 'id'])
    .execute()
  // The one thing that keeps two processes from sending equal grants at the same time.
  await db.schema
    .createIndex('grants_one_standing')
    .on('grants')
    .columns(['workspace_id', 'asker_id', 'fingerprint'])
    .where(sql.ref('is_standing'), '=', sql.lit(1))
    .unique()
    .execute()
  await db.schema
    .createIndex('grants_under_way')
    .on('grants')
    .column('lease_until')
    .where(sql.ref('state'), '=', sql.lit('sending'))
    .execute()
  await db.schema
    .createIndex('grants_untold')
    .on('grants')
    .column('settled_at')
    .where(sql.ref('state'), '=', sql.lit('settled'))
    .where(sql.ref('is_told'), '=', sql.lit(0))
    .execute()
  await db.schema.createIndex('grants_asked_at').on('grants').column('asked_at').execute()
}
