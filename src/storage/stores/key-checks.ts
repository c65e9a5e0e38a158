// Keys in the database: a known text for each that sealed something, and what else each is needed for.
import { type Kysely, sql } from 'kysely'
import type { KeyChecks } from '../../keys/key-checks.ts'
import type { KeyUses } from '../../keys/rotate.ts'
import type { Tables } from '../tables.ts'
import { barredOf } from './approval/rows.ts'
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

export function keyUsesIn(db: Kysely<Tables>): KeyUses {
  return {
    auditRecords: () =>
      db
        .selectFrom('audit_records')
        .select(({ fn }) => ['key_id as keyId', fn.countAll<number>().as('count'), fn.max('at').as('newest')])
        .groupBy('key_id')
        .orderBy('newest', 'desc')
        .execute(),

    async checkpointKey() {
      const row = await db.selectFrom('audit_checkpoint').select('key_id').executeTakeFirst()
      return row?.key_id
    },

    pastTokens: () =>
      db
        .selectFrom('past_tokens')
        .select(({ fn }) => [
          'key_id as keyId',
          fn.countAll<number>().as('count'),
          fn.max('given_up_at').as('newest'),
        ])
        .groupBy('key_id')
        .orderBy('newest', 'desc')
        .execute(),

    async openRequests() {
      const rows = await db
        .selectFrom('approvals')
        .select(['barred', 'until'])
        .where('is_open', '=', 1)
        .execute()
      return rows.map(({ barred, until }) => {
        const { asker, recipients } = barredOf(barred)
        const fingerprints = [...(asker === undefined ? [] : [asker]), ...recipients]
        return { keyIds: [...new Set(fingerprints.map((one) => one.slice(0, one.indexOf('.'))))], until }
      })
    },
  }
}
