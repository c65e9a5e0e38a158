// A log whose lines a test can read.
import { createLog, type Log, type LogLevel } from '../src/log/log.ts'

/** @returns The log, and each line as it is written. Others may add theirs. */
export function keepLog(level: LogLevel = 'debug'): {
  readonly log: Log
  readonly lines: string[]
} {
  const lines: string[] = []
  return {
    log: createLog({ level, destination: { write: (line) => void lines.push(line) } }),
    lines,
  }
}
