// Rows that grants and batches had until 0016: what they said is in wishes and sends. The migration leaves them as they
// were, so that nothing is lost should it have made a mistake. They are forgotten in their time. Goes with 0.2, which
// drops both tables.
import type { Kysely } from 'kysely'
import type { Tables } from '../../tables.ts'

interface FormerRow {
  readonly workspace_id: string
  readonly asked_at: number
}

type FormerTables = {
  readonly grants_until_0016: FormerRow
  readonly batches_until_0016: FormerRow
}

const formerTables = ['grants_until_0016', 'batches_until_0016'] as const

/** @param before - Milliseconds since 1970. */
export async function pruneFormer(db: Kysely<Tables>, before: number): Promise<void> {
  for (const table of formerTables) {
    await db.withTables<FormerTables>().deleteFrom(table).where('asked_at', '<', before).execute()
  }
}

export async function forgetFormer(db: Kysely<Tables>, workspaceId: string): Promise<void> {
  for (const table of formerTables) {
    await db.withTables<FormerTables>().deleteFrom(table).where('workspace_id', '=', workspaceId).execute()
  }
}
