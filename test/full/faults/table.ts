// The whole table of faults, as docs/reliability.md shows it.
import type { Told } from './fault.ts'
import { databaseFaults } from './rows-database.ts'
import { processFaults } from './rows-process.ts'
import { serviceFaults } from './rows-service.ts'
import { slackFaults } from './rows-slack.ts'

/** In the order of the table. */
export const faults: readonly Told[] = [...slackFaults, ...serviceFaults, ...databaseFaults, ...processFaults]

/** The tests by which those rows are tried that need processes. */
export const triedBy: readonly string[] = [...databaseFaults, ...processFaults].map((row) => row.triedBy)

/** One row as docs/reliability.md has it. */
export function rowOf({ fault, seen, held }: Told): string {
  return `| ${fault} | ${seen} | ${held} |`
}
