// A known text for each key that was ever the first, sealed with it.
import { type Kysely, sql } from 'kysely'
import type { KeyChecks } from '../../keys/key-checks.ts'
import { didChange } from '../engine.ts'
import type { Tables } from '../tables.ts'

export function keyChecksIn(db: Kysely<Tables>): KeyChecks {
  return {
    async all() {
      const rows = await db
        .selectFrom('key_checks')
        .select(['key_id', 'sealed'])
        .select(
          sql<number>`(select count(*) from accounts where substr(token, 1, length(key_id) + 1) = key_id || '.')`.as(
            'used',
          ),
        )
        .orderBy('key_id')
        .execute()
      return rows.map(({ key_id, sealed, used }) => ({ keyId: key_id, sealed, isUsed: used > 0 }))
    },

    async add({ keyId, sealed }) {
      await db
        .insertInto('key_checks')
        .values({ key_id: keyId, sealed })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    },

    remove: (keyId) => didChange(db.deleteFrom('key_checks').where('key_id', '=', keyId)),
  }
}
