// What operations took at each size, as a table in Markdown, for docs/performance.md. Pure.
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

/** A row each. Where something grows, all of its sizes are given; where it doesn't, one figure. */
export function growthTable(all: readonly Growing[]): string {
  const rows = all.map(rowOf)
  const widths = head.map((one, at) =>
    Math.max(...[head, ...rows].map((row) => row[at]?.length ?? 0), one.length),
  )
  const lineOf = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  const rule = `| ${widths.map((width, at) => (at < 2 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`
  return [lineOf(head), rule, ...rows.map(lineOf)].join('\n')
}

function rowOf({ name, of, cells }: Growing): readonly string[] {
  const each = (read: (taken: Taken) => number | undefined, format = count) => {
    const texts = cells.map(({ taken }) => {
      const value = read(taken)
      return value === undefined || Number.isNaN(value) ? '' : format(value)
    })
    return new Set(texts).size === 1 ? (texts[0] ?? '') : texts.join(' · ')
  }
  const sizes = cells.map(({ size }) => count(size)).join(' · ')
  return [
    name,
    `${sizes} ${of}`,
    each(({ cpuMs }) => cpuMs, time),
    each(({ stoodMs }) => stoodMs, time),
    each(({ statements }) => statements),
    each(({ documents }) => documents),
    each(({ slack, service }) => slack + service),
    each(({ peakMb }) => peakMb),
  ]
}

const count = (value: number) => Math.round(value).toLocaleString('en')
const time = (ms: number) => (ms < 10 ? ms.toFixed(1) : count(ms))
