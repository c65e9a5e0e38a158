// What a bench runs against: the stand-ins in this process, the bot as it ships in another, one person connected.
// The stand-in Slack is as strict here as in the tests. What it costs is CPU of this process, never the bot's, and it
// is in the bot's figures only as the time that an answer takes.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BotProcess, startBotProcess } from '../../src/playground/bot-process.ts'
import { botSettings } from '../../src/playground/bot-settings.ts'
import { connect } from '../../src/playground/connect.ts'
import { startMonitor } from '../../src/playground/monitor/start-monitor.ts'
import { readManifest } from '../../src/playground/server/manifest.ts'
import { startSlack } from '../../src/playground/slack/simulator.ts'
import { Unfit } from './unfit.ts'

export type BenchWorld = Awaited<ReturnType<typeof openBenchWorld>>

const token = 'bench-token-0d41b7'

/** Starts the stand-ins; no bot yet. */
export async function openBenchWorld() {
  const { botScopes, botEvents } = readManifest()
  const slack = await startSlack({ botScopes: botScopes, botEvents })
  const service = await startMonitor()
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-bench-'))
  const env = {
    ...botSettings({ slack, service, folder, isSocket: false }),
    LOG_LEVEL: 'info',
    RATE_PER_MINUTE: '0',
  }
  const asker = slack.addPerson({ name: 'alice', email: 'alice@example.com' })
  const channel = slack.addChannel({ name: 'on-call', botIsMember: true })
  service.addToken({ token, name: 'alice', flags: ['API', 'READ'] })
  let bot: BotProcess | undefined

  return {
    slack,
    service,
    asker,
    channel,
    /** Spawns the bot; resolves to it and the milliseconds until /healthz said 200. */
    async start(): Promise<{ readonly bot: BotProcess; readonly startMs: number }> {
      const from = performance.now()
      bot = await startBotProcess(env)
      const { status } = await fetch(`${bot.url}/healthz`)
      const startMs = performance.now() - from
      if (status !== 200) throw new Unfit(`/healthz answered ${status}`)
      slack.deliverTo(`${bot.url}/slack/events`)
      return { bot, startMs }
    },
    /** The asker connects their account, as people do. */
    connect: () => connect(asker, token, slack),
    /**
     * Empties what the stand-in Slack keeps for tests to look at, when nothing is under way. It looks through all of
     * it at every message, and would grow slower from round to round.
     */
    forget(): void {
      slack.workspace.messages.length = 0
      slack.workspace.calls.length = 0
      slack.workspace.deliveries.length = 0
    },
    async stop(): Promise<void> {
      await bot?.stop()
      await Promise.all([slack.stop(), service.stop()])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
