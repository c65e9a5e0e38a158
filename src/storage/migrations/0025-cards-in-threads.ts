// Cards are found by the thread that they stand in: a message there is about their alert.
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

export const cardsInThreads: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await db.schema
      .createIndex('cards_in_channel')
      .on('cards')
      .columns(['workspace_id', 'posted_channel_id'])
      .execute()
  },
}
