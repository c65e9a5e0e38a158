// Tables of wishes and sends as 0017 makes them, beside those that they take the place of.
// Never edited once released: changes are further migrations.
import { type Kysely, sql } from 'kysely'

export interface Key {
  readonly workspace_id: string
  readonly id: string
}

export interface FormerRow extends Key {
  readonly asker_id: string
  readonly fingerprint: string
  readonly channel_id: string | null
  readonly state: 'asked' | 'cancelled' | 'sending' | 'settled' | 'joined'
  readonly joined_id: string | null
  readonly is_standing: number
  readonly asked_at: number
  readonly lease_until: number | null
  readonly settled_at: number | null
  readonly is_told: number
  readonly telling_until: number | null
  readonly is_shared: number
  readonly about: string | null
  readonly is_handed_over: number
}

interface GrantRow extends FormerRow {
  readonly request: string
  readonly outcome: string | null
}

export interface BatchRow extends FormerRow {
  readonly wish: string
}

export interface ApprovalRow extends Key {
  readonly asker_id: string
  readonly wish: string
  readonly state: 'open' | 'granting' | 'ended'
  readonly attempt: number
  readonly lease_until: number | null
}

export interface WishRow extends Key {
  readonly sender_id: string
  readonly asker_id: string
  readonly channel_id: string | null
  readonly about: string | null
  readonly state: 'asked' | 'cancelled' | 'handed-over' | 'joined' | 'sending' | 'settled'
  readonly joined_id: string | null
  readonly follows_id: string | null
  readonly follows_as: string | null
  readonly asked_at: number
  readonly lease_until: number | null
  readonly settled_at: number | null
  readonly is_told: number
  readonly telling_until: number | null
  readonly is_shared: number
}

export interface SendRow {
  readonly workspace_id: string
  readonly wish_id: string
  readonly n: number
  readonly sender_id: string
  readonly kind: 'add-user'
  readonly write: string
  readonly fingerprint: string
  readonly state: 'asked' | 'joined' | 'sending' | 'settled' | 'never-sent'
  readonly joined_wish_id: string | null
  readonly joined_n: number | null
  readonly is_standing: number
  readonly asked_at: number
  readonly lease_until: number | null
  readonly settled_at: number | null
  readonly outcome: string | null
  readonly is_doubt_told: number
}

/** An alias, as only those have what `withTables` asks for. */
export type TablesAt17 = {
  readonly grants_until_0016: GrantRow
  readonly batches_until_0016: BatchRow
  readonly approvals: ApprovalRow
  readonly wishes: WishRow
  readonly sends: SendRow
}

// First of all: a process of an older version that still runs fails from here on, and sends nothing.

export async function setAside(db: Kysely<unknown>): Promise<void> {
  for (const table of ['grants', 'batches']) {
    await db.schema.alterTable(table).renameTo(`${table}_until_0016`).execute()
    // Nobody but pruning reads them any more.
    for (const index of ['one_standing', 'under_way', 'untold', 'of_asker']) {
      await db.schema.dropIndex(`${table}_${index}`).ifExists().execute()
    }
  }
}

export async function createWishes(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('wishes')
    .addColumn('workspace_id', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('sender_id', 'text', (column) => column.notNull())
    .addColumn('asker_id', 'text', (column) => column.notNull())
    .addColumn('channel_id', 'text')
    .addColumn('about', 'text')
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('joined_id', 'text')
    .addColumn('follows_id', 'text')
    .addColumn('follows_as', 'text')
    .addColumn('asked_at', 'bigint', (column) => column.notNull())
    .addColumn('lease_until', 'bigint')
    .addColumn('settled_at', 'bigint')
    .addColumn('is_told', 'integer', (column) => column.notNull())
    .addColumn('telling_until', 'bigint')
    .addColumn('is_shared', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('wishes_key', ['workspace_id', 'id'])
    .execute()
  // The one thing that keeps two presses from asking twice for the same rest.
  await db.schema
    .createIndex('wishes_following')
    .on('wishes')
    .columns(['workspace_id', 'follows_id', 'follows_as'])
    .unique()
    .execute()
  await db.schema
    .createIndex('wishes_under_way')
    .on('wishes')
    .column('lease_until')
    .where(sql.ref('state'), '=', sql.lit('sending'))
    .execute()
  await db.schema
    .createIndex('wishes_untold')
    .on('wishes')
    .column('telling_until')
    .where(sql.ref('state'), '=', sql.lit('settled'))
    .where(sql.ref('is_told'), '=', sql.lit(0))
    .execute()
  await db.schema.createIndex('wishes_asked_at').on('wishes').column('asked_at').execute()
  await db.schema
    .createIndex('wishes_of_sender')
    .on('wishes')
    .columns(['workspace_id', 'sender_id', 'asked_at'])
    .execute()
}

export async function createSends(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('sends')
    .addColumn('workspace_id', 'text', (column) => column.notNull())
    .addColumn('wish_id', 'text', (column) => column.notNull())
    .addColumn('n', 'integer', (column) => column.notNull())
    .addColumn('sender_id', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('write', 'text', (column) => column.notNull())
    .addColumn('fingerprint', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('joined_wish_id', 'text')
    .addColumn('joined_n', 'integer')
    .addColumn('is_standing', 'integer', (column) => column.notNull())
    .addColumn('asked_at', 'bigint', (column) => column.notNull())
    .addColumn('lease_until', 'bigint')
    .addColumn('settled_at', 'bigint')
    .addColumn('outcome', 'text')
    .addColumn('is_doubt_told', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('sends_key', ['workspace_id', 'wish_id', 'n'])
    .execute()
  // The one thing that keeps two processes from making equal requests at the same time.
  await db.schema
    .createIndex('sends_one_standing')
    .on('sends')
    .columns(['workspace_id', 'sender_id', 'fingerprint'])
    .where(sql.ref('is_standing'), '=', sql.lit(1))
    .unique()
    .execute()
  await db.schema
    .createIndex('sends_under_way')
    .on('sends')
    .column('lease_until')
    .where(sql.ref('state'), '=', sql.lit('sending'))
    .execute()
  await db.schema
    .createIndex('sends_of_sender')
    .on('sends')
    .columns(['workspace_id', 'sender_id', 'settled_at'])
    .execute()
  await db.schema.createIndex('sends_asked_at').on('sends').column('asked_at').execute()
}
