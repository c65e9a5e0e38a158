// A disk that takes no more, and a limit on the size of files: the real bot under `ulimit -f`, which needs no disk that
// is really full.
import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readBotProcess } from '../../src/playground/bot-process.ts'
import { openProcessWorld } from '../playground-world.ts'

/** Of the system, for `ulimit -f` of a shell that keeps to POSIX. */
const blockBytes = 512
/** The index of SQLite's log takes 32 KiB when the file is opened. */
const lessThanAnIndex = 20 * 1024
/** Enough to open it, and for a few writes. */
const aFewWrites = 200 * 1024

/** A bot that can make no file larger than this. */
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

/** All it prints, when it ends by itself. */
async function printedBy(child: ReturnType<typeof startLimited>): Promise<string> {
  const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  return out + errors
}

describe('a start without room', () => {
  it('on a database that is there says so, and what to do', async () => {
    const world = await openProcessWorld()
    await (await world.start()).stop()

    const printed = await printedBy(startLimited(world.env, lessThanAnIndex))

    expect(printed).toMatch(/DATABASE_URL: \S+ has no room: the disk is full\. Make room and start again\./)
    expect(printed).not.toMatch(/^\s+at /m)
  })

  it('for what a new one writes says what may be the reason, and what to do', async () => {
    const { env } = await openProcessWorld()

    const printed = await printedBy(startLimited(env, 64 * 1024))

    expect(printed).toMatch(/DATABASE_URL: \S+ cannot be written \(SQLite error 778\): .*quota.* start again\./)
    expect(printed).not.toMatch(/^\s+at /m)
  })
})

describe('a write that the system refuses', () => {
  it('is told in /readyz, in figures and in the log once', async () => {
    const world = await openProcessWorld()
    const { alice, general, slack } = world
    await world.start()
    await world.connect()
    // The second bot: the first would keep the log of the database from beginning anew.
    const bot = await readBotProcess(startLimited({ ...world.env, RATE_PER_MINUTE: '0' }, aFewWrites))
    slack.deliverTo(`${bot.url}/slack/events`)
    const ready = async () => (await fetch(`${bot.url}/readyz`)).text()
    await expect.poll(ready).toBe('ok')

    for (let times = 0; times < 60 && !bot.output().includes('nothing can be written'); times += 1) {
      await alice.types('/grant 12 dave@example.com viewer', general)
      await slack.idle()
    }

    expect(await ready()).toContain('storage: the system refuses to write its file')
    expect(await (await fetch(`${bot.url}/metrics`)).text()).toMatch(/^bellhop_storage_unwritable 1$/m)
    const began = bot.output().match(/nothing can be written to the database/g)
    expect(began).toHaveLength(1)
  })
})
