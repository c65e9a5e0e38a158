// Keys in the database: every column that they seal, and a known text for each.
import { type Kysely, sql } from 'kysely'
import type { KeyChecks } from '../../keys/key-checks.ts'
import type { Purpose, SealedRow, SealedRows } from '../../keys/rotate.ts'
import { didChange } from '../engine.ts'
import type { Tables } from '../tables.ts'

interface SealedColumn {
  readonly table: keyof Tables
  readonly column: string
  /** Of a table that holds several kinds, which of them. */
  readonly kind?: string
  /** The table's primary key: text, all of it. Rows are sealed for `workspace_id` and `user_id`. */
  readonly key: readonly string[]
}

const keptAs = (kind: string): SealedColumn => ({
  ...{ table: 'kept', column: 'value', kind, key: ['kind', 'key', 'workspace_id'] },
})

/**
 * Every column that holds something sealed, by purpose: a new one must be put here before it compiles, and then
 * `npm run rotate-keys` seals it anew too.
 */
export const sealedColumns: Readonly<Record<Purpose, SealedColumn>> = {
  token: { table: 'accounts', column: 'token', key: ['workspace_id', 'user_id'] },
  waiting: keptAs('waiting'),
  'connect-link': keptAs('connect-link'),
  'connect-prompt': keptAs('connect-prompt'),
}

const isPurpose = (name: string): name is Purpose => name in sealedColumns

const ofKind = (kind: string | undefined) => (kind === undefined ? sql`` : sql`and kind = ${kind}`)

export function sealedRowsIn(db: Kysely<Tables>): SealedRows {
  return {
    purposes: Object.keys(sealedColumns).filter(isPurpose),

    async count(purpose) {
      const { table, column, kind } = sealedColumns[purpose]
      const { rows } = await sql<{ n: number }>`
        select count(*) as n from ${sql.table(table)} where ${sql.ref(column)} <> '' ${ofKind(kind)}
      `.execute(db)
      return rows[0]?.n ?? 0
    },

    async sealedByOtherKeys(purpose, keyId, { after, most }) {
      const { table, column, kind, key } = sealedColumns[purpose]
      const place = sql.join(key.map((name) => sql.ref(name)))
      const isOther = sql`substr(${sql.ref(column)}, 1, ${sql.lit(keyId.length + 1)}) <> ${`${keyId}.`}`
      const isAfter = after === undefined ? sql`` : sql`and (${place}) > (${sql.join(after)})`
      const { rows } = await sql<Readonly<Record<string, string | null>>>`
        select ${sql.join([...new Set([...key, 'user_id', column])].map((name) => sql.ref(name)))} from ${sql.table(table)}
        where ${sql.ref(column)} <> '' and ${isOther} ${isAfter} ${ofKind(kind)} order by ${place} limit ${sql.lit(most)}
      `.execute(db)
      return rows.map(
        (row): SealedRow => ({
          place: key.map((name) => row[name] ?? ''),
          boundTo: { purpose, workspaceId: row.workspace_id ?? '', userId: row.user_id ?? '' },
          sealed: row[column] ?? '',
        }),
      )
    },

    async replace({ place, boundTo, sealed }, anew) {
      const { table, column, key } = sealedColumns[boundTo.purpose]
      const isIt = key.map((name, at) => sql`${sql.ref(name)} = ${place[at]}`)
      const { numAffectedRows = 0n } = await sql`
        update ${sql.table(table)} set ${sql.ref(column)} = ${anew}
        where ${sql.join(isIt, sql` and `)} and ${sql.ref(column)} = ${sealed}
      `.execute(db)
      return numAffectedRows > 0n
    },
  }
}

export function keyChecksIn(db: Kysely<Tables>): KeyChecks {
  async function isUsed(keyId: string): Promise<boolean> {
    const { table, column } = sealedColumns.token
    const { rows } = await sql<{ n: number }>`
      select 1 as n from ${sql.table(table)}
      where substr(${sql.ref(column)}, 1, ${sql.lit(keyId.length + 1)}) = ${`${keyId}.`} limit 1
    `.execute(db)
    return rows.length > 0
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
      return didChange(db.deleteFrom('key_checks').where('key_id', '=', keyId))
    },
  }
}
