// How SQLite answers each statement of the stores: by an index that holds all that is asked, in its order. Half a year of cards
// then costs a command no more than an empty database does.
import { expect, it, onTestFinished } from 'vitest'
import type { Database } from '../../src/storage/problem.ts'
import { openSqlite } from '../../src/storage/sqlite/sqlite.ts'
import { databaseFile } from './files.ts'
import { at, fill, statementsOf, wholeOnPurpose } from './statements.ts'

/** Sorts the few rows that a key, or one person, has; or reads one row from the end of an index. */
const few = [
  /from kept where kind = \? and key = \? and until/,
  /from kept where kind = \? and workspace_id = \? and (user_id|value) = \?( and user_id <> '')? and until/,
  /^select seq, mac, at from audit_records order by seq desc limit 1$/,
  // Passes by what is old, which goes.
  /^select seq, .* from audit_records where at >= \? order by seq limit 1$/,
  // The newest of one kind: a process serves one workspace.
  /^select doc from docs where kind = \? and workspace_id = \? order by kept_at desc limit/,
]

const compared = new Set(['doc', 'token', 'value'])

/** Columns that a statement asks for, and that its plan looks through row by row. Whole values are compared, not found. */
function unindexed(text: string, details: readonly string[]): readonly string[] {
  const [, conditions = ''] = /\bwhere\b(.*)/s.exec(text) ?? []
  const asked = Array.from(conditions.matchAll(/\b(\w+) = \?/g), ([, column = '']) => column)
  const inIndex = details.join(' ')
  return asked.filter((column) => !compared.has(column) && !inIndex.includes(`${column}=?`))
}

it.each<[string, (database: Database) => Promise<unknown>]>([
  ['empty tables', async () => undefined],
  ['full tables', (database) => fill(database)],
  [
    'full tables of which it has figures',
    async (database) => {
      await fill(database)
      await database.db.run('analyze')
    },
  ],
])('is so with %s', async (_, prepare) => {
  const database = await openSqlite(`file:${await databaseFile()}`, () => at)
  onTestFinished(() => database.close())
  await prepare(database)
  const seen = await statementsOf(database)
  expect(seen.size).toBeGreaterThan(35)

  const slow: string[] = []
  for (const [text, values] of seen) {
    if ([...wholeOnPurpose, ...few].some((pattern) => pattern.test(text))) continue
    const plan = await database.db.all<{ detail: string }>(`explain query plan ${text}`, values)
    const wrong = plan.filter(({ detail }) => /^SCAN (?!CONSTANT)|TEMP B-TREE/.test(detail))
    for (const { detail } of wrong) slow.push(`${detail}: ${text}`)
    const details = plan.map(({ detail }) => detail)
    for (const column of unindexed(text, details))
      slow.push(`${column} is not in ${details}: ${text}`)
  }
  expect(slow).toEqual([])
})
