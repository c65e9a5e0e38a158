// Migrations from 0018 on, since grants became wishes. The next one goes to the end.
// Never edited once released: changes are further migrations.

import { createHash } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Links of alerts that hold no key: what they lead to, for whom, and the one on each card. */
export const alertLinks: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('alert_links')
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      // A link may be longer than PostgreSQL takes into an index.
      .addColumn('hash', 'text', (column) => column.notNull())
      .addColumn('link', 'text', (column) => column.notNull())
      .addColumn('ks', 'text', (column) => column.notNull())
      .addColumn('kept_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('alert_links_key', ['workspace_id', 'user_id', 'hash'])
      .execute()
    await db.schema.createIndex('alert_links_kept_at').on('alert_links').column('kept_at').execute()
    await db.schema.alterTable('cards').addColumn('link', 'text').execute()
  },
}

/**
 * Direct messages to those who watch: how the alert stood when each was last told, and whether they want none; and
 * cards by their alert.
 */
export const toldDirectly: Migration = {
  async up(db: Kysely<unknown>) {
    // Of those who watched before: nothing is known, and they start from what their card shows.
    await db.schema.alterTable('watches').addColumn('told_level', 'bigint').execute()
    await db.schema.alterTable('watches').addColumn('telling_until', 'bigint').execute()
    await db.schema
      .alterTable('watches')
      .addColumn('is_thread_only', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await db.schema.createIndex('cards_of_alert').on('cards').columns(['workspace_id', 'ks']).execute()
  },
}

const hourMs = 60 * 60_000

/**
 * What a request for approval says later: when it ended, whether its thread has the details, and when it reminds;
 * and whom an installation mentions.
 */
export const approvalNews: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('approvals').addColumn('ended_at', 'bigint').execute()
    await db.schema
      .alterTable('approvals')
      .addColumn('is_thread_told', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await db.schema.alterTable('approvals').addColumn('remind_at', 'bigint').execute()
    await sql`update approvals set remind_at = until - ${sql.lit(hourMs)}
      where is_open = 1 and until - asked_at > ${sql.lit(hourMs)}`.execute(db)
    await db.schema
      .createIndex('approvals_remind')
      .on('approvals')
      .column('remind_at')
      .where(sql.ref('state'), '=', sql.lit('open'))
      .where(sql.ref('remind_at'), 'is not', null)
      .execute()
    await db.schema.alterTable('installations').addColumn('approval_mention', 'text').execute()
  },
}

/** As they are at this step, as far as it matters; the other columns go back as they came. */
type TablesAt21 = {
  readonly sends: {
    readonly workspace_id: string
    readonly wish_id: string
    readonly n: number
    readonly kind: string
    readonly write: string
    readonly target: string | null
  }
}

/** Rows read and written at once. */
const PIECE = 500

/** Targets of sends: by them, what somebody was given on a container is found again. */
export const targets: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('sends').addColumn('target', 'text').execute()
    await fillIn(db.withTables<TablesAt21>())
    // One that a process of an older version keeps meanwhile has none, and is not found.
    await db.schema
      .createIndex('sends_of_target')
      .on('sends')
      .columns(['workspace_id', 'target', 'settled_at'])
      .execute()
  },
}

async function fillIn(db: Kysely<TablesAt21>): Promise<void> {
  let after: { readonly workspace_id: string; readonly wish_id: string; readonly n: number } | undefined
  for (;;) {
    const last = after
    const rows = await db
      .selectFrom('sends')
      .selectAll()
      .$if(last !== undefined, (query) =>
        query.where(({ eb, refTuple, tuple }) =>
          eb(
            refTuple('workspace_id', 'wish_id', 'n'),
            '>',
            tuple(last?.workspace_id ?? '', last?.wish_id ?? '', last?.n ?? 0),
          ),
        ),
      )
      .orderBy('workspace_id')
      .orderBy('wish_id')
      .orderBy('n')
      .limit(PIECE)
      .execute()
    const known = rows.filter(({ kind }) => kind === 'add-user')
    if (known.length > 0) {
      // One statement for many rows, on both engines.
      await db
        .insertInto('sends')
        .values(known.map((row) => ({ ...row, target: targetIn(row.write) })))
        .onConflict((conflict) =>
          conflict
            .columns(['workspace_id', 'wish_id', 'n'])
            .doUpdateSet(({ ref }) => ({ target: ref('excluded.target') })),
        )
        .execute()
    }
    after = rows.at(-1)
    if (after === undefined) return
  }
}

