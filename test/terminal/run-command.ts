// The operator's commands, run within this process, where the stand-ins are, or as a process of their own.
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { printTo, type TerminalCommand } from '../../src/terminal/command.ts'

type Settings = Readonly<Record<string, string>>

export interface Ran {
  readonly exitCode: number | null
  /** On standard output. */
  readonly printed: string
  /** On standard error. */
  readonly complaint: string
}

/** Runs a command with these settings alone. */
export async function runCommand(
  command: TerminalCommand,
  env: Settings,
  words: readonly string[] = [],
): Promise<Ran> {
  const printed: string[] = []
  const complaint: string[] = []
  const print = printTo({
    log: (text) => void printed.push(`${text}\n`),
    error: (text) => void complaint.push(`${text}\n`),
    write: async (text) => void printed.push(text),
  })
  const exitCode = await command(words, env, print)
  return { exitCode, printed: printed.join(''), complaint: complaint.join('') }
}

/**
 * Runs a file as somebody does in a shell, with these settings alone. Not synchronously: stand-ins that it asks may be
 * in this process.
 */
export async function runFile(
  path: string,
  env: Settings,
  words: readonly string[] = [],
): Promise<Ran> {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
  const child = spawn(process.execPath, [path, ...words], {
    env: { PATH, NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [printed, complaint] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { exitCode: await ended, printed, complaint }
}
