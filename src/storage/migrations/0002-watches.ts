// Watches: cards that stay true, who watches them, and replies that are noted before they are sent.
// Never edited once released: changes are further migrations.
import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

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
