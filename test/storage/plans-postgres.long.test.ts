// How PostgreSQL answers each statement of the stores, with full tables of which it has figures.
import { expect, it, onTestFinished } from 'vitest'
import { openPostgres } from '../../src/storage/postgres/postgres.ts'
import { startPostgres } from '../postgres.ts'
import { at, fill, statementsOf, wholeOnPurpose } from './statements.ts'

interface Step {
  readonly 'Node Type': string
  readonly 'Plan Rows': number
  readonly Plans?: readonly Step[]
}

function stepsOf(step: Step): readonly Step[] {
  return [step, ...(step.Plans ?? []).flatMap(stepsOf)]
}

/** Sorting so many is nothing, and may be quicker than an index in their order. */
const few = 200

it('by an index that holds all that is asked', async () => {
  const server = await startPostgres()
  const database = await openPostgres(await server.createDatabase(), { now: () => at })
  onTestFinished(() => database.close())
  await fill(database, 10_000)
  await database.db.run('analyze')
  const statements = await statementsOf(database)
  expect(statements.size).toBeGreaterThan(35)

  const slow: string[] = []
  for (const [text, values] of statements) {
    if (wholeOnPurpose.some((pattern) => pattern.test(text))) continue
    const [row] = await database.db.all<{ 'QUERY PLAN': readonly { readonly Plan: Step }[] }>(
      `explain (format json) ${text}`,
      values,
    )
    const steps = (row?.['QUERY PLAN'] ?? []).flatMap(({ Plan }) => stepsOf(Plan))
    for (const step of steps) {
      const isAll = step['Node Type'] === 'Seq Scan'
      const isSorted = step['Node Type'] === 'Sort' && step['Plan Rows'] > few
      if (isAll || isSorted) slow.push(`${step['Node Type']} ${step['Plan Rows']}: ${text}`)
    }
  }
  expect(slow).toEqual([])
})
