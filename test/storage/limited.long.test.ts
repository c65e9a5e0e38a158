// A disk that takes no more, and a limit on the size of files: the real bot under `ulimit -f` and
// `prlimit`, so that no disk has to be full.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openStorage } from '../../src/storage/storage.ts'
import { openProcessWorld } from '../playground-world.ts'

/** Of the system, for `ulimit -f` of a shell that keeps to POSIX. */
const blockBytes = 512
/** The index of SQLite's log takes 32 KiB when the file is opened. */
const lessThanAnIndex = 20 * 1024

/** A program of Bellhop that can make no file larger than this. */
function startLimited(env: Readonly<Record<string, string>>, bytes: number) {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
  const limited = `ulimit -f ${bytes / blockBytes} && exec "$0" "$@"`
  const child = spawn('sh', ['-c', limited, process.execPath, 'src/start.js'], {
    env: { PATH, NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/** A world whose database is made already. */
async function openMadeWorld() {
  const world = await openProcessWorld()
  await (await openStorage({ url: String(world.env.DATABASE_URL), now: Date.now })).close()
  return world
}

/** All it prints, when it ends by itself. */
async function printedBy(child: ReturnType<typeof startLimited>): Promise<string> {
  const [out, errors] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return out + errors
}

it.each([
  ['on a database that is there', openMadeWorld, lessThanAnIndex],
  ['for what a new one writes', openProcessWorld, 64 * 1024],
])('a start without room %s says so, and what to do', async (_, openIt, bytes) => {
  const { env } = await openIt()

  const printed = await printedBy(startLimited(env, bytes))

  expect(printed).toMatch(/DATABASE_URL: \S+ can’t grow: the disk is full, or a quota/)
  expect(printed).not.toMatch(/^\s+at /m)
})

describe.skipIf(!existsSync('/usr/bin/prlimit'))('a write that the system refuses', () => {
  /** A bot that can write to no file from some moment on; somebody asks it for something then. */
  async function openRefused() {
    const world = await openProcessWorld()
    const { alice, general } = world
    const bot = await world.start()
    await world.connect()
    const limit = (bytes: string) =>
      execFileSync('prlimit', [`--pid=${bot.child.pid}`, `--fsize=${bytes}:`])
    limit('0')
    await alice.types('/grant 12 dave@example.com viewer', general)
    await bot.prints(/Bellhop can’t write to the database[^\n]*\n/)
    return {
      world,
      bot,
      lift: () => limit('unlimited'),
      answerOf: async (path: string) => (await fetch(`${bot.url}${path}`)).text(),
    }
  }

  it('is told in /readyz, in figures and in the log, once, beside a line of what somebody asked', async () => {
    const { world, bot, answerOf } = await openRefused()

    expect(await answerOf('/readyz')).toContain(
      'storage: the disk is full, or the system refuses to write',
    )
    expect(await answerOf('/metrics')).toMatch(/^bellhop_storage_unwritable 1$/m)
    await world.alice.types('/alert 5HkX', world.general)
    const [line] = await bot.prints(/^\{[^\n]*"msg":"a request failed"[^\n]*$/m)
    const { level, request, err } = JSON.parse(line)
    expect([level, request, err.message]).toEqual(['error', expect.any(String), 'disk I/O error'])
    expect(err).not.toHaveProperty('stack')
    expect(bot.output().match(/Bellhop can’t write to the database/g)).toHaveLength(1)
  })
})