/** As `targetOf` gives it at this step. */
function targetIn(write: string): string {
  const { containerId, email }: { readonly containerId: number; readonly email: string } = JSON.parse(write)
  const canonical = JSON.stringify([containerId, email.toLowerCase()])
  return createHash('sha256').update(canonical).digest('base64url')
}

/** Notices to people who got access: which grants were told to them, so that each is once. */
export const notices: Migration = {
  async up(db: Kysely<unknown>) {
    // Of grants from before: none. Nobody looks for them but whoever tells their outcome late.
    await db.schema
      .alterTable('sends')
      .addColumn('is_noticed', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
  },
}

/**
 * Later looks at what is not certain: what an alert showed before a write, and when somebody looks what became of
 * it.
 */
export const looks: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('sends').addColumn('before', 'text').execute()
    await db.schema.alterTable('sends').addColumn('look_at', 'bigint').execute()
    await db.schema
      .alterTable('sends')
      .addColumn('looks', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await db.schema
      .createIndex('sends_to_look_at')
      .on('sends')
      .column('look_at')
      .where(sql.ref('look_at'), 'is not', null)
      .execute()
  },
}

/**
 * Names of people and containers as each person's token shows them, containers of alerts, who somebody is at the
 * service, and the names on a card.
 */
export const namesShown: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('container_names')
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      // Text, as every place of something sealed is.
      .addColumn('container_id', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull().defaultTo(''))
      .addColumn('people', 'text', (column) => column.notNull().defaultTo(''))
      .addColumn('name_asked_at', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('people_asked_at', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('kept_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('container_names_key', ['workspace_id', 'user_id', 'container_id'])
      .execute()
    await db.schema.createIndex('container_names_kept_at').on('container_names').column('kept_at').execute()
    await db.schema
      .createTable('alert_containers')
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('ks', 'text', (column) => column.notNull())
      .addColumn('container_id', 'text', (column) => column.notNull())
      .addColumn('kept_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('alert_containers_key', ['workspace_id', 'user_id', 'ks'])
      .execute()
    await db.schema.createIndex('alert_containers_kept_at').on('alert_containers').column('kept_at').execute()
    await db.schema
      .createTable('own_ids')
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('service_user_id', 'bigint', (column) => column.notNull())
      .addColumn('is_proven', 'integer', (column) => column.notNull())
      .addColumn('linked_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('own_ids_key', ['workspace_id', 'user_id'])
      .execute()
    await db.schema
      .createIndex('own_ids_of_service_user')
      .on('own_ids')
      .columns(['workspace_id', 'service_user_id'])
      .unique()
      .execute()
    await db.schema.alterTable('cards').addColumn('names', 'text').execute()
  },
}

/** Cards are found by the thread that they stand in: a message there is about their alert. */
export const cardsInThreads: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createIndex('cards_in_channel')
      .on('cards')
      .columns(['workspace_id', 'posted_channel_id'])
      .execute()
  },
}

/** What follows an act on an alert: until when somebody follows it up, and whether a new owner was told. */
export const actSequels: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('act_sequels')
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('wish_id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('step', 'text', (column) => column.notNull())
      .addColumn('kept_at', 'bigint', (column) => column.notNull())
      .addColumn('due_at', 'bigint')
      .addColumn('until', 'bigint')
      .addColumn('is_owner_told', 'integer', (column) => column.notNull().defaultTo(0))
      .addPrimaryKeyConstraint('act_sequels_key', ['workspace_id', 'wish_id'])
      .execute()
    await db.schema.createIndex('act_sequels_due_at').on('act_sequels').column('due_at').execute()
    await db.schema.createIndex('act_sequels_kept_at').on('act_sequels').column('kept_at').execute()
  },
}

/**
 * Looks at the people of a container after a grant that was left in doubt: what was seen last, and which wishes
 * are told elsewhere.
 */
export const peopleLooks: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('sends').addColumn('look', 'text').execute()
    await db.schema
      .alterTable('wishes')
      .addColumn('is_told_elsewhere', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    // Those that were approved: of these, the request tells the outcome.
    await sql`update wishes set is_told_elsewhere = 1 where asker_id <> sender_id`.execute(db)
  },
}

/** Names of containers in requests for approval, as the asker's token had shown them. */
export const requestNames: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('approvals').addColumn('container', 'text').execute()
  },
}

/** Drawings of cards are counted: whoever read an alert knows whether another process has drawn its card since. */
export const cardDrawings: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('cards')
      .addColumn('drawings', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
  },
}

/** Several people may say that they are the same user of the service; one at most has proven it. */
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
