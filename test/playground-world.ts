// A world for tests of the whole process: stand-ins here, the real bot started like `npm start` starts it, or in
// `test:full` like the image does.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject, onTestFinished } from 'vitest'
import { type BotProcess, startBotProcess } from '../playground/bot-process.ts'
import { startMonitor } from '../playground/monitor/start-monitor.ts'
import { createClock } from '../playground/server/clock.ts'
import { readManifest } from '../playground/server/manifest.ts'
import { startSlack } from '../playground/slack/simulator.ts'
import { connectInModal } from './connect-account.ts'

export const aliceToken = 'alice-token-4f1c9a'

/** @param options.databaseUrl - A SQLite file of its own when not given. */
export async function openProcessWorld(
  options: {
    readonly databaseUrl?: string
    readonly botScopes?: readonly string[]
    /** Default true. */
    readonly keepsLimits?: boolean
  } = {},
) {
  const { botScopes, keepsLimits = true } = options
  const clock = createClock()
  const { requiredScopes, botEvents } = readManifest()
  const slack = await startSlack({
    botScopes: botScopes ?? requiredScopes,
    botEvents,
    keepsLimits,
    clock: clock.now,
    signingClock: clock.now,
  })
  const service = await startMonitor({ clock: clock.now })
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-test-'))
  const env: Readonly<Record<string, string>> = {
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_SIGNING_SECRET: slack.signingSecret,
    SLACK_API_URL: slack.apiUrl,
    MONITOR_API_URL: service.url,
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    DATABASE_URL: options.databaseUrl ?? `file:${join(folder, 'bellhop.db')}`,
    HOST: '127.0.0.1',
    PORT: '0',
  }
  const bots: BotProcess[] = []
  onTestFinished(async () => {
    for (const { child } of bots)
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
    await Promise.all([slack.stop(), service.stop()])
    rmSync(folder, { recursive: true, force: true })
  })

  const alice = slack.addPerson({ name: 'alice', email: 'alice@example.com' })
  const general = slack.addChannel({ name: 'general', botIsMember: true })
  service.addToken({ token: aliceToken, name: 'alice', flags: ['API', 'READ', 'CONTAINER_ACCESS'] })
  service.addContainer(12)
  service.addUser({ email: 'dave@example.com' })

  return {
    slack,
    service,
    alice,
    general,
    env,
    /** Everybody’s: the stand-ins’ and the bots’. */
    clock,
    /** Starts a bot; Slack's requests go to the newest. */
    async start(changes: Readonly<Record<string, string>> = {}): Promise<BotProcess> {
      const bot = await startBotProcess({ ...env, ...changes }, inject('builtBot'), clock)
      bots.push(bot)
      slack.deliverTo(`${bot.url}/slack/events`)
      return bot
    },
    connect: (person = alice, token = aliceToken) =>
      connectInModal(person, token, { channel: general, slack }),
    /** Resolves once the service has got this many requests of a method. */
    async requested(method: 'GET' | 'POST' | 'PUT', count: number): Promise<void> {
      const enough = () =>
        service.requests.filter((request) => request.method === method).length >= count
      if (enough()) return
      await new Promise<void>((resolve) => {
        const stop = service.onChange(() => {
          if (!enough()) return
          stop()
          resolve()
        })
      })
    },
  }
}
