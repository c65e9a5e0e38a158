// Rows of grants and batches as the version before wishes has kept them, for tests of the upgrade.
import { createHash } from 'node:crypto'
import type { Insertable } from 'kysely'
import type { ApprovalsTable } from '../../src/storage/tables.ts'
import type { OlderDatabase } from './older-database.ts'

interface FormerRow {
  readonly workspace_id: string
  readonly id: string
  readonly asker_id: string
  readonly fingerprint: string
  readonly channel_id: string | null
  readonly state: 'asked' | 'cancelled' | 'sending' | 'settled' | 'joined'
  readonly joined_id: string | null
  readonly is_standing: 0 | 1
  readonly asked_at: number
  readonly lease_until: number | null
  readonly settled_at: number | null
  readonly is_told: 0 | 1
  readonly telling_until: number | null
  readonly is_shared: 0 | 1
  readonly about: string | null
  readonly is_handed_over: 0 | 1
}

export interface GrantRow extends FormerRow {
  readonly request: string
  readonly outcome: string | null
}

export interface BatchRow extends FormerRow {
  readonly wish: string
}

export type FormerTables = {
  readonly grants: GrantRow
  readonly batches: BatchRow
  readonly grants_until_0016: GrantRow
  readonly batches_until_0016: BatchRow
}

/** The rest of a row is that of one who waits for a confirmation. */
export type Asked = Partial<Omit<FormerRow, 'workspace_id' | 'fingerprint'>> & {
  readonly id: string
  readonly workspace?: string
}

export type AskedGrant = Asked & { readonly email?: string; readonly outcome?: string | null }

const rights = { containerId: 12, member: true, permissions: ['READ', 'ALERT_ASSIGN'] }
export const reason = JSON.stringify({ name: 'Disk full', isForAll: true, channelId: 'C1', isDirect: false })

export const granted = JSON.stringify({ kind: 'granted' })
export const forbidden = JSON.stringify({ kind: 'not-granted', code: 'forbidden' })
export const refused = JSON.stringify({ kind: 'not-granted', code: 'refused' })
export const timedOut = JSON.stringify({ kind: 'uncertain', doubt: 'timed-out' })
export const stopped = JSON.stringify({ kind: 'uncertain', doubt: 'stopped' })
export const corrected = JSON.stringify({ kind: 'granted', wasDoubted: true })

function formerRow({ workspace = 'T1', ...row }: Asked): Omit<FormerRow, 'fingerprint'> {
  return {
    ...{ workspace_id: workspace, asker_id: 'U1', channel_id: 'C1', state: 'asked', joined_id: null },
    ...{ is_standing: 0, asked_at: 1_000, lease_until: null, settled_at: null, is_told: 0 },
    ...{ telling_until: null, is_shared: 0, about: null, is_handed_over: 0 },
    ...row,
  }
}

/** @param one.email - Of nobody else, when not given. */
export function grant({ email, outcome = null, ...one }: AskedGrant): GrantRow {
  const person = email ?? emailOf(one.id)
  const { containerId, member, permissions } = rights
  const request = JSON.stringify({ containerId, member, permissions, email: person })
  return { ...formerRow(one), request, fingerprint: fingerprint(person), outcome }
}

export function emailOf(id: string): string {
  return `${id.replaceAll(/[^a-z0-9]+/g, '-')}@example.com`
}

/** Equal for equal requests, as it was before. */
export function fingerprint(email: string, authProvider: string | null = null): string {
  const canonical = JSON.stringify([12, email, authProvider, true, ['ALERT_ASSIGN', 'READ']])
  return createHash('sha256').update(canonical).digest('base64url')
}

export function batch({
  emails,
  authProvider,
  ...one
}: Asked & { emails: readonly string[]; authProvider?: string }): BatchRow {
  const wish = JSON.stringify({ ...rights, emails, authProvider })
  return { ...formerRow(one), wish, fingerprint: `of ${emails}` }
}

export const settled = { state: 'settled', is_standing: 1, settled_at: 2_000 } as const
export const underWay = { state: 'sending', is_standing: 1, lease_until: 9_000 } as const
/** Of one of several people, whose batch is told, or of an approval's. */
export const toldElsewhere = { is_told: 1 } as const

export interface Approval {
  readonly id: string
  readonly emails: readonly string[]
  readonly state: 'open' | 'granting' | 'ended'
  readonly attempt: number
  readonly leaseUntil?: number
  readonly askerId?: string
  readonly until?: number
  /** Where its card stands. */
  readonly posted?: { readonly channelId: string; readonly ts: string }
}

function approvalRow({
  id,
  emails,
  state,
  attempt,
  leaseUntil,
  ...one
}: Approval): Insertable<ApprovalsTable> {
  return {
    ...{
      workspace_id: 'T1',
      id,
      wish_id: `wish of ${id}`,
      asker_id: one.askerId ?? 'U1',
      asker_name: 'alice',
    },
    ...{ reason: 'On call', wish: JSON.stringify({ ...rights, emails }) },
    barred: JSON.stringify({ recipientIds: [], recipients: [] }),
    ...{ channel_id: null, thread_ts: null, state, is_open: state === 'ended' ? 0 : 1, attempt },
    ...{ approver_id: 'U2', approver_name: 'bob', lease_until: leaseUntil ?? null, version: 1 },
    ...{
      ending: null,
      asked_at: 500,
      until: one.until ?? 90_000,
      card: JSON.stringify(one.posted === undefined ? { kind: 'none' } : { kind: 'posted', ...one.posted }),
    },
    ...{ is_owed: 0, claim_until: 0, is_asker_told: state === 'ended' ? 1 : 0, is_approver_told: 1 },
  }
}

export interface Rows {
  readonly grants?: readonly GrantRow[]
  readonly batches?: readonly BatchRow[]
  readonly approvals?: readonly Approval[]
}

export async function keep(
  { db }: OlderDatabase,
  { grants = [], batches = [], approvals = [] }: Rows,
  workspace?: string,
) {
  const tables = db.withTables<FormerTables>()
  const of = <Row>(rows: readonly Row[]) =>
    workspace === undefined ? rows : rows.map((row) => ({ ...row, workspace_id: workspace }))
  for (const rows of pieces(of(grants))) await tables.insertInto('grants').values(rows).execute()
  for (const rows of pieces(of(batches))) await tables.insertInto('batches').values(rows).execute()
  for (const rows of pieces(of(approvals.map(approvalRow))))
    await db.insertInto('approvals').values(rows).execute()
}

function pieces<Row>(rows: readonly Row[]): readonly (readonly Row[])[] {
  return Array.from({ length: Math.ceil(rows.length / 500) }, (_, index) =>
    rows.slice(index * 500, (index + 1) * 500),
  )
}
