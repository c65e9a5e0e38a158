// What the processes need with time, and the figures of a soak as a table for a terminal.
import type { Sample } from './bots.ts'

export interface Growth {
  readonly pid: number
  readonly place: number
  readonly minutes: number
  readonly rssMb: { readonly before: number; readonly after: number }
  readonly handles: { readonly before: number; readonly after: number }
}

/** Shorter lives say nothing about time. */
const shortestMs = 90_000
const allowed = { rssPart: 1.2, rssMb: 15, handles: 15 } as const

/** Of the bot that lived longest in the second half: its third quarter of that time against its fourth. */
export function growthOf(samples: readonly Sample[], fromMs: number): Growth | undefined {
  const lives = [
    ...Map.groupBy(
      samples.filter(({ at }) => at >= fromMs),
      ({ pid }) => pid,
    ).values(),
  ]
  const [longest] = lives.toSorted((one, other) => spanOf(other) - spanOf(one))
  const first = longest?.[0]
  if (longest === undefined || first === undefined || spanOf(longest) < shortestMs) return undefined
  const middle = Math.floor(longest.length / 2)
  const both = (of: (sample: Sample) => number) => ({
    before: medianOf(longest.slice(0, middle).map(of)),
    after: medianOf(longest.slice(middle).map(of)),
  })
  return {
    ...{ pid: first.pid, place: first.place, minutes: spanOf(longest) / 60_000 },
    rssMb: both(({ rssMb }) => rssMb),
    handles: both(({ handles }) => handles),
  }
}

export function checkGrowth(growth: Growth | undefined): readonly string[] {
  if (growth === undefined) return []
  const { rssMb, handles } = growth
  const most = Math.max(rssMb.before * allowed.rssPart, rssMb.before + allowed.rssMb)
  return [
    ...(rssMb.after > most ? [`Memory grew from ${round(rssMb.before)} to ${round(rssMb.after)} MB.`] : []),
    ...(handles.after > handles.before + allowed.handles
      ? [`Open handles grew from ${handles.before} to ${handles.after}.`]
      : []),
  ]
}

function spanOf(samples: readonly Sample[]): number {
  return (samples.at(-1)?.at ?? 0) - (samples[0]?.at ?? 0)
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

const round = (value: number) => Math.round(value * 10) / 10

export function printGrowth(growth: Growth | undefined): readonly (readonly [string, string])[] {
  if (growth === undefined) return []
  const { minutes, rssMb, handles } = growth
  const span = `over ${round(minutes)} minutes`
  return [
    [`memory of one bot, ${span}`, `${round(rssMb.before)} → ${round(rssMb.after)} MB`],
    [`open handles of one bot, ${span}`, `${handles.before} → ${handles.after}`],
  ]
}

export function printTable(rows: readonly (readonly [string, string | number])[]): string {
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => String(row[column]).length)))
  return rows
    .map(([name, value]) => `${name.padEnd(widths[0] ?? 0)}  ${String(value).padStart(widths[1] ?? 0)}`)
    .join('\n')
}
