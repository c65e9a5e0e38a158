// docs/reliability.md has a row for each fault that is tried, in the same words.
import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { faults, rowOf, triedBy } from '../full/faults/table.ts'

it('the table of reliability tells of each fault that is tried, and of no other', () => {
  const [table = ''] = readFileSync('docs/reliability.md', 'utf8').split('\n## ')
  const rows = table.split('\n').filter((line) => line.startsWith('| ') && !/^\| (Fault|---)/.test(line))

  expect(rows.length).toBeGreaterThan(40)
  expect(rows).toEqual(faults.map(rowOf))
  expect(triedBy.filter((file) => !existsSync(file))).toEqual([])
})
