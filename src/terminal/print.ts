// Printing for somebody in a terminal. Words from outside may be in it, and a terminal obeys control characters.
import { inspect } from 'node:util'
import { ConfigError, UserError } from '../errors.ts'
import { oneLine } from '../log/line.ts'

/** Each on a line of its own, whatever is in it. */
export function printLines(lines: readonly string[]): void {
  console.log(joined(lines))
}

/**
 * To standard error: a line for each problem that somebody can mend; of a defect all that there is.
 * @param heading - Above a list of problems.
 */
export function printError(error: unknown, heading?: string): void {
  const lines = linesOf(error)
  const isList = heading !== undefined && error instanceof ConfigError
  console.error(joined(isList ? [heading, ...lines.map((line) => `  - ${line}`)] : lines))
}

function linesOf(error: unknown): readonly string[] {
  if (error instanceof ConfigError) return error.problems
  if (error instanceof UserError) return [error.message]
  return inspect(error).split('\n')
}

function joined(lines: readonly string[]): string {
  return lines.map(oneLine).join('\n')
}
