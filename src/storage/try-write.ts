// One write that leaves nothing behind, as large as what a busy moment writes.
import { randomBytes, randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

/** Some pages of a file. Random, as PostgreSQL makes less of what it can compress. */
const bytes = 48 * 1024

/** Rejects when it cannot be written. The row is gone by the end of its transaction, and nobody sees it. */
export async function tryWrite(db: Kysely<Tables>): Promise<void> {
  const id = `trial:${randomUUID()}`
  const what = randomBytes(bytes).toString('base64')
  await db.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('waiting')
      .values({ workspace_id: '', user_id: '', id, what, since: 0 })
      .execute()
    await transaction.deleteFrom('waiting').where('workspace_id', '=', '').where('id', '=', id).execute()
  })
}
