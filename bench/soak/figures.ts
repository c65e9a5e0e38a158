// Figures of a soak: what the processes need with time, and a table for a terminal.
import type { Sample } from './bots.ts'

interface Both {
  readonly before: number
  readonly after: number
}

/** Of one bot: the median of the first half of its time, against that of the second. */
export interface Growth {
  readonly place: number
  readonly minutes: number
  /** After a collection. */
  readonly heapMb: Both
  readonly resources: Both
  /** Zero where the system does not tell. */
  readonly files: Both
  readonly rssMb: Both
}

/** Shorter lives say nothing about time. */
const shortestMs = 90_000
const allowed = { heapPart: 1.15, heapMb: 5, handles: 15 } as const

/** Of the bot that lived longest from then on. */
export function growthOf(samples: readonly Sample[], fromMs: number): Growth | undefined {
  const late = samples.filter(({ at }) => at >= fromMs)
  const lives = [...Map.groupBy(late, ({ pid }) => pid).values()]
  const [longest] = lives.toSorted((one, other) => spanOf(other) - spanOf(one))
  const first = longest?.[0]
  if (longest === undefined || first === undefined || spanOf(longest) < shortestMs) return undefined
  const middle = Math.floor(longest.length / 2)
  const both = (of: (sample: Sample) => number | undefined): Both => ({
    before: medianOf(longest.slice(0, middle).map((sample) => of(sample) ?? 0)),
    after: medianOf(longest.slice(middle).map((sample) => of(sample) ?? 0)),
  })
  return {
    ...{ place: first.place, minutes: spanOf(longest) / 60_000 },
    heapMb: both(({ heapMb }) => heapMb),
    resources: both(({ resources }) => resources),
    files: both(({ files }) => files),
    rssMb: both(({ rssMb }) => rssMb),
  }
}

export function checkGrowth(growth: Growth | undefined): readonly string[] {
  if (growth === undefined) return []
  const { heapMb, resources, files } = growth
  const mostMb = Math.max(heapMb.before * allowed.heapPart, heapMb.before + allowed.heapMb)
  const handles = [
    ['Resources in use', resources],
    ['Open files', files],
  ] as const
  return [
    ...(heapMb.after > mostMb ? [`The heap grew from ${words(heapMb)} MB.`] : []),
    ...handles.flatMap(([what, both]) =>
      both.after > both.before + allowed.handles ? [`${what} grew from ${words(both)}.`] : [],
    ),
  ]
}

export function printGrowth(growth: Growth | undefined): readonly (readonly [string, string])[] {
  if (growth === undefined) return []
  const { place, minutes, heapMb, resources, files, rssMb } = growth
  return [
    ['watched for growth', `bot ${place}, ${round(minutes)} minutes`],
    ['heap after a collection, MB', words(heapMb)],
    ['memory that the system counts, MB', words(rssMb)],
    ['resources in use', words(resources)],
    ['open files', words(files)],
  ]
}

const words = ({ before, after }: Both) => `${round(before)} to ${round(after)}`

function spanOf(samples: readonly Sample[]): number {
  return (samples.at(-1)?.at ?? 0) - (samples[0]?.at ?? 0)
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

const round = (value: number) => Math.round(value * 10) / 10

export function printTable(rows: readonly (readonly [string, string | number])[]): string {
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => String(row[column]).length)))
  return rows
    .map(([name, value]) => `${name.padEnd(widths[0] ?? 0)}  ${String(value).padStart(widths[1] ?? 0)}`)
    .join('\n')
}
