// Where the bot is installed, and who is about to install it.
// Never edited once released: changes are further migrations.
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

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
