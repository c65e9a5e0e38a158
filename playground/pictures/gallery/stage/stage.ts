// The stage of the gallery's flows: the real bot in this process, both stand-ins, and a clock that stands still.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { createBellhop } from '../../../../src/app.ts'
import { parseConfig } from '../../../../src/config/config.ts'
import { createLog } from '../../../../src/log/log.ts'
import { openStorage } from '../../../../src/storage/storage.ts'
import { type MonitorService, startMonitor } from '../../../monitor/start-monitor.ts'
import { readManifest } from '../../../server/manifest.ts'
import type { Channel } from '../../../slack/model/model.ts'
import type { SlackOptions } from '../../../slack/options.ts'
import type { Person } from '../../../slack/person/person.ts'
import type { SeenModal } from '../../../slack/person/seen.ts'
import { type Slack, startSlack } from '../../../slack/simulator.ts'
import { fillWorkspace } from './fill-workspace.ts'
import { alertUrl, asOf } from './sample.ts'

export interface Stage {
  readonly slack: Slack
  readonly service: MonitorService
  readonly clock: { now(): number; advance(ms: number): void }
  /** May do everything at the service, and is connected. */
  readonly alice: Person
  /** Is not connected; their token `bob-token` may do everything. */
  readonly bob: Person
  /** The bot is a member. */
  readonly onCall: Channel
  /** Private, and the bot is not a member. */
  readonly access: Channel
  /** A defect: the bot's database loses a table. */
  loseTable(name: 'accounts'): void
  /** Stops the bot and starts it again on the same database. */
  /** So many cards are live in the workspace, one of which is live already. */
  fillWithLiveCards(count: number): void
  restart(): Promise<void>
  stop(): Promise<void>
}

export const aliceToken = 'alice-token'
export const bobToken = 'bob-token'

export async function openStage(): Promise<Stage> {
  let milliseconds = asOf * 1000
  const clock = {
    now: () => milliseconds,
    advance(ms: number) {
      milliseconds += ms
    },
  }
  const slack = await startSlack({
    ...appAsInstalled(),
    clock: clock.now,
    signingClock: clock.now,
    // All of a story happens in one second.
    keepsLimits: false,
  })
  const service = await startMonitor({ clock: clock.now })
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-gallery-'))
  const file = join(folder, 'bellhop.db')
  const config = parseConfig({
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_SIGNING_SECRET: slack.signingSecret,
    SLACK_API_URL: slack.apiUrl,
    MONITOR_API_URL: service.url,
    MONITOR_ALERT_URL: alertUrl,
    ENCRYPTION_KEYS: `gallery:${randomBytes(32).toString('base64')}`,
    DATABASE_URL: `file:${file}`,
    HOST: '127.0.0.1',
  })

  async function startBot() {
    const storage = await openStorage({ url: config.databaseUrl, now: clock.now })
    const bellhop = createBellhop({
      // Any free port: the configuration knows real ones only.
      config: { ...config, port: 0 },
      storage,
      log: createLog({ level: 'silent' }),
      now: clock.now,
      wait: (ms) => delay(Math.min(ms, 10)),
      onRefused: () => undefined,
      monitorOptions: { budgetMs: 500, retryDelayMs: 5 },
      watchOptions: { tickMs: 50 },
    })
    slack.deliverTo(`http://127.0.0.1:${await bellhop.start()}/slack/events`)
    return async () => {
      await bellhop.stop(5000)
      await storage.close()
    }
  }

  let stopBot = await startBot()
  const alice = slack.addPerson({ name: 'alice', realName: 'Alice Archer', email: 'alice@example.com' })
  const bob = slack.addPerson({ name: 'bob', realName: 'Bob Baker', email: 'bob@example.com' })
  const onCall = slack.addChannel({ name: 'on-call', botIsMember: true })
  const access = slack.addChannel({ name: 'access', isPrivate: true, members: [alice] })
  for (const token of [aliceToken, bobToken]) {
    service.addToken({ token, name: token, flags: ['API', 'READ', 'CONTAINER_ACCESS'] })
  }
  service.addContainer(12)
  service.addUser({ email: 'dave@example.com' })

  const stage: Stage = {
    ...{ slack, service, clock, alice, bob, onCall, access },
    fillWithLiveCards: (count) => fillWorkspace(file, count),
    loseTable(name) {
      const database = new DatabaseSync(file)
      database.exec(`drop table ${name}`)
      database.close()
    },
    async restart() {
      await stopBot()
      stopBot = await startBot()
    },
    async stop() {
      await slack.idle()
      await stopBot()
      await Promise.all([slack.stop(), service.stop()])
      rmSync(folder, { recursive: true, force: true })
    },
  }
  await alice.types('/alert connect', onCall)
  await alice.seesModal('Connect account')
  await alice.submits({ fields: { 'API token': aliceToken } })
  await modalSaying('Connected.', alice, stage)
  await alice.closes()
  return stage
}

/** What Slack knows of the app, its optional scopes among it. */
function appAsInstalled(): SlackOptions {
  const { botScopes, botEvents } = readManifest()
  return { botScopes, botEvents, unfurlDomains: [new URL(alertUrl).hostname] }
}

/** Waits until the open modal of this person says so. */
export function modalSaying(words: string, person: Person, { slack }: Stage): Promise<SeenModal> {
  return slack.workspace.changes.until(
    () => (person.modal?.plain.includes(words) ? person.modal : undefined),
    5000,
    () => `No modal of ${person.name} says “${words}”, but: ${person.modal?.plain}`,
  )
}
