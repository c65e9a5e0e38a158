// How a grant is written as a row and read back, and when two requests are equal.
import { createHash } from 'node:crypto'
import type { Kysely, Selectable } from 'kysely'
import { z } from 'zod'
import { flags } from '../grant/flags.ts'
import type { Grant, GrantOutcome, GrantRequest, NewGrant } from '../grant/grants.ts'
import { aboutColumn, aboutIn } from './about-column.ts'
import type { Tables } from './tables.ts'
import type { GrantsTable } from './tables-grants.ts'

const requestSchema = z.object({
  containerId: z.number().int(),
  email: z.string(),
  authProvider: z.string().optional(),
  member: z.boolean(),
  permissions: z.array(z.enum(flags)),
})

export const outcomeSchema: z.ZodType<GrantOutcome> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('granted') }),
  z.object({
    kind: z.literal('not-granted'),
    code: z.enum(['bad-request', 'refused', 'forbidden', 'not-found', 'busy', 'unreachable']),
  }),
  z.object({
    kind: z.literal('uncertain'),
    doubt: z.enum(['server-error', 'odd-answer', 'connection-lost', 'timed-out', 'stopped']),
  }),
])

/** Equal for equal requests, whatever order their flags were written in. */
export function fingerprint(request: GrantRequest): string {
  const { containerId, email, authProvider, member, permissions } = request
  const canonical = JSON.stringify([containerId, email, authProvider ?? null, member, permissions.toSorted()])
  return createHash('sha256').update(canonical).digest('base64url')
}

/** A row in which nothing has been sent yet, but for its time. */
export function rowOf({
  id,
  asker,
  request,
  channelId,
  about,
  isToldElsewhere = false,
}: NewGrant): Omit<GrantsTable, 'asked_at'> {
  return {
    workspace_id: asker.workspaceId,
    id,
    asker_id: asker.userId,
    request: JSON.stringify(request),
    fingerprint: fingerprint(request),
    channel_id: channelId ?? null,
    state: 'asked',
    joined_id: null,
    is_standing: 0,
    outcome: null,
    lease_until: null,
    settled_at: null,
    is_told: isToldElsewhere ? 1 : 0,
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
): Promise<Selectable<GrantsTable> | undefined> {
  return db
    .selectFrom('grants')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export function grantOf(row: Selectable<GrantsTable>): Grant {
  if (row.state === 'joined') throw new Error(`grant ${row.id} has no state of its own`)
  const { authProvider, ...request } = requestSchema.parse(JSON.parse(row.request))
  return {
    id: row.id,
    asker: { workspaceId: row.workspace_id, userId: row.asker_id },
    request: { ...request, authProvider },
    channelId: row.channel_id ?? undefined,
    about: aboutIn(row.about),
    isHandedOver: row.is_handed_over === 1,
    state: row.state,
    outcome: outcomeOf(row.outcome),
  }
}

export function outcomeOf(text: string | null): GrantOutcome | undefined {
  return text === null ? undefined : outcomeSchema.parse(JSON.parse(text))
}
