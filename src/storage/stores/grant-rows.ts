// How a grant is written as a row and read back, and when two requests are equal.
import { createHash } from 'node:crypto'
import type { Kysely, Selectable } from 'kysely'
import { z } from 'zod'
import { flags } from '../../grant/flags.ts'
import type { Grant, GrantOutcome, GrantRequest, NewGrant } from '../../grant/grants.ts'
import type { GrantsTable, Tables } from '../tables.ts'
import { keptIn, unsentColumns } from './wish-rows.ts'

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
function fingerprint(request: GrantRequest): string {
  const { containerId, email, authProvider, member, permissions } = request
  const canonical = JSON.stringify([containerId, email, authProvider ?? null, member, permissions.toSorted()])
  return createHash('sha256').update(canonical).digest('base64url')
}

/** A row in which nothing has been sent yet, but for its time. */
export function rowOf(grant: NewGrant): Omit<GrantsTable, 'asked_at'> {
  const { request, isToldElsewhere = false } = grant
  return {
    ...unsentColumns(grant),
    request: JSON.stringify(request),
    fingerprint: fingerprint(request),
    outcome: null,
    is_told: isToldElsewhere ? 1 : 0,
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
  const { authProvider, ...request } = requestSchema.parse(JSON.parse(row.request))
  const outcome = outcomeOf(row.outcome)
  const wasDoubted = row.outcome !== null && correctionSchema.safeParse(JSON.parse(row.outcome)).success
  return { ...keptIn(row), request: { ...request, authProvider }, outcome, wasDoubted }
}

/** Stands in the column beside the outcome that took the place of a doubt; older versions read over it. */
const correctionSchema = z.object({ wasDoubted: z.literal(true) })

/** The column of an outcome that takes the place of a doubt. */
export function correctionOf(outcome: GrantOutcome): string {
  return JSON.stringify({ ...outcome, wasDoubted: true })
}

export function outcomeOf(text: string | null): GrantOutcome | undefined {
  return text === null ? undefined : outcomeSchema.parse(JSON.parse(text))
}
