// Migrations 0006 to 0016, until grants became wishes.
// Never edited once released: changes are further migrations.
import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Cards that stand in a thread of others, and what each card was about. */
export const threads: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('cards')
      .addColumn('title', 'text', (column) => column.notNull().defaultTo(''))
      .execute()
    await db.schema.alterTable('cards').addColumn('thread_ts', 'text').execute()
    await db.schema.alterTable('live_cards').addColumn('thread_ts', 'text').execute()
  },
}

/** What is to happen once, and how loud each channel wants it. */
export const once: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('once')
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('key', 'text', (column) => column.notNull())
      .addColumn('said_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('once_key', ['workspace_id', 'key'])
      .execute()
    await db.schema.createIndex('once_said_at').on('once').column('said_at').execute()
    await db.schema
      .createTable('channel_styles')
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('channel_id', 'text', (column) => column.notNull())
      .addColumn('style', 'text', (column) => column.notNull())
      .addColumn('set_by', 'text', (column) => column.notNull())
      .addColumn('set_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('channel_styles_key', ['workspace_id', 'channel_id'])
      .execute()
  },
}

/** What somebody did of late is found by its asker, and the last refusals of the service are kept. */
export const recent: Migration = {
  async up(db: Kysely<unknown>) {
    for (const [table, time] of [
      ['cards', 'kept_at'],
      ['grants', 'asked_at'],
      ['batches', 'asked_at'],
    ] as const) {
      await db.schema
        .createIndex(`${table}_of_asker`)
        .on(table)
        .columns(['workspace_id', 'asker_id', time])
        .execute()
    }
    await db.schema
      .createTable('refusals')
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('ks', 'text')
      .addColumn('refused_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('refusals_key', ['workspace_id', 'user_id', 'kind'])
      .execute()
    await db.schema.createIndex('refusals_refused_at').on('refusals').column('refused_at').execute()
  },
}

/** What access is granted for, and whether a wish was given up because approval was asked for. */
export const about: Migration = {
  async up(db: Kysely<unknown>) {
    for (const table of ['grants', 'batches']) {
      await db.schema.alterTable(table).addColumn('about', 'text').execute()
      await db.schema
        .alterTable(table)
        .addColumn('is_handed_over', 'integer', (column) => column.notNull().defaultTo(0))
        .execute()
    }
  },
}

/** Requests for approval that stand in a thread, and an index that finds all of one wish. */
export const approvalThreads: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('approvals').addColumn('thread_ts', 'text').execute()
    await db.schema
      .createIndex('approvals_of_wish')
      .on('approvals')
      .columns(['workspace_id', 'wish_id'])
      .execute()
  },
}

/** Where the bot is installed, and who is about to install it. */
export const installations: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('installations')
      .addColumn('workspace_id', 'text', (column) => column.primaryKey())
      .addColumn('team_id', 'text', (column) => column.notNull())
      .addColumn('team_name', 'text')
      .addColumn('enterprise_id', 'text')
      .addColumn('is_org_wide', 'smallint', (column) => column.notNull())
      .addColumn('bot_user_id', 'text', (column) => column.notNull())
      .addColumn('bot_id', 'text')
      .addColumn('url', 'text')
      .addColumn('scopes', 'text')
      .addColumn('token', 'text', (column) => column.notNull())
      .addColumn('installer_id', 'text', (column) => column.notNull())
      .addColumn('installed_at', 'bigint', (column) => column.notNull())
      .addColumn('audit_channel', 'text')
      .addColumn('approval_channel', 'text')
      .execute()
    await db.schema
      .createTable('install_states')
      .addColumn('hash', 'text', (column) => column.primaryKey())
      .addColumn('kept_at', 'bigint', (column) => column.notNull())
      .addColumn('used_at', 'bigint')
      .execute()
    await db.schema.createIndex('install_states_kept_at').on('install_states').column('kept_at').execute()
  },
}

/** One-time links to the page where a token is given. */
export const connectLinks: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('connect_links')
      .addColumn('hash', 'text', (column) => column.primaryKey())
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      .addColumn('what', 'text', (column) => column.notNull())
      .addColumn('prompt', 'text')
      .addColumn('until', 'bigint', (column) => column.notNull())
      .addColumn('tries_left', 'integer', (column) => column.notNull())
      .addColumn('held_until', 'bigint')
      .execute()
    await db.schema
      .createIndex('connect_links_of_person')
      .on('connect_links')
      .columns(['workspace_id', 'user_id'])
      .execute()
    await db.schema.createIndex('connect_links_until').on('connect_links').column('until').execute()
  },
}

/** Fingerprints of tokens that people gave up; requests that have ended lose theirs. */
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

/** A known text for each key that sealed something: whoever starts with other keys is told. */
export const keyChecks: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('key_checks')
      .addColumn('key_id', 'text', (column) => column.primaryKey())
      .addColumn('sealed', 'text', (column) => column.notNull())
      .execute()
  },
}

/** Processes that share the database, and what each person may still ask of them together. */
export const sharedLimits: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('processes')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('seen_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema
      .createTable('person_limits')
      .addColumn('workspace_id', 'text', (column) => column.notNull())
      .addColumn('user_id', 'text', (column) => column.notNull())
      // Twice as exact as `real`, which is too little on PostgreSQL.
      .addColumn('remaining', 'double precision', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('told_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('person_limits_key', ['workspace_id', 'user_id'])
      .execute()
    await db.schema.createIndex('person_limits_at').on('person_limits').column('at').execute()
  },
}

/** The time at which Slack was last asked whether somebody who has connected is still there. */
export const askedAt: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('accounts')
      // Of those who have connected before: never.
      .addColumn('asked_at', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
    await db.schema.createIndex('accounts_asked_at').on('accounts').column('asked_at').execute()
  },
}
