// A start of the whole process: what it says, what it ends with, and what it waits for.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { openProcessWorld } from '../playground-world.ts'
import { runFile } from '../terminal/run-command.ts'

const { PATH, NODE_COMPILE_CACHE } = process.env

describe('npm start', () => {
  it('says that the port is in use, in its last line, whoever keeps both its outputs together', async () => {
    const { env } = await openProcessWorld()
    const taken = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void taken.close())
    await once(taken, 'listening')
    const address = taken.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const folder = mkdtempSync(join(tmpdir(), 'bellhop-start-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const kept = openSync(join(folder, 'log'), 'a')

    const child = spawn(process.execPath, ['src/start.js'], {
      env: { PATH, NODE_COMPILE_CACHE, ...env, PORT: String(port) },
      stdio: ['ignore', kept, kept],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    closeSync(kept)

    expect(await once(child, 'exit')).toEqual([1, null])
    const lines = readFileSync(join(folder, 'log'), 'utf8').trimEnd().split('\n')
    expect(lines[0]).toContain('Bellhop starts')
    expect(lines.at(-1)).toMatch(
      new RegExp(`PORT: Bellhop can’t listen on .*, port ${port} \\(EADDRINUSE\\)`),
    )
  })

  it('says which version it is, serves the probes, and on SIGTERM finishes what is under way and stops with 0', async () => {
    const { version } = z
      .object({ version: z.string() })
      .parse(JSON.parse(readFileSync('package.json', 'utf8')))
    const world = await openProcessWorld()
    const { alice, general, service } = world
    const bot = await world.start()
    const ask = async (path: string) => (await fetch(`${bot.url}/${path}`)).text()

    const [first = ''] = bot.output().split('\n')
    expect(JSON.parse(first)).toMatchObject({ version, node: process.versions.node })
    expect(await ask('healthz')).toBe(`ok ${version}`)
    await expect.poll(() => ask('readyz')).toBe('ok')

    await world.connect()
    service.addAlert({ ks: '5HkX', message: 'Disk full' })
    service.trouble.slow(300)
    await alice.types('/alert 5HkX', general)
    await world.requested('GET', 2)

    expect(await bot.stop()).toBe(0)
    const card = await alice.sees('Disk full', general)
    await alice.sees('No actions on this alert yet', card)
  })

  it('ends with 1 and says so when Slack refuses the bot token', async () => {
    const world = await openProcessWorld()
    world.slack.trouble.fail('auth.test', { error: 'invalid_auth' })

    const { exitCode, printed, complaint } = await runFile('src/start.js', world.env)

    expect(exitCode).toBe(1)
    expect(complaint).toContain('SLACK_BOT_TOKEN: Slack refuses it (invalid_auth)')
    expect(printed).not.toContain('Bellhop is up')
  })

  it('ends with 1 and says so when Slack refuses the app token', async () => {
    const world = await openProcessWorld()
    world.slack.trouble.fail('apps.connections.open', { error: 'invalid_auth' })

    const bot = await world.start({ SLACK_APP_TOKEN: world.slack.appToken })

    expect(await bot.ended).toBe(1)
    expect(bot.output()).toContain('SLACK_APP_TOKEN: Slack refuses it (invalid_auth)')
  })
})
