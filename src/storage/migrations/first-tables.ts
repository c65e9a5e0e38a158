// First migrations, 0001 to 0005: accounts, cards, grants, watches, requests for approval and the audit trail.
// Never edited once released: changes are further migrations.
import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Accounts, waiting commands, cards and grants. */
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

/** Watches: cards that stay true, who watches them, and replies that are noted before they are sent. */
export const watches: Migration = {
  async up(db: Kysely<unknown>) {
    for (const [name, type] of [
      ['posted_channel_id', 'text'],
      ['ts', 'text'],
      ['reply', 'text'],
      ['reply_until', 'bigint'],
    ] as const) {
      await db.schema.alterTable('cards').addColumn(name, type).execute()
    }
    await createLiveCards(db)
    await createWatches(db)
  },
}

async function createLiveCards(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('live_cards')
    .addColumn('workspace_id', 'text', (column) => column.notNull())
    .addColumn('card_id', 'text', (column) => column.notNull())
    .addColumn('since', 'bigint', (column) => column.notNull())
    .addColumn('channel_id', 'text', (column) => column.notNull())
    .addColumn('ts', 'text', (column) => column.notNull())
    .addColumn('shown', 'text')
    .addColumn('seen', 'text')
    .addColumn('true_at', 'bigint')
    .addColumn('drawn_at', 'bigint')
    .addColumn('failures', 'integer', (column) => column.notNull())
    .addColumn('due_at', 'bigint', (column) => column.notNull())
    .addColumn('ask_at', 'bigint', (column) => column.notNull())
    .addColumn('pokes', 'integer', (column) => column.notNull())
    .addColumn('lease_owner', 'text')
    .addColumn('lease_until', 'bigint')
    .addPrimaryKeyConstraint('live_cards_key', ['workspace_id', 'card_id'])
    .execute()
  await db.schema.createIndex('live_cards_due_at').on('live_cards').column('due_at').execute()
  await db.schema
    .createIndex('live_cards_leased')
    .on('live_cards')
    .column('lease_owner')
    .where(sql.ref('lease_owner'), 'is not', null)
    .execute()
}

async function createWatches(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('watches')
    .addColumn('workspace_id', 'text', (column) => column.notNull())
    .addColumn('card_id', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('user_name', 'text', (column) => column.notNull())
    .addColumn('since', 'bigint', (column) => column.notNull())
    .addColumn('until', 'bigint', (column) => column.notNull())
    .addColumn('slot', 'integer')
    .addColumn('ended', 'text')
    .addPrimaryKeyConstraint('watches_key', ['workspace_id', 'card_id', 'user_id'])
    .execute()
  // How many one person may have: each running watch holds a slot of theirs, and nobody else can take it.
  await db.schema
    .createIndex('watches_one_a_slot')
    .on('watches')
    .columns(['workspace_id', 'user_id', 'slot'])
    .unique()
    .execute()
}

/** Batches: wishes for several people, whose result is told in one message. */
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
    await createBatchIndices(db)
  },
}

async function createBatchIndices(db: Kysely<unknown>): Promise<void> {
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

/** Requests for approval, and a fingerprint beside each token. */
export const approvals: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('accounts').addColumn('fingerprint', 'text').execute()
    await createApprovals(db)
    await createApprovalIndices(db)
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

async function createApprovalIndices(db: Kysely<unknown>): Promise<void> {
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

/** The audit trail: chained records, where the chain goes on after pruning, and look-ups. */
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
