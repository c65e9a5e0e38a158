// Targets of sends: by them, what somebody was given on a container is found again.
// Never edited once released: changes are further migrations.
import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** As they are at this step, as far as it matters; the other columns go back as they came. */
type TablesAt21 = {
  readonly sends: {
    readonly workspace_id: string
    readonly wish_id: string
    readonly n: number
    readonly kind: string
    readonly write: string
    readonly target: string | null
  }
}

/** Rows read and written at once. */
const PIECE = 500

export const targets: Migration = {
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('sends').addColumn('target', 'text').execute()
    await fillIn(db.withTables<TablesAt21>())
    // One that a process of an older version keeps meanwhile has none, and is not found.
    await db.schema
      .createIndex('sends_of_target')
      .on('sends')
      .columns(['workspace_id', 'target', 'settled_at'])
      .execute()
  },
}

async function fillIn(db: Kysely<TablesAt21>): Promise<void> {
  let after: { readonly workspace_id: string; readonly wish_id: string; readonly n: number } | undefined
  for (;;) {
    const last = after
    const rows = await db
      .selectFrom('sends')
      .selectAll()
      .$if(last !== undefined, (query) =>
        query.where(({ eb, refTuple, tuple }) =>
          eb(
            refTuple('workspace_id', 'wish_id', 'n'),
            '>',
            tuple(last?.workspace_id ?? '', last?.wish_id ?? '', last?.n ?? 0),
          ),
        ),
      )
      .orderBy('workspace_id')
      .orderBy('wish_id')
      .orderBy('n')
      .limit(PIECE)
      .execute()
    const known = rows.filter(({ kind }) => kind === 'add-user')
    if (known.length > 0) {
      // One statement for many rows, on both engines.
      await db
        .insertInto('sends')
        .values(known.map((row) => ({ ...row, target: targetIn(row.write) })))
        .onConflict((conflict) =>
          conflict
            .columns(['workspace_id', 'wish_id', 'n'])
            .doUpdateSet(({ ref }) => ({ target: ref('excluded.target') })),
        )
        .execute()
    }
    after = rows.at(-1)
    if (after === undefined) return
  }
}

/** As `targetOf` gives it at this step. */
function targetIn(write: string): string {
  const { containerId, email }: { readonly containerId: number; readonly email: string } = JSON.parse(write)
  const canonical = JSON.stringify([containerId, email.toLowerCase()])
  return createHash('sha256').update(canonical).digest('base64url')
}
