// docs/running.md, “When something is wrong”: the lines and figures that it names are those of the bot.
import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const [, rest = ''] = readFileSync('docs/running.md', 'utf8').split('### When something is wrong\n')
const [section = ''] = rest.split('\n###')
const rows = section
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (what|---)/.test(line))
const sources = globSync('src/**/*.ts')
  .map((path) => readFileSync(path, 'utf8'))
  .join('\n')

const quoted = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, words = '']) => words)

it('names lines of the log that the bot writes, and figures that it has', () => {
  const cells = rows.map((row) => row.split('|').map((cell) => cell.trim()))
  const lines = cells.flatMap(([, , line = '']) => quoted(line))
  const figures = cells.flatMap(([, , , figure = '']) =>
    quoted(figure).map((one) => one.replace(/\{.*/, '')),
  )

  expect(lines.length).toBeGreaterThan(9)
  expect(figures.length).toBeGreaterThan(5)
  expect(lines.filter((line) => !sources.includes(line))).toEqual([])
  expect(figures.filter((figure) => !new RegExp(`\\b${figure}\\b`).test(sources))).toEqual([])
})
