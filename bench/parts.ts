// The parts of the bench in the order in which they run, each with how much there is of it.
import type { Cores } from './cores.ts'
import type { Measured } from './figures.ts'
import { measureAcks } from './parts/acks.ts'
import { measureCommands } from './parts/commands.ts'
import { measureCounts } from './parts/counts.ts'
import { measureDisk } from './parts/disk.ts'
import { measureGrowth } from './parts/growth.ts'
import { measureLatency } from './parts/latency.ts'
import { measureStart } from './parts/start.ts'

type Part = (isQuick: boolean, cores: Cores | undefined) => Measured | Promise<Measured>

export const parts = {
  acks: (isQuick, cores) =>
    measureAcks(
      isQuick
        ? { rounds: 3, warmUp: 1_500, requests: 700 }
        : { rounds: 7, warmUp: 10_000, requests: 6_000 },
      cores,
    ),
  commands: (isQuick, cores) =>
    measureCommands(
      isQuick
        ? { rounds: 12, commands: 1_000, memoryAfter: [13_000] }
        : { rounds: 38, commands: 1_000, memoryAfter: [13_000, 39_000] },
      cores,
    ),
  counts: (isQuick, cores) => measureCounts({ warmUp: isQuick ? 300 : 600, commands: 200 }, cores),
  latency: (isQuick, cores) =>
    measureLatency(
      isQuick
        ? {
            rounds: 1,
            warmUp: 500,
            steps: [
              { commands: 8, atATime: 1 },
              { commands: 60, atATime: 10 },
              { commands: 300, atATime: 50 },
            ],
          }
        : {
            rounds: 3,
            warmUp: 5_000,
            steps: [
              { commands: 20, atATime: 1 },
              { commands: 150, atATime: 10 },
              { commands: 800, atATime: 50 },
            ],
          },
      cores,
    ),
  disk: (isQuick, cores) =>
    measureDisk(
      isQuick
        ? { rounds: 1, warmUp: 300, commands: 100 }
        : { rounds: 3, warmUp: 3_000, commands: 200 },
      cores,
    ),
  start: (isQuick, cores) => measureStart({ rounds: isQuick ? 3 : 15 }, cores),
  growth: (isQuick, cores) =>
    measureGrowth(
      {
        kept: isQuick ? [1_000, 10_000, 100_000] : [1_000, 10_000, 100_000, 1_000_000],
        rows: [10, 100, 1_000, 5_000],
        open: [20, 200, 2_000],
        atOnce: isQuick ? [10, 100] : [10, 100, 1_000],
        warmUp: isQuick ? 24 : 80,
        runs: isQuick ? 5 : 11,
      },
      cores,
    ),
} as const satisfies Record<string, Part>

export type PartName = keyof typeof parts

/** @throws RangeError in a sentence, when one is not known. */
export function readPartNames(text: string | undefined): readonly PartName[] {
  const known = Object.keys(parts).filter(isPartName)
  if (text === undefined) return known
  const asked = text.split(',').map((name) => name.trim())
  const unknown = asked.find((name) => !isPartName(name))
  if (unknown !== undefined)
    throw new RangeError(`There is no part “${unknown}”: ${known.join(', ')}.`)
  return asked.filter(isPartName)
}

function isPartName(name: string): name is PartName {
  return Object.hasOwn(parts, name)
}
