// Styles of channels in the database: how loud each wants the bot.
import type { Kysely } from 'kysely'
import type { ChannelStyles } from '../../slack/workspace/channels.ts'
import { type Engine, prepare, type Slots } from '../engine.ts'
import type { Tables } from '../tables.ts'

type Channel = { readonly workspaceId: string; readonly channelId: string }

export function channelStylesIn(db: Kysely<Tables>, engine: Engine): ChannelStyles {
  const find = prepare(db, (slot: Slots<Channel>) =>
    db
      .selectFrom('channel_styles')
      .select(['style', 'set_by', 'set_at'])
      .where('workspace_id', '=', slot('workspaceId'))
      .where('channel_id', '=', slot('channelId')),
  )

  return {
    async of(workspaceId, channelId) {
      const { rows } = await find({ workspaceId, channelId })
      const [row] = rows
      return row && { style: row.style, setBy: row.set_by, setAt: row.set_at }
    },

    async set(workspaceId, channelId, style, setBy) {
      const set = { style, set_by: setBy, set_at: engine.now() }
      await db
        .insertInto('channel_styles')
        .values({ workspace_id: workspaceId, channel_id: channelId, ...set })
        .onConflict((conflict) => conflict.columns(['workspace_id', 'channel_id']).doUpdateSet(set))
        .execute()
    },

    async forget(workspaceId, channelId) {
      await db
        .deleteFrom('channel_styles')
        .where('workspace_id', '=', workspaceId)
        .where('channel_id', '=', channelId)
        .execute()
    },

    async forgetWorkspace(workspaceId) {
      await db.deleteFrom('channel_styles').where('workspace_id', '=', workspaceId).execute()
    },
  }
}
