// The bot that `npm run build` makes, away from the packages and from the sources: it has to be all that the bot needs.
import { execFileSync, spawn } from 'node:child_process'
import { cpSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type BotProcess, readBotProcess } from '../../playground/bot-process.ts'
import { asksDoctor } from '../doctor/asking.ts'
import { openProcessWorld } from '../playground-world.ts'
import { startPostgres } from '../postgres.ts'
import { loadedIn, tellLoaded } from './loaded.ts'

const postgres = await startPostgres()
const folder = mkdtempSync(join(tmpdir(), 'bellhop-built-'))
beforeAll(() => {
  for (const path of ['package.json', 'manifest.yml']) cpSync(path, join(folder, path))
  execFileSync(process.execPath, [
    ...['node_modules/rolldown/bin/cli.mjs', '--config'],
    ...['--dir', join(folder, 'dist')],
  ])
}, 300_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const files = () => globSync('**/*', { cwd: folder })

async function openBuiltWorld(options: Parameters<typeof openProcessWorld>[0] = {}) {
  const world = await openProcessWorld(options)
  const { slack, service } = world
  service.addAlert({ ks: '5HkX', message: 'Disk full' })
  return {
    ...world,
    /** From another directory than its own. */
    async start(changes: Readonly<Record<string, string>> = {}): Promise<BotProcess> {
      const child = spawn(process.execPath, [join(folder, 'dist/start.js')], {
        cwd: tmpdir(),
        env: { NODE_OPTIONS: tellLoaded, ...world.env, ...changes },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      onTestFinished(() => void child.kill('SIGKILL'))
      const bot = await readBotProcess(child)
      slack.deliverTo(`${bot.url}/slack/events`)
      return bot
    },
  }
}

type BuiltWorld = Awaited<ReturnType<typeof openBuiltWorld>>

async function looksUp({ alice, general, connect }: BuiltWorld): Promise<void> {
  await connect()
  await alice.types('/alert 5HkX', general)
  const card = await alice.sees('Disk full', general)
  await alice.sees('No actions on this alert yet', card)
}

/** Stops the bot. @returns What it has loaded. */
async function stopped(bot: BotProcess): Promise<readonly string[]> {
  expect(await bot.stop()).toBe(0)
  return loadedIn(bot.output())
}

describe('the built bot', () => {
  it('works without a package, and knows which Bellhop it is', async () => {
    const world = await openBuiltWorld()
    const before = files()
    const bot = await world.start({ NODE_DISABLE_COMPILE_CACHE: '1' })

    await looksUp(world)
    // A container that is read-only but for its data holds it.
    expect(files()).toEqual(before)
    const { plain } = await asksDoctor(world)
    expect(plain).toMatch(/Versions: Bellhop \d+\.\d+\.\d+ on Node/)
    expect(await (await fetch(`${bot.url}/metrics`)).text()).toContain('process_cpu_seconds_total')

    const loaded = await stopped(bot)
    expect(loaded).toContain('parts/app.js')
    for (const name of ['parts/pages.js', 'parts/postgres.js', 'amaro', 'undici/undici'])
      expect(loaded.filter((one) => one.includes(name))).toEqual([])
  })

  it('works on PostgreSQL', async () => {
    const world = await openBuiltWorld({ databaseUrl: await postgres.createDatabase() })
    const bot = await world.start()

    await looksUp(world)

    expect(await stopped(bot)).toContain('parts/postgres.js')
  })

  it('says how to mend a setting, without a stack', async () => {
    const world = await openBuiltWorld()

    const starting = world
      .start({ MONITOR_API_URL: 'nowhere' })
      .catch((error: Error) => error.message)

    expect(await starting).toContain('MONITOR_API_URL: ')
    expect(await starting).not.toMatch(/^\s+at /m)
  })
})
