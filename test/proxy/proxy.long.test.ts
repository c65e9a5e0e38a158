// Behind a firewall: the real process reaches Slack, the service and the socket through HTTPS_PROXY alone.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startBotProcess } from '../../playground/bot-process.ts'
import { startMonitor } from '../../playground/monitor/start-monitor.ts'
import { readManifest } from '../../playground/server/manifest.ts'
import { startSlack } from '../../playground/slack/simulator.ts'
import { runDoctor } from '../doctor/run-doctor.ts'
import { certificatePath, startProxy } from './start-proxy.ts'

const token = 'alice-token-4f1c9a'

async function openFirewalledWorld() {
  const { requiredScopes, botEvents } = readManifest()
  const slack = await startSlack({
    botScopes: requiredScopes,
    botEvents,
    origin: 'https://slack.test',
  })
  const service = await startMonitor()
  const proxy = await startProxy({
    'slack.test': new URL(slack.apiUrl).origin,
    'monitor.test': service.url,
  })
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-test-'))
  onTestFinished(async () => {
    await Promise.all([slack.stop(), service.stop(), proxy.stop()])
    rmSync(folder, { recursive: true, force: true })
  })
  const alice = slack.addPerson({ name: 'alice', email: 'alice@example.com' })
  const general = slack.addChannel({ name: 'general', botIsMember: true })
  service.addToken({ token, name: 'alice', flags: ['API', 'READ', 'CONTAINER_ACCESS'] })
  service.addAlert({ ks: '5HkX', message: 'Disk full', severity: 2, timestamp: 1_700_000_000 })
  service.addContainer(12)
  service.addUser({ email: 'dave@example.com' })
  const env: Readonly<Record<string, string>> = {
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_APP_TOKEN: slack.appToken,
    SLACK_API_URL: 'https://slack.test/api',
    MONITOR_API_URL: 'https://monitor.test',
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    DATABASE_URL: `file:${join(folder, 'bellhop.db')}`,
    HOST: '127.0.0.1',
    PORT: '0',
    NODE_EXTRA_CA_CERTS: certificatePath,
  }
  return { slack, service, proxy, alice, general, env }
}

describe('behind a firewall that lets nothing out but by HTTPS_PROXY', () => {
  it('commands, cards and grants work, by socket', async () => {
    const { slack, proxy, alice, general, env } = await openFirewalledWorld()
    const bot = await startBotProcess({ ...env, HTTPS_PROXY: proxy.url })
    onTestFinished(() => void bot.child.kill('SIGKILL'))
    await slack.socket.connected()

    await alice.types('/alert connect', general)
    await alice.seesModal('Connect account')
    await alice.submits({ fields: { 'API token': token } })
    await slack.workspace.changes.until(
      () => alice.modal?.plain.includes('Connected') || undefined,
      5_000,
      () => `not connected: ${alice.modal?.plain}`,
    )
    await alice.closes()
    await alice.types('/alert 5HkX', general)
    await alice.sees('Disk full', general)
    await alice.types('/grant 12 dave@example.com viewer', general)
    await alice.sees('Granted', general)

    expect(new Set(proxy.tunnels)).toEqual(new Set(['slack.test:443', 'monitor.test:443']))
    expect(bot.output()).not.toContain('sesame')
    expect(await bot.stop()).toBe(0)
  })

  it('doctor says when the proxy refuses, and shows no password', async () => {
    const { proxy, env } = await openFirewalledWorld()

    const HTTPS_PROXY = proxy.url.replace('sesame', 'barley')
    const { exitCode, printed } = await runDoctor({ ...env, HTTPS_PROXY })

    expect(exitCode).toBe(1)
    expect(printed).toMatch(/Bellhop can’t reach it .*\n.*HTTPS_PROXY/)
    expect(printed).not.toContain('barley')
  })

  it('NO_PROXY names the hosts that are reached without it', async () => {
    const { slack, service, proxy, env } = await openFirewalledWorld()
    const bot = await startBotProcess({
      ...env,
      https_proxy: proxy.url,
      no_proxy: 'example.com,.monitor.test',
      MONITOR_API_URL: service.url,
    })
    onTestFinished(() => void bot.child.kill('SIGKILL'))
    await slack.socket.connected()

    expect(new Set(proxy.tunnels)).toEqual(new Set(['slack.test:443']))
  })
})
