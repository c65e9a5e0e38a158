// A known text for each key that sealed something, in the database.
import { type Kysely, sql } from 'kysely'
import type { KeyChecks } from '../../keys/key-checks.ts'
import type { Tables } from '../tables.ts'
import { sealedColumns } from './sealed-rows.ts'

export function keyChecksIn(db: Kysely<Tables>): KeyChecks {
  async function isUsed(keyId: string): Promise<boolean> {
    for (const purpose of ['token', 'installation'] as const) {
      const { table, column } = sealedColumns[purpose]
      const { rows } = await sql<{ n: number }>`
        select 1 as n from ${sql.table(table)}
        where substr(${sql.ref(column)}, 1, ${sql.lit(keyId.length + 1)}) = ${`${keyId}.`} limit 1
      `.execute(db)
      if (rows.length > 0) return true
    }
    return false
  }

  return {
    async all() {
      const rows = await db.selectFrom('key_checks').selectAll().orderBy('key_id').execute()
      return Promise.all(
        rows.map(async ({ key_id, sealed }) => ({ keyId: key_id, sealed, isUsed: await isUsed(key_id) })),
      )
    },

    async add({ keyId, sealed }) {
      await db
        .insertInto('key_checks')
        .values({ key_id: keyId, sealed })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    },

    async remove(keyId) {
      const { numDeletedRows } = await db
        .deleteFrom('key_checks')
        .where('key_id', '=', keyId)
        .executeTakeFirstOrThrow()
      return numDeletedRows > 0n
    },
  }
}
