// Work of a process that tells of it, since it was asked last: a bot, or a command once it has ended.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { z } from 'zod'
import type { Cores } from '../cores.ts'
import { Unfit } from '../unfit.ts'
import { pinned, type Recipe, type Server, withLoaded } from './server.ts'

const work = z.object({
  cpuMs: z.number(),
  statements: z.number(),
  documents: z.number(),
  /** How long its thread has stood still at most, where that was watched. */
  stoodMs: z.number(),
  /** The most memory that it has had; missing where the system doesn't tell. */
  peakMb: z.number().optional(),
})

export type Work = z.infer<typeof work>

export const telling = (recipe: Recipe): Recipe => withLoaded(recipe, 'tell-work.ts')

async function ask({ child }: Server, message: string | number): Promise<unknown> {
  const answered = once(child, 'message')
  child.send(message)
  const [answer]: unknown[] = await answered
  return answer
}

export async function workOf(server: Server): Promise<Work> {
  return work.parse(await ask(server, 'work'))
}

/** Until it is asked for its work. */
export const watchStops = (server: Server) => ask(server, 'watch')

/** @param aheadMs - Of the real time. */
export const setClock = (server: Server, aheadMs: number) => ask(server, aheadMs)

/** Runs a command to its end. @throws Unfit where that is none that it should have. */
export async function workOfCommand(recipe: Recipe, cores: Cores | undefined): Promise<Work> {
  const { args, cwd, env, name } = telling(recipe)
  const { PATH = '' } = process.env
  const [command, ...rest] = pinned(args, cores)
  const child = spawn(command, rest, {
    cwd,
    env: { PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let output = ''
  const keep = (chunk: Buffer) => {
    output += chunk
  }
  child.stdout?.on('data', keep)
  child.stderr?.on('data', keep)
  const told: unknown[] = []
  child.on('message', (message) => told.push(message))
  const [code]: unknown[] = await once(child, 'close')
  if (code !== 0) throw new Unfit(`${name} ended with ${code}: ${output}`)
  return work.parse(told[0])
}
