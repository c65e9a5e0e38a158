// A world to be attacked: the stand-ins in this process, the bot as it ships in another, and one recorded request of
// every kind that Slack sends. Nothing that the bot does comes back to it as an event.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BotProcess, startBotProcess } from '../../playground/bot-process.ts'
import { botSettings, unfurlDomains } from '../../playground/bot-settings.ts'
import { connect } from '../../playground/connect.ts'
import { startMonitor } from '../../playground/monitor/start-monitor.ts'
import { readManifest } from '../../playground/server/manifest.ts'
import { type Json, record } from '../../playground/slack/model/json.ts'
import { startSlack } from '../../playground/slack/simulator.ts'
import { heapOptions } from '../heap.ts'
import { openSink } from '../sink.ts'

export const token = 'hostile-token-9b21e4'
export const ks = '5HkX'

export type HostileWorld = Awaited<ReturnType<typeof openHostileWorld>>

/** Starts all of it, with Alice connected. */
export async function openHostileWorld(env: Readonly<Record<string, string>> = {}) {
  const { botScopes, botEvents } = readManifest()
  // Ten thousand requests within seconds are more than Slack would take answers to.
  const slack = await startSlack({ botScopes, botEvents, unfurlDomains, keepsLimits: false })
  const service = await startMonitor()
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-hostile-'))
  const settings = {
    ...botSettings({ slack, service, folder, isSocket: false }),
    // It would stand before what is attacked.
    RATE_PER_MINUTE: '0',
    LOG_LEVEL: 'debug',
    ...heapOptions,
    ...env,
  }
  const bot: BotProcess = await startBotProcess(settings)
  const alice = slack.addPerson({ name: 'alice', email: 'alice@example.com' })
  const bob = slack.addPerson({ name: 'bob', email: 'bob@example.com' })
  const general = slack.addChannel({ name: 'general', members: [alice, bob], botIsMember: true })
  service.addUser({ email: 'alice@example.com', id: 7, name: 'Alice Archer' })
  service.addToken({
    token,
    name: 'alice',
    userId: 7,
    flags: ['API', 'READ', 'CONTAINER_ACCESS', 'ALERT_ASSIGN', 'ALERT_CHANGE'],
  })
  service.addContainer(12)
  service.addMember(12, { email: 'alice@example.com', member: true })
  service.addUser({ email: 'dave@example.com' })
  service.addAlert({
    ks,
    message: 'Disk full',
    severity: 2,
    timestamp: 1_700_000_000,
    assetId: 34,
    containerId: 12,
  })
  for (const twin of ['twin', 'other']) {
    service.addAlert({ ks: twin, message: 'Fan slow', timestamp: 1_700_000_050, assetId: 34 })
  }
  service.addAlert({ ks: '7Abc', message: 'Link down', severity: 3, timestamp: 1_700_000_100 })
  const requestUrl = `${bot.url}/slack/events`
  slack.deliverTo(requestUrl)
  await connect(alice, token, slack)
  const nobody = await openSink()
  const elsewhere = await openSink()

  return {
    slack,
    service,
    bot,
    requestUrl,
    alice,
    bob,
    general,
    /** An address that is not Slack's. */
    elsewhere,
    /** As it comes from somebody who does the same again. */
    renewed(payload: Json): Json {
      const { workspace } = slack
      const from = {
        kind: 'command',
        channelId: general.id,
        userId: alice.id,
        messageTs: undefined,
      } as const
      const origin = new URL(slack.apiUrl).origin
      const fresh: Json = {
        trigger_id: workspace.triggers.issue(alice.id, { channelId: general.id }),
        response_url: origin + workspace.responseUrls.issue(from).path,
        event: { ...record(payload.event), ts: workspace.stamps.ts() },
      }
      return Object.fromEntries(
        Object.entries(payload).map(([name, value]) => [name, fresh[name] ?? value]),
      )
    },
    /** What people do reaches the bot, or it does not. */
    deliver: (reaches: boolean) => slack.deliverTo(reaches ? requestUrl : nobody.url),
    /** What the stand-in keeps for tests to look at; it looks through all of it at every message. */
    forget(): void {
      slack.workspace.messages.length = 0
      slack.workspace.calls.length = 0
      slack.workspace.deliveries.length = 0
    },
    async stop(): Promise<void> {
      await bot.stop()
      await Promise.all([slack.stop(), service.stop()])
      nobody.stop()
      elsewhere.stop()
      rmSync(folder, { recursive: true, force: true })
    },
    /**
     * Lines of the log, parsed. What is no line of the log fails the test.
     * @param from - So much of what the bot has printed is left out.
     */
    log(from = 0): readonly {
      readonly level: string
      readonly msg: string
      readonly request?: string
      readonly err?: { readonly message: string }
    }[] {
      return bot
        .output()
        .slice(from)
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
    },
  }
}
