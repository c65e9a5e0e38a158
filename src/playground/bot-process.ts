// The real bot in a process of its own, started the way `npm start` starts it.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export interface BotProcess {
  readonly child: ChildProcess
  /** Where it listens. */
  readonly url: string
  /** All it has printed so far. */
  output(): string
  /** Ends it as an operator would; resolves to its exit code. */
  stop(): Promise<number | null>
}

const main = fileURLToPath(new URL('../main.ts', import.meta.url))

/** @param env - Its whole environment. @throws Error with what it printed, when it ends before it is up. */
export async function startBotProcess(env: Readonly<Record<string, string>>): Promise<BotProcess> {
  const child = spawn(process.execPath, [main], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(child, 'exit')
  let printed = ''
  const port = await new Promise<number>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      printed += chunk
      const up = /"port":(\d+)[^\n]*Bellhop is up/.exec(printed)
      if (up) resolve(Number(up[1]))
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    void ended.then(() => reject(new Error(`the bot ended before it was up:\n${printed}`)))
  })
  return {
    child,
    url: `http://127.0.0.1:${port}`,
    output: () => printed,
    async stop() {
      child.kill('SIGTERM')
      await ended
      return child.exitCode
    },
  }
}
