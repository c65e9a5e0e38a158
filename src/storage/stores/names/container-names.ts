// Names of containers and of their people in the database, sealed, and the containers in which alerts were seen.
import type { Kysely, Selectable } from 'kysely'
import type { ContainerNames, KeptContainer } from '../../../names/room.ts'
import type { SlackUser } from '../../../slack/ids.ts'
import { type Engine, fromNow } from '../../engine.ts'
import { prepare, type Slots } from '../../prepared.ts'
import type { AlertContainersTable, ContainerNamesTable, Tables } from '../../tables.ts'

/** Of a container, and of an alert. */
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
      for (const table of tables) {
        await db
          .deleteFrom(table)
          .where('workspace_id', '=', workspaceId)
          .where('user_id', '=', userId)
          .execute()
      }
    },

    async forgetWorkspace(workspaceId) {
      for (const table of tables) {
        await db.deleteFrom(table).where('workspace_id', '=', workspaceId).execute()
      }
    },

    async prune(before) {
      for (const table of tables) await db.deleteFrom(table).where('kept_at', '<', before).execute()
    },
  }
}

const tables = ['container_names', 'alert_containers'] as const

const emptyRow = (place: Place) => ({ ...place, name: '', people: '', name_asked_at: 0, people_asked_at: 0 })

/** An alert's container may have no row of its own. */
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
