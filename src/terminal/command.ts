// A command of the operator: a function of its words, its settings and where it prints, so that another program may run
// it as well; and this process as what runs it.
import type { Environment } from '../config/config.ts'
import { type Print, terminal } from './print.ts'

/**
 * @param words - Behind the name of the command.
 * @returns What the process ends with: 0 where all is well.
 */
export type TerminalCommand = (words: readonly string[], env: Environment, print: Print) => Promise<number>

/** Runs a command with what this process was started with. Its file does so, and its former name. */
export async function runHere(command: TerminalCommand): Promise<void> {
  process.exitCode = await command(process.argv.slice(2), process.env, terminal)
}

/** The same for a command that may leave connections open: the process ends with it. */
export async function runHereToTheEnd(command: TerminalCommand): Promise<void> {
  await runHere(command)
  process.exit()
}
