// Later looks in the database: which doubts somebody looks at, when, and what they found.
import type { Kysely } from 'kysely'
import { isOpenDoubt } from '../../../send/outcome.ts'
import type { DueLook, Looks } from '../../../send/wishes.ts'
import { type AddUser, targetOf } from '../../../send/writes.ts'
import { leaseMs } from '../../../work/lease.ts'
import { didChange, type Engine, fromNow } from '../../engine.ts'
import type { SendsTable, Tables } from '../../tables.ts'
import { beforeIn, lookColumn, lookIn, outcomeColumn, settledIn, writeIn } from './columns.ts'

export function looksIn(db: Kysely<Tables>, engine: Engine): Looks {
  return {
    async claim(leaseMs) {
      const rows = await db
        .updateTable('sends')
        .set({ look_at: fromNow(engine, leaseMs) })
        .where('look_at', '<=', engine.now())
        .where('state', '=', 'settled')
        .returningAll()
        .execute()
      return rows.flatMap(lookOf)
    },

    async of(workspaceId, wishId, which = 'waiting') {
      const rows = await db
        .selectFrom('sends')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .where('wish_id', '=', wishId)
        .$if(which === 'waiting', (query) => query.where('look_at', 'is not', null))
        .where('state', '=', 'settled')
        .orderBy('n')
        .execute()
      if (which === 'waiting') return rows.flatMap(lookOf)
      const others = await standingFor(workspaceId, wishId)
      return [...rows, ...others].flatMap(lookOf).filter(({ outcome }) => isOpenDoubt(outcome))
    },

    looked: (look, { outcome, look: seen, nextInMs, keepsTime = false, tellingMs = 0 }) =>
      db.transaction().execute(async (transaction) => {
        const isLast = outcome !== undefined || (!keepsTime && nextInMs === undefined)
        const stood = await didChange(
          only(look, transaction)
            .set(({ ref, eb }) => ({
              outcome: outcomeColumn(outcome ?? look.outcome),
              look: outcome !== undefined ? null : seen === undefined ? ref('look') : lookColumn(seen),
              look_at: isLast ? null : keepsTime ? ref('look_at') : fromNow(engine, nextInMs ?? 0),
              // What ends a doubt is a look, whenever it came.
              looks: keepsTime && outcome === undefined ? ref('looks') : eb('looks', '+', 1),
            }))
            .where('state', '=', 'settled')
            .where('outcome', '=', outcomeColumn(look.outcome))
            // Of two whose time had come, one is counted.
            .$if(!keepsTime, (query) => query.where('look_at', 'is not', null)),
        )
        if (!stood) return false
        // Nobody has looked.
        if (!isLast || seen?.saw === 'off') return true
        if (await oweAgain(transaction, look, tellingMs)) {
          await only(look, transaction).set({ is_doubt_told: 1 }).execute()
        }
        if (outcome !== undefined && (await toldElsewhere(look, transaction)).length > 0) {
          await only(look, transaction)
            .set({ look_at: fromNow(engine, leaseMs) })
            .execute()
        }
        return true
      }),

    toldElsewhere: (look) => toldElsewhere(look),

    async passedOn(look) {
      await only(look).set({ look_at: null }).execute()
    },
  }

  /** Sends that those of this wish have joined. */
  function standingFor(workspaceId: string, wishId: string) {
    return db
      .selectFrom('sends as joined')
      .innerJoin('sends', (join) =>
        join
          .onRef('sends.workspace_id', '=', 'joined.workspace_id')
          .onRef('sends.wish_id', '=', 'joined.joined_wish_id')
          .onRef('sends.n', '=', 'joined.joined_n'),
      )
      .selectAll('sends')
      .where('joined.workspace_id', '=', workspaceId)
      .where('joined.wish_id', '=', wishId)
      .where('joined.state', '=', 'joined')
      .where('sends.state', '=', 'settled')
      .execute()
  }

  function only({ workspaceId, wishId, n }: DueLook, on: Kysely<Tables> = db) {
    return on
      .updateTable('sends')
      .where('workspace_id', '=', workspaceId)
      .where('wish_id', '=', wishId)
      .where('n', '=', n)
  }

  /** A send that joined another has the same target. */
  async function toldElsewhere(
    { workspaceId, wishId, n, write }: DueLook,
    on: Kysely<Tables> = db,
  ): Promise<readonly string[]> {
    const joined = await on
      .selectFrom('sends')
      .select('wish_id')
      .where('workspace_id', '=', workspaceId)
      .where('target', '=', targetOf(write))
      .where('joined_wish_id', '=', wishId)
      .where('joined_n', '=', n)
      .execute()
    const rows = await on
      .selectFrom('wishes')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .where('id', 'in', [wishId, ...joined.map(({ wish_id }) => wish_id)])
      .where('is_told_elsewhere', '=', 1)
      .execute()
    return rows.map(({ id }) => id)
  }

  /** @returns Whether its sender was told of the doubt here. */
  async function oweAgain(
    transaction: Kysely<Tables>,
    { workspaceId, wishId }: DueLook,
    tellingMs: number,
  ): Promise<boolean> {
    const settled = transaction
      .updateTable('wishes')
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', wishId)
      .where('state', '=', 'settled')
    // Holds the wish, whatever others say of it at this moment, and reads what they have said.
    const row = await settled
      .set(({ ref }) => ({ is_told: ref('is_told') }))
      .returning(['is_told', 'is_told_elsewhere'])
      .executeTakeFirst()
    if (row?.is_told !== 1 || row.is_told_elsewhere === 1) return false
    await settled.set({ is_told: 0, telling_until: fromNow(engine, tellingMs) }).execute()
    return true
  }
}

type Row = Pick<
  SendsTable,
  | ('workspace_id' | 'wish_id' | 'n' | 'sender_id' | 'kind' | 'write')
  | ('before' | 'outcome' | 'looks' | 'look')
>

/** None for what was settled without a doubt that anybody could look at. */
function lookOf(row: Row): readonly DueLook[] {
  const outcome = settledIn(row.outcome)
  if (outcome === undefined || (row.before === null && row.kind !== addsSomebody)) return []
  const { workspace_id: workspaceId, wish_id: wishId, n, sender_id: userId, looks } = row
  const before = row.before === null ? undefined : beforeIn(row.before)
  const sender = { workspaceId, userId }
  const look = lookIn(row.look)
  return [{ workspaceId, wishId, n, sender, write: writeIn(row), before, outcome, look, looks }]
}

const addsSomebody: AddUser['kind'] = 'add-user'
