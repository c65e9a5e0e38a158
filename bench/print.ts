// Figures as tables for a terminal.
import { type Comparison, type Figure, type Measured, missedBy, summarize } from './figures.ts'
import { type Facts, isTold } from './process-figures.ts'

export interface Benched {
  readonly isQuick: boolean
  readonly isPinned: boolean
  readonly machine: Facts
  readonly parts: readonly Measured[]
}

/** Three digits that mean something: 0.052, 0.52, 5.21, 52.1, 5,210. */
function digits(value: number): string {
  if (value === 0) return '0'
  const size = Math.abs(value)
  if (size >= 100) return value.toLocaleString('en', { maximumFractionDigits: 0 })
  return value.toFixed(size >= 10 ? 1 : size >= 0.1 ? 2 : 3)
}

function spread(values: readonly number[]): string {
  const { lowest, highest } = summarize(values)
  return values.length === 1 ? '' : `${digits(lowest)} – ${digits(highest)}`
}

function goalWords({ goal, unit }: Comparison): string {
  if (goal === undefined) return ''
  return `${goal.sense === 'at least' ? '≥' : '≤'} ${digits(goal.value)} ${unit}`
}

function verdict(comparison: Comparison): string {
  if (comparison.goal === undefined) return ''
  const missed = missedBy(comparison)
  return missed === 0 ? 'reached' : `missed by ${digits(missed * 100)} %`
}

const comparisonHead = ['', 'median', 'lowest – highest', 'goal', '']

function comparisonRow(comparison: Comparison): readonly string[] {
  const { what, unit, values } = comparison
  const median = `${digits(summarize(values).median)} ${unit}`
  return [what, median, spread(values), goalWords(comparison), verdict(comparison)]
}

const figureHead = ['', '', 'median', 'lowest – highest', 'of']

function figureRow({ what, who, unit, values }: Figure): readonly string[] {
  return [what, who, `${digits(summarize(values).median)} ${unit}`, spread(values), String(values.length)]
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows]
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)))
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function machineWords({ isQuick, isPinned, machine }: Benched): string {
  const { cores, cpu, node, platform } = machine
  const where = isPinned ? 'the bot on one core, load and stand-ins on another' : 'nothing pinned to a core'
  return `Node ${node}, ${platform}, ${cores} cores (${cpu}); ${where}${isQuick ? '; a quick run' : ''}`
}

export function printTables(benched: Benched): string {
  const { parts } = benched
  return [
    machineWords(benched),
    '',
    table(
      comparisonHead,
      parts.flatMap(({ comparisons }) => comparisons.map(comparisonRow)),
    ),
    '',
    table(
      figureHead,
      parts.flatMap(({ figures }) => figures.map(figureRow)),
    ),
    '',
    ...parts.flatMap(({ remarks }) => remarks),
    ...(isTold ? [] : ['CPU and memory of the bots are left out: this system has no /proc.']),
  ].join('\n')
}
