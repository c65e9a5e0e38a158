// Figures as a table for a terminal: each bot's, and Bellhop beside the others.
import { type Figure, type Measured, medianOf } from './figures.ts'
import { type Facts, isTold } from './process-figures.ts'
import { bellhop } from './servers/bellhop.ts'

export interface Benched {
  readonly isQuick: boolean
  readonly isPinned: boolean
  readonly machine: Facts
  readonly parts: readonly Measured[]
}

/** Upper limits that people would feel, on any machine that is fit for it. Source: Slack waits 3 s for an ack. */
const mostOf: Readonly<Record<string, number>> = {
  'acks, p99': 300,
  '/alert help: acks, p99': 300,
  'CPU of a command': 10,
}

/** Three digits that mean something: 0.052, 0.52, 5.21, 52.1, 5,210. */
function digits(value: number): string {
  if (value === 0) return '0'
  const size = Math.abs(value)
  if (size >= 100) return value.toLocaleString('en', { maximumFractionDigits: 0 })
  return value.toFixed(size >= 10 ? 1 : size >= 0.1 ? 2 : 3)
}

const head = ['', '', 'median', 'lowest – highest', 'of', 'npm start ÷ it', 'image ÷ it', 'at most']

/** @param figures - Of the same part, its own among them. */
function rowOf({ what, who, unit, values }: Figure, figures: readonly Figure[]): readonly string[] {
  const median = medianOf(values)
  const spread =
    values.length > 1 ? `${digits(Math.min(...values))} – ${digits(Math.max(...values))}` : ''
  const beside = bellhops.map((name) => {
    const own = figures.find((one) => one.what === what && one.who === name)
    return own === undefined || name === who || median === 0
      ? ''
      : `${digits(medianOf(own.values) / median)} ×`
  })
  const most = bellhops.includes(who) ? mostOf[what] : undefined
  const judged =
    most === undefined ? '' : `${digits(most)} ${unit}${median <= most ? '' : ': MISSED'}`
  return [what, who, `${digits(median)} ${unit}`, spread, String(values.length), ...beside, judged]
}
const bellhops: readonly string[] = [bellhop.sources, bellhop.image]

function table(rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const lines = rows.map((row) =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '),
  )
  return lines.map((line) => line.trimEnd()).join('\n')
}

function machineWords({ isQuick, isPinned, machine }: Benched): string {
  const { cores, cpu, node, platform } = machine
  const where = isPinned
    ? 'the bot on one core, load and stand-ins on another'
    : 'nothing pinned to a core'
  return `Node ${node}, ${platform}, ${cores} cores (${cpu}); ${where}${isQuick ? '; a quick run' : ''}`
}

export function printTables(benched: Benched): string {
  const rows = benched.parts.flatMap(({ figures }) =>
    figures.map((figure) => rowOf(figure, figures)),
  )
  return [
    machineWords(benched),
    '',
    ...(rows.length > 0 ? [table([head, ...rows]), ''] : []),
    ...benched.parts.flatMap((part) => (part.table === undefined ? [] : [part.table, ''])),
    ...benched.parts.flatMap(({ remarks }) => remarks),
    ...(isTold ? [] : ['CPU and memory of the bots are left out: this system has no /proc.']),
  ].join('\n')
}
