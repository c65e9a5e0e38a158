// Posted cards in the database.
import type { Kysely, Selectable } from 'kysely'
import { z } from 'zod'
import type { Card, Cards } from '../alert/cards.ts'
import type { Clock } from '../slack/ids.ts'
import type { CardsTable, Tables } from './tables.ts'

const toldSchema = z.array(z.string())

export function cardsIn(db: Kysely<Tables>, now: Clock): Cards {
  return {
    async keep(card) {
      await db.insertInto('cards').values(rowOf(card, now())).execute()
    },

    async find(workspaceId, id) {
      const row = await db
        .selectFrom('cards')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .executeTakeFirst()
      return row && cardOf(row)
    },

    async tell(workspaceId, id, version, told) {
      const { numUpdatedRows } = await db
        .updateTable('cards')
        .set({ told: JSON.stringify(told), version: version + 1 })
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .where('version', '=', version)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    async landed(workspaceId, id, { isPrivate, form }) {
      await db
        .updateTable('cards')
        .set({ is_private: isPrivate ? 1 : 0, form })
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .execute()
    },

    async shared(workspaceId, id) {
      return setShared(workspaceId, id, 1)
    },

    async notShared(workspaceId, id) {
      await setShared(workspaceId, id, 0)
    },

    async forgetWorkspace(workspaceId) {
      await db.deleteFrom('cards').where('workspace_id', '=', workspaceId).execute()
    },

    async prune(before) {
      await db.deleteFrom('cards').where('kept_at', '<', before).execute()
    },
  }

  /** True for the one caller that changes it. */
  async function setShared(workspaceId: string, id: string, isShared: 0 | 1): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('cards')
      .set({ is_shared: isShared })
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', id)
      .where('is_shared', '!=', isShared)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }
}

function rowOf(card: Card, keptAt: number): CardsTable {
  return {
    workspace_id: card.workspaceId,
    id: card.id,
    ks: card.ks,
    asker_id: card.asker.userId,
    asker_name: card.askerName,
    channel_id: card.channelId ?? null,
    is_private: card.isPrivate ? 1 : 0,
    form: card.form,
    told: JSON.stringify(card.told),
    version: card.version,
    is_shared: 0,
    kept_at: keptAt,
  }
}

function cardOf(row: Selectable<CardsTable>): Card {
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    ks: row.ks,
    asker: { workspaceId: row.workspace_id, userId: row.asker_id },
    askerName: row.asker_name,
    channelId: row.channel_id ?? undefined,
    isPrivate: row.is_private === 1,
    form: row.form,
    told: toldSchema.parse(JSON.parse(row.told)),
    version: row.version,
  }
}
