// Links between people in Slack and users of the service in the database: a unique index gives each user to one person
// who has proven it.
import { type Kysely, sql } from 'kysely'
import type { OwnId, OwnIds } from '../../../names/room.ts'
import type { SlackUser } from '../../../slack/ids.ts'
import type { Engine } from '../../engine.ts'
import type { Tables } from '../../tables.ts'

/** As the index has it. */
const proven = sql.lit<0 | 1>(1)

/** Takes back what was begun. */
class Taken extends Error {}

export function ownIdsIn(db: Kysely<Tables>, engine: Engine): OwnIds {
  async function find({ workspaceId, userId }: SlackUser): Promise<OwnId | undefined> {
    const row = await db
      .selectFrom('own_ids as own')
      .leftJoin('own_ids as other', (join) =>
        join
          .onRef('other.workspace_id', '=', 'own.workspace_id')
          .onRef('other.service_user_id', '=', 'own.service_user_id')
          .onRef('other.user_id', '<>', 'own.user_id')
          .on('other.is_proven', '=', proven),
      )
      .select(['own.service_user_id', 'own.is_proven', 'other.user_id as other_id'])
      .where('own.workspace_id', '=', workspaceId)
      .where('own.user_id', '=', userId)
      .executeTakeFirst()
    if (row === undefined) return undefined
    const own = { userId: row.service_user_id, isProven: row.is_proven === 1 }
    return row.other_id === null ? own : { ...own, isOverruled: true }
  }

  async function personProven(workspaceId: string, userId: number): Promise<SlackUser | undefined> {
    const row = await db
      .selectFrom('own_ids')
      .select('user_id')
      .where('workspace_id', '=', workspaceId)
      .where('service_user_id', '=', userId)
      .where('is_proven', '=', proven)
      .executeTakeFirst()
    return row && { workspaceId, userId: row.user_id }
  }

  return {
    find,
    personProven,

    async choose(person, userId, over) {
      const { workspaceId } = person
      const before = await find(person)
      if (before?.isProven && (over === 'chosen' || before.userId === userId)) return 'linked'
      const holder = await personProven(workspaceId, userId)
      if (holder !== undefined && holder.userId !== person.userId) return 'taken'
      const chosen = { service_user_id: userId, is_proven: 0, linked_at: engine.now() } as const
      await db
        .insertInto('own_ids')
        .values({ workspace_id: workspaceId, user_id: person.userId, ...chosen })
        .onConflict((conflict) => {
          const update = conflict.columns(['workspace_id', 'user_id']).doUpdateSet(chosen)
          // They may have proven something meanwhile.
          return over === 'chosen' ? update.where('own_ids.is_proven', '=', 0) : update
        })
        .execute()
      return 'linked'
    },

    /** Makes way, then takes it: `taken` leaves everything as it was. */
    async prove(person, userId) {
      const { workspaceId } = person
      try {
        return await db.transaction().execute(async (transaction) => {
          const own = transaction
            .deleteFrom('own_ids')
            .where('workspace_id', '=', workspaceId)
            .where('user_id', '=', person.userId)
          const before = await own.returning('service_user_id').executeTakeFirst()
          await transaction
            .deleteFrom('own_ids')
            .where('workspace_id', '=', workspaceId)
            .where('service_user_id', '=', userId)
            .where('is_proven', '=', proven)
            .where('linked_at', '<', ({ selectFrom }) =>
              selectFrom('accounts')
                .select('accounts.kept_at')
                .whereRef('accounts.workspace_id', '=', 'own_ids.workspace_id')
                .whereRef('accounts.user_id', '=', 'own_ids.user_id'),
            )
            .execute()
          const { numInsertedOrUpdatedRows = 0n } = await transaction
            .insertInto('own_ids')
            .values({
              workspace_id: workspaceId,
              user_id: person.userId,
              service_user_id: userId,
              is_proven: 1,
              linked_at: engine.now(),
            })
            .onConflict((conflict) => conflict.doNothing())
            .executeTakeFirst()
          if (numInsertedOrUpdatedRows === 0n) throw new Taken()
          return before === undefined || before.service_user_id === userId ? 'linked' : 'corrected'
        })
      } catch (error) {
        if (!(error instanceof Taken)) throw error
        // They themselves may have come first, by another request.
        const now = await find(person)
        return now?.isProven && now.userId === userId ? 'linked' : 'taken'
      }
    },

    async provenSince({ workspaceId, userId }, since) {
      const row = await db
        .selectFrom('own_ids')
        .select('service_user_id')
        .where('workspace_id', '=', workspaceId)
        .where('user_id', '=', userId)
        .where('is_proven', '=', 1)
        .where('linked_at', '>=', since)
        .executeTakeFirst()
      return row?.service_user_id
    },

    async forgetChosen({ workspaceId, userId }) {
      const { numDeletedRows } = await db
        .deleteFrom('own_ids')
        .where('workspace_id', '=', workspaceId)
        .where('user_id', '=', userId)
        .where('is_proven', '=', 0)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },

    async forget({ workspaceId, userId }) {
      await db
        .deleteFrom('own_ids')
        .where('workspace_id', '=', workspaceId)
        .where('user_id', '=', userId)
        .execute()
    },

    async forgetWorkspace(workspaceId) {
      await db.deleteFrom('own_ids').where('workspace_id', '=', workspaceId).execute()
    },
  }
}
