// How a batch is written as a row and read back, and when two wishes are equal.
import { createHash } from 'node:crypto'
import type { Kysely, Selectable } from 'kysely'
import type { Batch, NewBatch } from '../../grant/batches.ts'
import type { Wish } from '../../grant/wishes.ts'
import type { BatchesTable, Tables } from '../tables.ts'
import { keptIn, unsentColumns, wishSchema } from './wish-rows.ts'

/** Equal for equal wishes, whatever order their people and flags were written in. */
function fingerprint({ containerId, emails, authProvider, member, permissions }: Wish): string {
  const all = [containerId, emails.toSorted(), authProvider ?? null, member, permissions.toSorted()]
  return createHash('sha256').update(JSON.stringify(all)).digest('base64url')
}

/** A row in which nothing has been sent yet, but for its time. */
export function rowOf(batch: NewBatch): Omit<BatchesTable, 'asked_at'> {
  return { ...unsentColumns(batch), wish: JSON.stringify(batch.wish), fingerprint: fingerprint(batch.wish) }
}

export function readRow(
  db: Kysely<Tables>,
  workspaceId: string,
  id: string,
): Promise<Selectable<BatchesTable> | undefined> {
  return db
    .selectFrom('batches')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export function batchOf(row: Selectable<BatchesTable>): Batch {
  return { ...keptIn(row), wish: wishSchema.parse(JSON.parse(row.wish)), askedAt: row.asked_at }
}
