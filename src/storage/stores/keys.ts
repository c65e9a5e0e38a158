// A known text for each key that was ever the first, sealed with it.
import { sql } from 'kysely'
import type { KeyChecks } from '../../keys/key-checks.ts'
import type { Database } from '../engine.ts'
import { keptOf } from '../kept.ts'

export function keyChecksIn(database: Pick<Database, 'db' | 'now'>): KeyChecks {
  const { add, take } = keptOf(database, 'key-check')
  const isUsed = sql<number>`(select count(*) from accounts where substr(token, 1, length(key) + 1) = key || '.')`
  return {
    async all() {
      const checks = database.db.selectFrom('kept').where('kind', '=', 'key-check').orderBy('key')
      const rows = await checks.select(['key', 'value', isUsed.as('used')]).execute()
      return rows.map(({ key, value, used }) => ({ keyId: key, sealed: value, isUsed: used > 0 }))
    },
    add: async ({ keyId, sealed }) => void (await add({ workspaceId: '', key: keyId, value: sealed })),
    remove: async (keyId) => (await take('', keyId)) !== undefined,
  }
}
