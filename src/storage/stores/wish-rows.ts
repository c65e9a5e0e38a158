// What rows of grants and of batches have in common, as it is written and read back; and wishes, wherever they are kept.
import type { Selectable } from 'kysely'
import { z } from 'zod'
import { flags } from '../../grant/flags.ts'
import type { Grant, NewGrant } from '../../grant/grants.ts'
import type { Wish } from '../../grant/wishes.ts'
import type { WishColumns } from '../tables.ts'

export const wishSchema = z
  .object({
    containerId: z.number().int(),
    emails: z.array(z.string()).min(1),
    authProvider: z.string().optional(),
    member: z.boolean(),
    permissions: z.array(z.enum(flags)),
  })
  .transform(({ authProvider, ...wish }): Wish => ({ ...wish, authProvider }))

const aboutSchema = z.object({
  name: z.string(),
  isForAll: z.boolean(),
  channelId: z.string().optional(),
  threadTs: z.string().optional(),
  isDirect: z.boolean(),
})

/** A row in which nothing has been sent yet, but for its time and what is wished. */
export function unsentColumns({
  id,
  asker,
  channelId,
  about,
}: Pick<NewGrant, 'id' | 'asker' | 'channelId' | 'about'>): Omit<WishColumns, 'asked_at' | 'fingerprint'> {
  return {
    workspace_id: asker.workspaceId,
    id,
    asker_id: asker.userId,
    channel_id: channelId ?? null,
    state: 'asked',
    joined_id: null,
    is_standing: 0,
    lease_until: null,
    settled_at: null,
    is_told: 0,
    telling_until: null,
    is_shared: 0,
    about: about === undefined ? null : JSON.stringify(about),
    is_handed_over: 0,
  }
}

/** But for what is wished. Throws for an intent that joined another. */
export function keptIn(
  row: Selectable<WishColumns>,
): Pick<Grant, 'id' | 'asker' | 'channelId' | 'about' | 'isHandedOver' | 'state'> {
  if (row.state === 'joined') throw new Error(`${row.id} has no state of its own`)
  return {
    id: row.id,
    asker: { workspaceId: row.workspace_id, userId: row.asker_id },
    channelId: row.channel_id ?? undefined,
    about: row.about === null ? undefined : aboutSchema.parse(JSON.parse(row.about)),
    isHandedOver: row.is_handed_over === 1,
    state: row.state,
  }
}
