// Names in the database: of containers and their people, sealed, of the containers in which alerts were seen, and of who
// somebody in Slack is at the service.
import { type Kysely, type Selectable, sql } from 'kysely'
import type { ContainerNames, KeptContainer, OwnId, OwnIds } from '../../names/room.ts'
import type { SlackUser } from '../../slack/ids.ts'
import { didChange, type Engine, fromNow, prepare, type Slots } from '../engine.ts'
import type { AlertContainersTable, ContainerNamesTable, Tables } from '../tables.ts'

/** Primary keys: of a container’s names, and of an alert’s container. */
type Place = Pick<ContainerNamesTable, 'workspace_id' | 'user_id' | 'container_id'>
type AlertPlace = Pick<AlertContainersTable, 'workspace_id' | 'user_id' | 'ks'>

export function containerNamesIn(db: Kysely<Tables>, engine: Engine): ContainerNames {
  const find = prepare(db, (slot: Slots<Place>) =>
    db
      .selectFrom('container_names')
      .select(['container_id', 'name', 'people'])
      .where('workspace_id', '=', slot('workspace_id'))
      .where('user_id', '=', slot('user_id'))
      .where('container_id', '=', slot('container_id')),
  )
  const findOfAlert = prepare(db, (slot: Slots<AlertPlace>) =>
    db
      .selectFrom('alert_containers as seen')
      .leftJoin('container_names as names', (join) =>
        join
          .onRef('names.workspace_id', '=', 'seen.workspace_id')
          .onRef('names.user_id', '=', 'seen.user_id')
          .onRef('names.container_id', '=', 'seen.container_id'),
      )
      .select(['seen.container_id', 'names.name', 'names.people'])
      .where('seen.workspace_id', '=', slot('workspace_id'))
      .where('seen.user_id', '=', slot('user_id'))
      .where('seen.ks', '=', slot('ks')),
  )
  const placeOf = ({ workspaceId, userId }: SlackUser, containerId: number): Place => ({
    workspace_id: workspaceId,
    user_id: userId,
    container_id: String(containerId),
  })

  return {
    async find(owner, containerId) {
      const { rows } = await find(placeOf(owner, containerId))
      return rows[0] && keptOf(rows[0])
    },

    async ofAlert({ workspaceId, userId }, ks) {
      const { rows } = await findOfAlert({ workspace_id: workspaceId, user_id: userId, ks })
      return rows[0] && keptOf(rows[0])
    },

    async named({ workspaceId, userId }, most) {
      const rows = await db
        .selectFrom('container_names')
        .select(['container_id', 'name'])
        .where('workspace_id', '=', workspaceId)
        .where('user_id', '=', userId)
        .where('name', '<>', '')
        .orderBy('kept_at', 'desc')
        .limit(most)
        .execute()
      return rows.map(({ container_id, name }) => ({ containerId: Number(container_id), name }))
    },

    async claim(owner, containerId, what, withinMs) {
      const column = what === 'name' ? 'name_asked_at' : 'people_asked_at'
      const { numInsertedOrUpdatedRows = 0n } = await db
        .insertInto('container_names')
        .values({ ...emptyRow(placeOf(owner, containerId)), kept_at: engine.now(), [column]: engine.now() })
        .onConflict((conflict) =>
          conflict
            .columns(['workspace_id', 'user_id', 'container_id'])
            .doUpdateSet({ [column]: engine.now() })
            // A clock that was set back must not make the time longer.
            .where(({ or, eb, ref }) => {
              const askedAt = ref(`container_names.${column}`)
              return or([eb(askedAt, '<=', fromNow(engine, -withinMs)), eb(askedAt, '>', engine.now())])
            }),
        )
        .executeTakeFirst()
      return numInsertedOrUpdatedRows > 0n
    },

    async keep(owner, containerId, shown) {
      const kept = { ...shown, kept_at: engine.now() }
      await db
        .insertInto('container_names')
        .values({ ...emptyRow(placeOf(owner, containerId)), ...kept })
        .onConflict((conflict) =>
          conflict.columns(['workspace_id', 'user_id', 'container_id']).doUpdateSet(kept),
        )
        .execute()
    },

    async noteAlert({ workspaceId, userId }, ks, containerId) {
      const seen = { container_id: String(containerId), kept_at: engine.now() }
      await db
        .insertInto('alert_containers')
        .values({ workspace_id: workspaceId, user_id: userId, ks, ...seen })
        .onConflict((conflict) => conflict.columns(['workspace_id', 'user_id', 'ks']).doUpdateSet(seen))
        .execute()
    },

    async lastOfAlerts({ workspaceId, userId }, most) {
      const rows = await db
        .selectFrom('alert_containers')
        .select('container_id')
        .where('workspace_id', '=', workspaceId)
        .where('user_id', '=', userId)
        .groupBy('container_id')
        .orderBy(({ fn }) => fn.max('kept_at'), 'desc')
        .limit(most)
        .execute()
      return rows.map(({ container_id }) => Number(container_id))
    },

    async forget({ workspaceId, userId }) {
      for (const table of namesTables) {
        await db
          .deleteFrom(table)
          .where('workspace_id', '=', workspaceId)
          .where('user_id', '=', userId)
          .execute()
      }
    },

    async forgetWorkspace(workspaceId) {
      for (const table of namesTables) {
        await db.deleteFrom(table).where('workspace_id', '=', workspaceId).execute()
      }
    },

    async prune(before) {
      for (const table of namesTables) await db.deleteFrom(table).where('kept_at', '<', before).execute()
    },
  }
}

const namesTables = ['container_names', 'alert_containers'] as const

const emptyRow = (place: Place) => ({ ...place, name: '', people: '', name_asked_at: 0, people_asked_at: 0 })

/** A container as kept; that of an alert may have no row of its own. */
function keptOf({
  container_id,
  name,
  people,
}: Pick<Selectable<ContainerNamesTable>, 'container_id'> & {
  readonly name: string | null
  readonly people: string | null
}): KeptContainer {
  return { containerId: Number(container_id), name: name || undefined, people: people || undefined }
}

/** The value in the unique index, which gives each user of the service to one person who has proven it. */
const proven = sql.lit<0 | 1>(1)

/** Rolls the transaction back. */
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

    /** Deletes outdated links to this service user, then claims it. Changes nothing when it returns `taken`. */
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
      return didChange(
        db
          .deleteFrom('own_ids')
          .where('workspace_id', '=', workspaceId)
          .where('user_id', '=', userId)
          .where('is_proven', '=', 0),
      )
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
