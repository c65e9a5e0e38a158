// `npm run doctor`, run as a process of its own.
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { expect } from 'vitest'

/** Not synchronously: the stand-ins it asks are in this process. */
export async function runDoctor(env: Readonly<Record<string, string>>, ...options: string[]) {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', 'src/terminal/doctor.ts', ...options],
    { env: { PATH, NODE_COMPILE_CACHE, ...env }, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [printed, complaint] = await Promise.all([text(child.stdout), text(child.stderr)])
  expect(complaint).toBe('')
  expect(printed).not.toMatch(/^\s+at /m)
  return { exitCode: await ended, printed }
}
