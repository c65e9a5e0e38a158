// Later looks in the database: which doubts somebody looks at, when, and what they found.
import type { Kysely } from 'kysely'
import type { DueLook, Looks } from '../../../send/due-looks.ts'
import { type Engine, fromNow } from '../../engine.ts'
import type { SendsTable, Tables } from '../../tables.ts'
import { beforeIn, outcomeColumn, settledIn, writeIn } from './columns.ts'

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

    async of(workspaceId, wishId) {
      const rows = await db
        .selectFrom('sends')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .where('wish_id', '=', wishId)
        .where('look_at', 'is not', null)
        .where('state', '=', 'settled')
        .orderBy('n')
        .execute()
      return rows.flatMap(lookOf)
    },

    looked: (look, { outcome, nextInMs }) =>
      db.transaction().execute(async (transaction) => {
        const { workspaceId, wishId, n } = look
        const isLast = outcome !== undefined || nextInMs === undefined
        const send = transaction
          .updateTable('sends')
          .where('workspace_id', '=', workspaceId)
          .where('wish_id', '=', wishId)
          .where('n', '=', n)
        const { numUpdatedRows } = await send
          .set(({ eb }) => ({
            outcome: outcomeColumn(outcome ?? look.outcome),
            look_at: isLast ? null : fromNow(engine, nextInMs ?? 0),
            looks: eb('looks', '+', 1),
          }))
          .where('state', '=', 'settled')
          .where('look_at', 'is not', null)
          .where('outcome', '=', outcomeColumn(look.outcome))
          .executeTakeFirst()
        if (numUpdatedRows === 0n) return false
        if (isLast && (await oweAgain(transaction, look))) await send.set({ is_doubt_told: 1 }).execute()
        return true
      }),
  }

  /** @returns Whether its sender was told of the doubt. */
  async function oweAgain(transaction: Kysely<Tables>, { workspaceId, wishId }: DueLook): Promise<boolean> {
    const settled = transaction
      .updateTable('wishes')
      .where('workspace_id', '=', workspaceId)
      .where('id', '=', wishId)
      .where('state', '=', 'settled')
    // Holds the wish, whatever others say of it at this moment, and reads what they have said.
    const row = await settled
      .set(({ ref }) => ({ is_told: ref('is_told') }))
      .returning('is_told')
      .executeTakeFirst()
    if (row?.is_told !== 1) return false
    await settled.set({ is_told: 0, telling_until: engine.now() }).execute()
    return true
  }
}

type Row = Pick<
  SendsTable,
  'workspace_id' | 'wish_id' | 'n' | 'sender_id' | 'kind' | 'write' | 'before' | 'outcome' | 'looks'
>

/** None for what was settled without a doubt that anybody could look at. */
function lookOf(row: Row): readonly DueLook[] {
  const outcome = settledIn(row.outcome)
  if (outcome === undefined || row.before === null) return []
  const { workspace_id: workspaceId, wish_id: wishId, n, sender_id: userId, looks } = row
  const before = beforeIn(row.before)
  return [
    { workspaceId, wishId, n, sender: { workspaceId, userId }, write: writeIn(row), before, outcome, looks },
  ]
}
