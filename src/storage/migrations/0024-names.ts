// Names of people and containers as each person's token shows them, containers of alerts, who somebody is at the
// service, and the names on a card.
// Never edited once released: changes are further migrations.
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

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
