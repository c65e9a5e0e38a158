// A log that nobody reads, reads slowly, or reads again: the bot goes on, and says how many lines are missing.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { openProcessWorld } from '../playground-world.ts'

/** The writing end of a pipe that is full already, and that nobody reads. */
function openFullPipe(): number {
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-pipe-'))
  const path = join(folder, 'pipe')
  execFileSync('mkfifo', [path])
  const reader = openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
  const writer = openSync(path, constants.O_WRONLY)
  onTestFinished(() => {
    closeSync(reader)
    closeSync(writer)
    rmSync(folder, { recursive: true })
  })
  for (const size of [4096, 1]) {
    try {
      for (;;) writeSync(reader, 'x'.repeat(size))
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error
    }
  }
  return writer
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address !== null ? address.port : 0
}

const said = z.object({ dropped: z.number() })

function startLogging(count: number): ChildProcess {
  const child = spawn(process.execPath, ['test/main/log-child.ts', String(count)], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

async function readLines(child: ChildProcess): Promise<Record<string, unknown>[]> {
  if (child.stdout === null) throw new Error('it has no output')
  const lines: Record<string, unknown>[] = []
  for await (const line of createInterface(child.stdout)) lines.push(JSON.parse(line))
  return lines
}

describe('a log that nobody reads', () => {
  it('holds the bot up in nothing: it answers, and stops when it is asked to', async () => {
    const { env } = await openProcessWorld()
    const port = await freePort()
    const child = spawn(process.execPath, ['src/start.js'], {
      env: { ...env, PATH: process.env.PATH, PORT: String(port) },
      stdio: ['ignore', openFullPipe(), 'ignore'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const ended = once(child, 'exit')
    await expect
      .poll(
        () =>
          new Promise((resolve) => {
            const socket = connect(port, '127.0.0.1')
              .once('connect', () => resolve(true))
              .once('error', () => resolve(false))
            socket.unref()
          }),
        { timeout: 30_000 },
      )
      .toBe(true)

    const ask = async (path: string) =>
      (
        await fetch(`http://127.0.0.1:${port}/${path}`, { signal: AbortSignal.timeout(5_000) })
      ).text()
    expect(await ask('healthz')).toMatch(/^ok/)
    expect(await ask('metrics')).toMatch(/^bellhop_log_lines_dropped_total \d+$/m)
    child.kill('SIGTERM')

    expect(await ended).toEqual([0, null])
  })

  it('loses what there is no room for, and counts it', async () => {
    const child = startLogging(20_000)
    const [told] = await once(child, 'message')
    const { dropped } = said.parse(told)
    expect(dropped).toBeGreaterThan(0)

    child.send('end')

    expect(await readLines(child)).toHaveLength(20_000 - dropped)
  })
})

it('a log whose reader is gone counts each line that is lost', async () => {
  const child = startLogging(1)
  await once(child, 'message')
  const more = async () => {
    child.send('log')
    const [told] = await once(child, 'message')
    return said.parse(told).dropped
  }
  child.stdout?.destroy()

  await expect.poll(more).toBeGreaterThan(0)
  const before = await more()
  expect([await more(), await more()]).toEqual([before + 1, before + 2])
  child.send('end')
  expect(await once(child, 'exit')).toEqual([0, null])
})

it('a log that is read late has every line of a process that ends as it should', async () => {
  const child = startLogging(4_000)
  const ended = once(child, 'exit')
  const [told] = await once(child, 'message')
  child.send('end')

  const lines = await readLines(child)

  expect(lines.map(({ line }) => line)).toEqual(Array.from({ length: 4_000 }, (_, at) => at + 1))
  expect(said.parse(told)).toEqual({ dropped: 0 })
  expect(await ended).toEqual([0, null])
})
