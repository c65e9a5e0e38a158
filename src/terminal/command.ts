// Runs an operator’s command, and prints for it. Text from outside may hold control characters, which a terminal would
// obey: in printed lines they are left out.
import { once } from 'node:events'
import { inspect } from 'node:util'
import type { Environment } from '../config/config.ts'
import { ConfigError, UserError } from '../errors.ts'
import { oneLine } from '../log/log.ts'

/** @param words - The words that were typed after the command. @returns The process’s exit code: 0 if all is well. */
export type TerminalCommand = (
  words: readonly string[],
  env: Environment,
  print: Print,
) => Promise<number>

export async function runHere(command: TerminalCommand): Promise<void> {
  process.exit(await command(process.argv.slice(2), process.env, terminal))
}

/** Makes a command that prints the error which its work throws. @param failed - The exit code in that case. */
export function terminalCommand(failed: number, work: TerminalCommand): TerminalCommand {
  return (words, env, print) =>
    work(words, env, print).catch((error: unknown) => {
      print.error(error)
      return failed
    })
}

export type Print = ReturnType<typeof printTo>

export function printTo(to: {
  readonly log: (text: string) => void
  readonly error: (text: string) => void
  readonly write: (text: string) => Promise<void>
}) {
  const joined = (lines: readonly string[]) => lines.map(oneLine).join('\n')
  return {
    /** Prints each text on one line of its own, even if it holds line breaks. */
    lines: (lines: readonly string[]) => to.log(joined(lines)),
    /** Prints problems that somebody can mend, one a line; of any other error, all. @param heading - Above the problems. */
    error(error: unknown, heading?: string) {
      const isList = heading !== undefined && error instanceof ConfigError
      to.error(
        joined(
          isList ? [heading, ...error.problems.map((one) => `  - ${one}`)] : errorLines(error),
        ),
      )
    },
    /** Prints text without taking out control characters, so it must hold none. Resolves when there is room for more. */
    text: to.write,
  }
}

function errorLines(error: unknown): readonly string[] {
  if (error instanceof ConfigError) return error.problems
  return error instanceof UserError ? [error.message] : inspect(error).split('\n')
}

export const terminal: Print = printTo({
  log: (text) => console.log(text),
  error: (text) => console.error(text),
  async write(text) {
    if (!process.stdout.listeners('error').includes(endForReader))
      process.stdout.on('error', endForReader)
    if (!process.stdout.write(text)) await once(process.stdout, 'drain')
  },
})

/** Ends the process if its output can’t be written; with 0 if the reader closed it, as in `npm run audit | head`. */
function endForReader(error: NodeJS.ErrnoException) {
  process.exit(error.code === 'EPIPE' ? 0 : 2)
}
