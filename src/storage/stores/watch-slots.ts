// How many watches one person may have: each holds a numbered slot of theirs, and a unique index gives it to no other.
import type { Transaction } from 'kysely'
import type { NewWatch } from '../../watch/watches.ts'
import { type Engine, fromNow } from '../engine.ts'
import type { Tables } from '../tables.ts'

/** A slot that is found free and taken again at each look means that something else is wrong. */
const MOST_LOOKS = 50

/** Takes back what its transaction has done. */
export class TooMany extends Error {}

/** @throws TooMany when none of the person's `most` slots is free. */
export async function takeSlot(
  transaction: Transaction<Tables>,
  engine: Engine,
  watch: NewWatch,
  most: number,
): Promise<'started' | 'extended'> {
  await dropOwnEnded(transaction, watch)
  for (let look = 0; look < MOST_LOOKS; look++) {
    if (await extend(transaction, engine, watch)) return 'extended'
    const slot = await freeSlot(transaction, watch, most)
    if (slot === undefined) throw new TooMany()
    if (await insert(transaction, engine, watch, slot)) return 'started'
  }
  throw new Error(`no slot was found for a watch of card ${watch.cardId}`)
}

async function dropOwnEnded(transaction: Transaction<Tables>, watch: NewWatch): Promise<void> {
  await transaction
    .deleteFrom('watches')
    .where('workspace_id', '=', watch.workspaceId)
    .where('card_id', '=', watch.cardId)
    .where('user_id', '=', watch.userId)
    .where('ended', 'is not', null)
    .execute()
}

async function extend(transaction: Transaction<Tables>, engine: Engine, watch: NewWatch): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable('watches')
    .set({ until: fromNow(engine, watch.ttlMs), user_name: watch.name })
    .where('workspace_id', '=', watch.workspaceId)
    .where('card_id', '=', watch.cardId)
    .where('user_id', '=', watch.userId)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

async function freeSlot(
  transaction: Transaction<Tables>,
  { workspaceId, userId }: NewWatch,
  most: number,
): Promise<number | undefined> {
  const rows = await transaction
    .selectFrom('watches')
    .select('slot')
    .where('workspace_id', '=', workspaceId)
    .where('user_id', '=', userId)
    .where('slot', 'is not', null)
    .execute()
  const used = new Set(rows.map(({ slot }) => slot))
  for (let slot = 0; slot < most; slot++) if (!used.has(slot)) return slot
  return undefined
}

async function insert(
  transaction: Transaction<Tables>,
  engine: Engine,
  { workspaceId, cardId, userId, name, ttlMs }: NewWatch,
  slot: number,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await transaction
    .insertInto('watches')
    .values({
      workspace_id: workspaceId,
      card_id: cardId,
      user_id: userId,
      user_name: name,
      since: engine.now(),
      until: fromNow(engine, ttlMs),
      slot,
      ended: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}
