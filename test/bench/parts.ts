// The parts of the bench in the order in which they run, each with how much of it there is.
import type { Cores } from './cores.ts'
import type { Measured } from './figures.ts'
import { measureAcks } from './parts/acks.ts'
import { measureCommands } from './parts/commands.ts'

type Part = (isQuick: boolean, cores: Cores | undefined) => Promise<Measured>

export const parts = {
  acks: (isQuick, cores) =>
    measureAcks(isQuick ? { rounds: 3, requests: 6_000 } : { rounds: 7, requests: 20_000 }, cores),
  commands: (isQuick, cores) =>
    measureCommands(isQuick ? { rounds: 3, commands: 1_000 } : { rounds: 7, commands: 3_000 }, cores),
} as const satisfies Record<string, Part>

export type PartName = keyof typeof parts

/** @throws TypeError in a sentence, when one is not known. */
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
