// The parts of the bench in the order in which they run, each with how much there is of it.
import type { Cores } from './cores.ts'
import type { Measured } from './figures.ts'
import { measureAcks } from './parts/acks.ts'
import { measureCommands } from './parts/commands.ts'
import { measureCounts } from './parts/counts.ts'
import { measureLatency } from './parts/latency.ts'
import { measureMemory } from './parts/memory.ts'
import { measureStart } from './parts/start.ts'

type Part = (isQuick: boolean, cores: Cores | undefined) => Measured | Promise<Measured>

export const parts = {
  acks: (isQuick, cores) =>
    measureAcks(
      isQuick
        ? { rounds: 2, warmUp: 2_000, requests: 1_500 }
        : { rounds: 7, warmUp: 10_000, requests: 6_000 },
      cores,
    ),
  commands: (isQuick, cores) =>
    measureCommands(
      isQuick ? { rounds: 2, warmUp: 1_000, commands: 400 } : { rounds: 7, warmUp: 6_000, commands: 1_500 },
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
              { commands: 6, atATime: 1 },
              { commands: 60, atATime: 10 },
              { commands: 300, atATime: 50 },
            ],
          }
        : {
            rounds: 3,
            warmUp: 5_000,
            steps: [
              { commands: 12, atATime: 1 },
              { commands: 150, atATime: 10 },
              { commands: 800, atATime: 50 },
            ],
          },
      cores,
    ),
  memory: (isQuick, cores) =>
    measureMemory(
      isQuick ? { rounds: 1, commands: 12_000, most: 0 } : { rounds: 2, commands: 20_000, most: 100_000 },
      cores,
    ),
  start: (isQuick, cores) => measureStart({ rounds: isQuick ? 2 : 15 }, cores),
} as const satisfies Record<string, Part>

export type PartName = keyof typeof parts

/** @throws RangeError in a sentence, when one is not known. */
export function readPartNames(text: string | undefined): readonly PartName[] {
  const known = Object.keys(parts).filter(isPartName)
  if (text === undefined) return known
  const asked = text.split(',').map((name) => name.trim())
  const unknown = asked.find((name) => !isPartName(name))
  if (unknown !== undefined) throw new RangeError(`There is no part “${unknown}”: ${known.join(', ')}.`)
  return asked.filter(isPartName)
}

function isPartName(name: string): name is PartName {
  return Object.hasOwn(parts, name)
}
