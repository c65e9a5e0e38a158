// How a batch is written as a row and read back, and when two wishes are equal.
import { createHash } from 'node:crypto'
import type { Kysely, Selectable } from 'kysely'
import { z } from 'zod'
import type { Batch, NewBatch } from '../grant/batches.ts'
import { flags } from '../grant/flags.ts'
import type { Wish } from '../grant/wishes.ts'
import { aboutColumn, aboutIn } from './about-column.ts'
import type { Tables } from './tables.ts'
import type { BatchesTable } from './tables-grants.ts'

const wishSchema = z.object({
  containerId: z.number().int(),
  emails: z.array(z.string()).min(1),
  authProvider: z.string().optional(),
  member: z.boolean(),
  permissions: z.array(z.enum(flags)),
})

/** Equal for equal wishes, whatever order their people and flags were written in. */
function fingerprint({ containerId, emails, authProvider, member, permissions }: Wish): string {
  const all = [containerId, emails.toSorted(), authProvider ?? null, member, permissions.toSorted()]
  return createHash('sha256').update(JSON.stringify(all)).digest('base64url')
}

/** A row in which nothing has been sent yet, but for its time. */
export function rowOf({ id, asker, wish, channelId, about }: NewBatch): Omit<BatchesTable, 'asked_at'> {
  return {
    workspace_id: asker.workspaceId,
    id,
    asker_id: asker.userId,
    wish: JSON.stringify(wish),
    fingerprint: fingerprint(wish),
    channel_id: channelId ?? null,
    state: 'asked',
    joined_id: null,
    is_standing: 0,
    lease_until: null,
    settled_at: null,
    is_told: 0,
    telling_until: null,
    is_shared: 0,
    about: aboutColumn(about),
    is_handed_over: 0,
  }
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
  if (row.state === 'joined') throw new Error(`batch ${row.id} has no state of its own`)
  const { authProvider, ...wish } = wishSchema.parse(JSON.parse(row.wish))
  return {
    id: row.id,
    asker: { workspaceId: row.workspace_id, userId: row.asker_id },
    wish: { ...wish, authProvider },
    channelId: row.channel_id ?? undefined,
    about: aboutIn(row.about),
    isHandedOver: row.is_handed_over === 1,
    state: row.state,
    askedAt: row.asked_at,
  }
}
