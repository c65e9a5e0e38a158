// The real bot in a process of its own, started the way `npm start` starts it.
import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Clock } from './server/clock.ts'

export interface BotProcess {
  readonly child: ChildProcess
  /** Where it listens. */
  readonly url: string
  /** All it has printed so far. */
  output(): string
  /** Resolves once it has printed this; rejects when it ends before. */
  prints(pattern: RegExp): Promise<RegExpExecArray>
  /** Resolves to its exit code, or null when a signal ended it. */
  readonly ended: Promise<number | null>
  /** Ends it as an operator would; resolves to its exit code. */
  stop(): Promise<number | null>
}

const entry = fileURLToPath(new URL('../src/start.js', import.meta.url))

/**
 * Ends it also when its starter is killed: the channel between them breaks then. Its clock is ahead by so much, and by what
 * comes through the channel; Bellhop and its vendors read it by `Date.now` alone.
 */
const preload = (aheadMs: number) =>
  `data:text/javascript,${encodeURIComponent(
    `const { now } = Date
let aheadMs = ${aheadMs}
Date.now = () => now() + aheadMs
process.on('message', (message) => { aheadMs = message.aheadMs ?? aheadMs })
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'))
process.channel.unref()`,
  )}`

/**
 * @param env - Its whole environment.
 * @param from - What starts it; the sources when not given.
 * @param clock - What it goes by; the real one when not given.
 * @throws Error with what it printed, when it ends before it is up.
 */
export function startBotProcess(
  env: Readonly<Record<string, string>>,
  from: string = entry,
  clock?: Clock,
): Promise<BotProcess> {
  // Where compiled modules are kept, it starts in half the time.
  const { PATH = '', NODE_COMPILE_CACHE } = process.env
  const child = spawn(process.execPath, ['--import', preload(clock?.aheadMs() ?? 0), from], {
    env: { PATH, ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }), ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  const stopMoving = clock?.onMove(
    () => child.connected && child.send({ aheadMs: clock.aheadMs() }),
  )
  child.once('close', () => stopMoving?.())
  return readBotProcess(child)
}

/** Waits until the bot that a process runs is up. @throws Error with what it printed, when it ends before. */
export async function readBotProcess(child: ChildProcess): Promise<BotProcess> {
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  // Whatever ends this process, a closed pipe for instance, must not leave the bot behind.
  const endChild = () => void child.kill('SIGKILL')
  process.once('exit', endChild)
  void ended.then(() => process.off('exit', endChild))
  let printed = ''
  const readers = new Set<() => void>()
  const read = (chunk: Buffer) => {
    printed += chunk
    for (const look of readers) look()
  }
  child.stdout?.on('data', read)
  child.stderr?.on('data', read)

  function prints(pattern: RegExp): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const match = pattern.exec(printed)
        if (match === null) return
        // It prints on for as long as it lives.
        readers.delete(look)
        resolve(match)
      }
      readers.add(look)
      look()
      void ended.then(() =>
        reject(new Error(`the bot ended before it printed ${pattern}:\n${printed}`)),
      )
    })
  }

  const [, port] = await prints(/"port":(\d+)[^\n]*Bellhop is up/)
  return {
    child,
    url: `http://127.0.0.1:${port}`,
    output: () => printed,
    prints,
    ended,
    stop() {
      child.kill('SIGTERM')
      return ended
    },
  }
}
