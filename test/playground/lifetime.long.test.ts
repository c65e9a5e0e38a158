// The playground as a process: how it is started, and that nothing of it stays.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it, onTestFinished } from 'vitest'

const start = ['--disable-warning=ExperimentalWarning', 'playground/start.ts']

/** Starts it as `npm run playground` does; its temporary files are in a folder of their own. */
async function startIt(...options: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-test-'))
  const env = { ...process.env, TMPDIR: folder }
  const child = spawn(process.execPath, [...start, ...options], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  const [printed] = await once(child.stdout, 'data')
  const [url = ''] = /http:\/\/\S+?(?=[ ,])/.exec(String(printed)) ?? []
  const bot = Number(readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8'))
  return { child, printed: String(printed), url, bot, left: () => readdirSync(folder) }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function leavesNothing(
  { child, bot, left }: Awaited<ReturnType<typeof startIt>>,
  signal: NodeJS.Signals,
): Promise<void> {
  expect(left(), `before ${signal}`).not.toEqual([])
  child.kill(signal)
  await once(child, 'exit')
  expect(isAlive(bot), signal).toBe(false)
  expect(left().filter((name) => name.startsWith('bellhop-playground'))).toEqual([])
}

// The system is asked for the bot’s process.
describe.runIf(existsSync('/proc/self/task'))('the playground', () => {
  it('says where it is and what to type, takes another port when its own is taken, and leaves nothing behind', async () => {
    const first = await startIt('--port', '0')
    const { port } = new URL(first.url)
    const other = await startIt('--port', port)

    expect(first.printed).toMatch(
      /Open http:\/\/127\.0\.0\.1:\d+ in a browser, and type \/alert disk-full there/,
    )
    expect(other.printed).toContain(`(port ${port} is taken)`)
    expect((await fetch(other.url)).status).toBe(200)

    await leavesNothing(first, 'SIGINT')
    await leavesNothing(other, 'SIGTERM')
  })

  it('leaves no bot behind when it is killed', async () => {
    const { child, bot } = await startIt('--port', '0')
    expect(isAlive(bot)).toBe(true)

    child.kill('SIGKILL')

    await expect.poll(() => isAlive(bot), { timeout: 30_000 }).toBe(false)
  })

  it.each(['--port=abc', '--port=0x10', '--port=70000', '--prot=1'])(
    'explains itself after %s',
    async (option) => {
      const failed = await promisify(execFile)(process.execPath, [...start, option]).catch(
        (error: unknown) => error,
      )

      expect(failed).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('npm run playground'),
      })
    },
  )
})
