// The parts of the bench in the order in which they run, each with how much there is of it.
import type { Cores } from './cores.ts'
import type { Measured } from './figures.ts'
import { measureAcks } from './parts/acks.ts'
import { measureAgain } from './parts/again.ts'
import { measureCommands } from './parts/commands.ts'
import { measureCounts } from './parts/counts.ts'
import { measureLatency } from './parts/latency.ts'
import { measureMemory } from './parts/memory.ts'
import { measureProfile } from './parts/profile.ts'
import { measureRender } from './parts/render.ts'
import { measureSources } from './parts/sources.ts'
import { measureStart } from './parts/start.ts'
import { measureStorage } from './parts/storage.ts'
import { measureWatch } from './parts/watch.ts'

type Part = (isQuick: boolean, cores: Cores | undefined) => Measured | Promise<Measured>

const fullNames = ['bolt-guide', 'chat-sdk', 'slack-edge', 'floor'] as const

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
  sources: (_, cores) => measureSources({ warmUp: 300, commands: 100 }, cores),
  profile: (isQuick, cores) => measureProfile({ commands: isQuick ? 3_000 : 20_000 }, cores),
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
            beside: ['bolt-guide', 'floor'],
          }
        : {
            rounds: 3,
            warmUp: 5_000,
            steps: [
              { commands: 12, atATime: 1 },
              { commands: 150, atATime: 10 },
              { commands: 800, atATime: 50 },
            ],
            beside: fullNames,
          },
      cores,
    ),
  again: (isQuick, cores) =>
    measureAgain(
      isQuick
        ? { rounds: 1, warmUp: 300, repeats: 7, beside: ['floor'] }
        : { rounds: 3, warmUp: 3_000, repeats: 9, beside: ['bolt-guide', 'floor'] },
      cores,
    ),
  memory: (isQuick, cores) =>
    measureMemory(
      isQuick ? { rounds: 1, commands: 12_000, most: 0 } : { rounds: 2, commands: 20_000, most: 100_000 },
      cores,
    ),
  start: (isQuick, cores) => measureStart({ rounds: isQuick ? 3 : 15 }, cores),
  watch: (isQuick, cores) =>
    measureWatch(
      isQuick
        ? { many: 2_500, few: 500, pollsASecond: 500, warmPolls: 2_750, polls: 1_500 }
        : { many: 5_000, few: 500, pollsASecond: 500, warmPolls: 10_000, polls: 20_000 },
      cores,
    ),
  storage: (isQuick, cores) =>
    measureStorage({ rounds: isQuick ? 1 : 3, commands: isQuick ? 10 : 40 }, cores),
  render: (isQuick) => measureRender({ rounds: isQuick ? 5 : 15, times: isQuick ? 300 : 1_000 }),
} as const satisfies Record<string, Part>

export type PartName = keyof typeof parts

/** Those that measure Bellhop alone. */
const alone: ReadonlySet<PartName> = new Set(['watch', 'storage', 'render', 'profile', 'sources'])

export function needsPeers(names: readonly PartName[]): boolean {
  return names.some((name) => !alone.has(name))
}

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
