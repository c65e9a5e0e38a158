// A bot in a process of its own, kept on a core of its own.
import { type ChildProcess, spawn } from 'node:child_process'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Cores } from '../cores.ts'
import { Unfit } from '../unfit.ts'

/** How a bot is started. */
export interface Recipe {
  readonly name: string
  /** After `node`. */
  readonly args: readonly string[]
  readonly cwd: string
  /** Besides PATH and PORT, all of it. */
  readonly env: Readonly<Record<string, string>>
}

/** The same bot, with a file of this folder loaded before it. */
export function withLoaded(recipe: Recipe, file: string): Recipe {
  const path = fileURLToPath(new URL(file, import.meta.url))
  return {
    ...recipe,
    args: ['--disable-warning=ExperimentalWarning', '--import', path, ...recipe.args],
  }
}

/** The command that runs Node, kept on the bots' core. */
export function pinned(
  args: readonly string[],
  cores: Cores | undefined,
): readonly [string, ...string[]] {
  const node = [process.execPath, ...args] as const
  return cores === undefined ? node : ['taskset', '-c', String(cores.server), ...node]
}

export interface Server {
  readonly name: string
  readonly child: ChildProcess
  readonly pid: number
  readonly port: number
  /** From spawn to the first 200 of /healthz, in milliseconds. */
  readonly startMs: number
  stop(): Promise<void>
}

const limitMs = 20_000
const keptOutput = 4_000

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new TypeError('no port is free')
  return address.port
}

/** The status of /healthz; undefined while nobody listens. */
function healthOf(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const asking = request(
      { port, host: '127.0.0.1', path: '/healthz', agent: false },
      (response) => {
        response.resume()
        resolve(response.statusCode)
      },
    )
    asking.on('error', () => resolve(undefined))
    asking.end()
  })
}

/**
 * @param onEnd - Told in a sentence when it ends without being asked to.
 * @throws Unfit when it does not come up.
 */
export async function startServer(
  { name, args, cwd, env }: Recipe,
  cores: Cores | undefined,
  onEnd: (sentence: string) => void,
): Promise<Server> {
  const port = await freePort()
  const [command, ...rest] = pinned(args, cores)
  const { PATH = '' } = process.env
  const from = performance.now()
  const child = spawn(command, rest, {
    cwd,
    env: { PATH, PORT: String(port), ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let output = ''
  let isStopping = false
  const keep = (chunk: Buffer) => {
    output = (output + chunk).slice(-keptOutput)
  }
  // Read, so that it never waits for its log, and dropped.
  child.stdout?.on('data', keep)
  child.stderr?.on('data', keep)
  const endChild = () => void child.kill('SIGKILL')
  process.once('exit', endChild)
  let hasEnded = false
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => {
      hasEnded = true
      process.off('exit', endChild)
      if (!isStopping) onEnd(`${name} has ended: ${output}`)
      resolve()
    })
  })

  async function stop(): Promise<void> {
    isStopping = true
    child.kill('SIGTERM')
    const late = setTimeout(endChild, 10_000)
    await ended
    clearTimeout(late)
  }

  while ((await healthOf(port)) !== 200) {
    if (hasEnded) throw new Unfit(`${name} has ended: ${output}`)
    if (performance.now() - from > limitMs) {
      await stop()
      throw new Unfit(`${name} is not up after ${limitMs / 1000} s: ${output}`)
    }
    await wait(1)
  }
  const startMs = performance.now() - from
  const { pid } = child
  if (pid === undefined) throw new Unfit(`${name} could not be started.`)
  return { name, child, pid, port, startMs, stop }
}
