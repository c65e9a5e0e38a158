// Work that operations took at each size, as a table in Markdown, for docs/performance.md. Pure.
import type { Work } from '../servers/work.ts'

export interface Taken extends Work {
  /** Requests to Slack, and to the service. */
  readonly slack: number
  readonly service: number
}

export interface Growing {
  readonly name: string
  /** What there is more and more of. */
  readonly of: 'kept' | 'rows' | 'open alerts' | 'due at once'
  readonly cells: { readonly size: number; readonly taken: Taken }[]
}

const head = [
  '',
  'with',
  'CPU, ms',
  'stop, ms',
  'statements',
  'documents',
  'requests',
  'memory, MB',
]

/** A row each. Where something grows, there is a figure for each size; where it doesn't, there is one. */
export function growthTable(all: readonly Growing[]): string {
  const rows = [head, ...all.map(rowOf)]
  const widths = head.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  const lines = rows.map((row) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)))
  // Figures are aligned to the right.
  const rule = widths.map((width, at) => (at < 2 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
  return lines
    .toSpliced(1, 0, rule)
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

function rowOf({ name, of, cells }: Growing): readonly string[] {
  const each = (read: (taken: Taken) => number | undefined, words = count) => {
    const texts = cells.map(({ taken }) => words(read(taken) ?? Number.NaN))
    return new Set(texts).size === 1 ? (texts[0] ?? '') : texts.join(' · ')
  }
  return [
    name,
    `${cells.map(({ size }) => sizeWords(size)).join(' · ')} ${of}`,
    each(({ cpuMs }) => cpuMs, time),
    each(({ stoodMs }) => stoodMs, time),
    each(({ statements }) => statements),
    each(({ documents }) => documents),
    each(({ slack, service }) => slack + service),
    each(({ peakMb }) => peakMb),
  ]
}

/** Empty where it was not measured. */
function count(value: number): string {
  return Number.isNaN(value) ? '' : Math.round(value).toLocaleString('en')
}

function time(ms: number): string {
  if (ms === 0) return ''
  return ms < 10 ? ms.toFixed(1) : count(ms)
}

const powers = ['10⁰', '10¹', '10²', '10³', '10⁴', '10⁵', '10⁶']

/** “200”, “10⁶”. */
function sizeWords(size: number): string {
  const power = size < 1_000 ? undefined : powers[Math.log10(size)]
  return power ?? count(size)
}
