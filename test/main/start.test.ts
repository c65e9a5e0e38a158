import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { openProcessWorld } from '../playground-world.ts'

function runMain(env: Readonly<Record<string, string>>) {
  const { status, stderr, stdout } = spawnSync(process.execPath, ['src/start.js'], {
    env: { PATH: process.env.PATH, ...env },
    encoding: 'utf8',
  })
  return { status, printed: stdout + stderr }
}

describe('npm start', () => {
  it('without settings names every one that is missing and how to mend it, and exits with 1', () => {
    const { status, printed } = runMain({})

    expect(status).toBe(1)
    for (const name of ['SLACK_BOT_TOKEN', 'SLACK_SIGNING_SECRET', 'MONITOR_API_URL', 'ENCRYPTION_KEYS']) {
      expect(printed).toContain(name)
    }
    expect(printed).toContain('npm run keygen')
    expect(printed).not.toMatch(/^\s+at /m)
  })

  it('says that the port is in use', async () => {
    const world = await openProcessWorld()
    const taken = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void taken.close())
    await new Promise((resolve) => taken.once('listening', resolve))
    const address = taken.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0

    await expect(world.start({ PORT: String(port) })).rejects.toThrow(`PORT: ${port} is in use`)
  })

  it('says why it cannot start in its last line, whoever keeps both its outputs together', async () => {
    const { env } = await openProcessWorld()
    const folder = mkdtempSync(join(tmpdir(), 'bellhop-start-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const kept = openSync(join(folder, 'log'), 'a')
    const DATABASE_URL = `file:${join(folder, 'log', 'bellhop.db')}`

    const { status } = spawnSync(process.execPath, ['src/start.js'], {
      env: { PATH: process.env.PATH, ...env, DATABASE_URL },
      stdio: ['ignore', kept, kept],
    })
    closeSync(kept)

    expect(status).toBe(1)
    const lines = readFileSync(join(folder, 'log'), 'utf8').trimEnd().split('\n')
    expect(lines[0]).toContain('Bellhop starts')
    expect(lines.at(-1)).toContain('DATABASE_URL')
  })

  it('serves the probes, and stops with 0 on SIGTERM', async () => {
    const world = await openProcessWorld()
    const bot = await world.start()

    expect((await fetch(`${bot.url}/healthz`)).status).toBe(200)
    await expect.poll(async () => (await fetch(`${bot.url}/readyz`)).text()).toBe('ok')

    expect(await bot.stop()).toBe(0)
  })

  it('says which version it is, in the first line of its log and at /healthz', async () => {
    const { version } = z
      .object({ version: z.string() })
      .parse(JSON.parse(readFileSync('package.json', 'utf8')))
    const world = await openProcessWorld()
    const bot = await world.start()

    const [first = ''] = bot.output().split('\n')
    expect(JSON.parse(first)).toMatchObject({ version, node: process.versions.node })
    expect(await (await fetch(`${bot.url}/healthz`)).text()).toBe(`ok ${version}`)
  })

  it('ends with 1 and says so when Slack refuses the bot token', async () => {
    const world = await openProcessWorld()
    world.slack.trouble.fail('auth.test', { error: 'invalid_auth' })

    const bot = await world.start()

    expect(await bot.ended).toBe(1)
    expect(bot.output()).toContain('SLACK_BOT_TOKEN: Slack refuses it (invalid_auth)')
  })

  it.each(['org_login_required', 'team_added_to_org', 'accesslimited', 'service_unavailable'])(
    'asks Slack again when it is not the token that Slack refuses (%s)',
    async (error) => {
      const world = await openProcessWorld()
      world.slack.trouble.fail('auth.test', { error })

      const bot = await world.start()

      await expect
        .poll(async () => (await fetch(`${bot.url}/readyz`)).text())
        .toContain('Slack: has not answered yet')
      await expect.poll(async () => (await fetch(`${bot.url}/readyz`)).text(), { timeout: 5_000 }).toBe('ok')
    },
  )

  it.each([
    ['no app-level token of Slack', 'invalid_auth'],
    ['of another kind', 'not_allowed_token_type'],
    ['without the scope', 'missing_scope'],
  ])('ends with 1 and says so when the app token is %s', async (_what, error) => {
    const world = await openProcessWorld()
    world.slack.trouble.fail('apps.connections.open', { error })

    const bot = await world.start({ SLACK_APP_TOKEN: world.slack.appToken })

    expect(await bot.ended).toBe(1)
    expect(bot.output()).toContain(`SLACK_APP_TOKEN: Slack refuses it (${error})`)
    expect(bot.output()).toContain('connections:write')
  })

  it('finishes what is under way before it stops', async () => {
    const world = await openProcessWorld()
    const { alice, general, service } = world
    const bot = await world.start()
    await world.connect()
    service.addAlert({ ks: '5HkX', message: 'Disk full' })
    service.trouble.slow(300)
    await alice.types('/alert 5HkX', general)
    await world.requested('GET', 2)

    const code = await bot.stop()

    expect(code).toBe(0)
    const card = await alice.sees('Disk full', general)
    await alice.sees('No actions on this alert yet', card)
  })

  it('prints no secret at LOG_LEVEL=debug', async () => {
    const world = await openProcessWorld()
    const { alice, general, env } = world
    const bot = await world.start({ LOG_LEVEL: 'debug' })
    await world.connect()
    await alice.types('/alert nothing', general)
    await alice.sees('no such alert', general)
    await bot.stop()

    const secrets = [env.SLACK_BOT_TOKEN, env.SLACK_SIGNING_SECRET, env.ENCRYPTION_KEYS, 'alice-token']
    for (const secret of secrets) expect(bot.output()).not.toContain(secret)
  })
})
