// What keys are needed for beside opening what is sealed, read from the database.
import type { Kysely } from 'kysely'
import type { KeyUses } from '../../keys/needs.ts'
import type { Tables } from '../tables.ts'
import { barredOf } from './approval-rows.ts'

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
