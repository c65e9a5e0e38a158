// `npm run doctor`, with these settings alone.
import { expect } from 'vitest'
import { runDoctor as command } from '../../src/terminal/doctor.ts'
import { runCommand } from '../terminal/run-command.ts'

export async function runDoctor(env: Readonly<Record<string, string>>, ...words: string[]) {
  const { exitCode, printed, complaint } = await runCommand(command, env, words)
  expect(complaint).toBe('')
  expect(printed).not.toMatch(/^\s+at /m)
  return { exitCode, printed }
}
