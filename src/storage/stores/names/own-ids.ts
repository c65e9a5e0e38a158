// Links between people in Slack and users of the service in the database: a unique index gives each user to one person.
import type { Kysely } from 'kysely'
import type { OwnId, OwnIds } from '../../../names/kept.ts'
import type { SlackUser } from '../../../slack/ids.ts'
import type { Engine } from '../../engine.ts'
import type { Tables } from '../../tables.ts'

/** Takes back what was begun. */
class Taken extends Error {}

export function ownIdsIn(db: Kysely<Tables>, engine: Engine): OwnIds {
  async function find({ workspaceId, userId }: SlackUser): Promise<OwnId | undefined> {
    const row = await db
      .selectFrom('own_ids')
      .select(['service_user_id', 'is_proven'])
      .where('workspace_id', '=', workspaceId)
      .where('user_id', '=', userId)
      .executeTakeFirst()
    return row && { userId: row.service_user_id, isProven: row.is_proven === 1 }
  }

  /** Makes way, then takes it: `taken` leaves everything as it was. */
  async function link(
    person: SlackUser,
    { userId, isProven }: OwnId,
  ): Promise<'linked' | 'corrected' | 'taken'> {
    const { workspaceId } = person
    try {
      return await db.transaction().execute(async (transaction) => {
        const own = transaction
          .deleteFrom('own_ids')
          .where('workspace_id', '=', workspaceId)
          .where('user_id', '=', person.userId)
        const before = await own.returning('service_user_id').executeTakeFirst()
        if (isProven) {
          await transaction
            .deleteFrom('own_ids')
            .where('workspace_id', '=', workspaceId)
            .where('service_user_id', '=', userId)
            .where('is_proven', '=', 0)
            .execute()
        }
        const { numInsertedOrUpdatedRows = 0n } = await transaction
          .insertInto('own_ids')
          .values({
            workspace_id: workspaceId,
            user_id: person.userId,
            service_user_id: userId,
            is_proven: isProven ? 1 : 0,
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
      return (await find(person))?.userId === userId ? 'linked' : 'taken'
    }
  }

  return {
    find,

    async choose(person, userId) {
      if ((await find(person))?.isProven) return 'linked'
      return (await link(person, { userId, isProven: false })) === 'taken' ? 'taken' : 'linked'
    },

    prove: (person, userId) => link(person, { userId, isProven: true }),

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

    async personProven(workspaceId, userId) {
      const row = await db
        .selectFrom('own_ids')
        .select('user_id')
        .where('workspace_id', '=', workspaceId)
        .where('service_user_id', '=', userId)
        .where('is_proven', '=', 1)
        .executeTakeFirst()
      return row && { workspaceId, userId: row.user_id }
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
