// README.md tells of the faults that are tried: the same rows, in the same words.
import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { faults, rowOf, triedBy } from '../full/faults/table.ts'

it('the table of reliability tells of each fault that is tried, and of no other', () => {
  const [, section = ''] = readFileSync('README.md', 'utf8').split('## Reliability')
  const [table = ''] = section.split('\n## ')
  const rows = table.split('\n').filter((line) => line.startsWith('| ') && !/^\| (Fault|---)/.test(line))

  expect(rows.length).toBeGreaterThan(40)
  expect(rows).toEqual(faults.map(rowOf))
  expect(triedBy.filter((file) => !existsSync(file))).toEqual([])
})
