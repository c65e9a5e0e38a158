// One test's world in one line: the real bot over real HTTP, a strict stand-in Slack, a stand-in service, a SQLite file.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import { type MonitorService, startMonitor } from '../playground/monitor/start-monitor.ts'
import { readManifest } from '../playground/server/manifest.ts'
import { record } from '../playground/slack/model/json.ts'
import type { Channel } from '../playground/slack/model/model.ts'
import type { SlackOptions } from '../playground/slack/options.ts'
import type { Person } from '../playground/slack/person/person.ts'
import { type Slack, startSlack } from '../playground/slack/simulator.ts'
import type { Order } from '../playground/slack/wire/trouble.ts'
import { type Bellhop, createBellhop } from '../src/app.ts'
import { parseConfig, parseKept } from '../src/config/config.ts'
import { unfurlDomainOf } from '../src/config/installed.ts'
import { type Flag, flags } from '../src/grant/flags.ts'
import type { BodyBudget } from '../src/http/read-body.ts'
import { forgetKey } from '../src/keys/key-checks.ts'
import type { LogLevel } from '../src/log/log.ts'
import type { TogetherOptions } from '../src/slack/gate/count-together.ts'
import { openStorage } from '../src/storage/storage.ts'
import { fillManifest } from '../src/web/manifest/manifest.ts'
import { type Clock, startClock } from './clock.ts'
import { connectOnPage } from './connect-on-page.ts'
import { keepLog } from './keep-log.ts'

const manifestYml = readFileSync(new URL('../manifest.yml', import.meta.url), 'utf8')

export const alertUrl = 'https://monitor.example.com/alert/{ks}'

export interface World {
  readonly slack: Slack
  readonly service: MonitorService
  readonly clock: Clock
  readonly env: Readonly<Record<string, string>>
  /** The bot is a member of #general and not of the private #ops. */
  readonly general: Channel
  readonly ops: Channel
  /** May do everything at the service, and is connected. */
  readonly alice: Person
  /** Has a token with API and READ, and is not connected. */
  readonly bob: Person
  readonly bellhop: Bellhop
  /** How long the bot was asked to wait by others, and waited, in milliseconds. */
  readonly waits: readonly number[]
  /** Every line the bot has logged. */
  readonly log: readonly string[]
  /** Where the bot listens. */
  readonly url: string
  /** Connects somebody: through the modal, or on the page where there is one. */
  connect(person: Person, token: string): Promise<void>
  /** Another bot on the same database; Slack's requests go to `url` still. */
  startAnother(): Promise<{ readonly url: string; readonly bellhop: Bellhop }>
  /** Stops the bot and starts it again on the same database. */
  restart(env?: Readonly<Record<string, string>>): Promise<void>
  /** Goes on without a key, as `npm run rotate-keys -- --forget` does. */
  forgetKey(keyId: string, ENCRYPTION_KEYS: string): Promise<void>
  /** Resolves once the service was asked for this path so many times. */
  serviceWasAsked(path: string, times: number): Promise<void>
  /** The bytes of the database, journal included. */
  databaseBytes(): Buffer
  /** What Slack refused is looked at by the test itself. */
  expectRefusals(): void
}

export interface WorldOptions {
  readonly slack?: Omit<SlackOptions, 'clock' | 'signingClock'>
  readonly transport?: 'http' | 'socket'
  readonly env?: Readonly<Record<string, string>>
  /** Time budget of one call to the service, in real milliseconds. */
  readonly budgetMs?: number
  readonly isAliceConnected?: boolean
  /** In place of the bot's own pauses, which are cut to moments. */
  readonly wait?: (ms: number) => Promise<void>
  /** Work under way at which others are sent away. */
  readonly mostWork?: number
  /** For bodies that are not verified yet. */
  readonly bodies?: BodyBudget
  /** To the bot. */
  readonly mostConnections?: number
  /** In place of the bot's own way to its database. */
  readonly open?: typeof openStorage
  /** Of the log. Default: debug. */
  readonly level?: LogLevel
  /** To the bots: when they know of each other. */
  readonly sharingOptions?: TogetherOptions
  /** To the bot: before it asks again about its token. */
  readonly tokenPause?: (ms: number) => Promise<void>
}

export const aliceToken = 'alice-token-4f1c9a'
export const bobToken = 'bob-token-77d20e'

export async function openWorld(options: WorldOptions = {}): Promise<World> {
  const clock = startClock()
  const slack = await startSlack({
    ...appAsInstalled(options.env),
    ...options.slack,
    clock: clock.now,
    signingClock: clock.now,
  })
  const service = await startMonitor({ clock: clock.now })
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-test-'))
  const transport: Record<string, string> =
    options.transport === 'socket'
      ? { SLACK_APP_TOKEN: slack.appToken }
      : { SLACK_SIGNING_SECRET: slack.signingSecret }
  const env: Readonly<Record<string, string>> = {
    SLACK_BOT_TOKEN: slack.botToken,
    ...transport,
    SLACK_API_URL: slack.apiUrl,
    MONITOR_API_URL: service.url,
    MONITOR_ALERT_URL: alertUrl,
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    DATABASE_URL: `file:${join(folder, 'bellhop.db')}`,
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'debug',
    ...options.env,
  }
  const { log, lines } = keepLog(options.level)
  const waits: number[] = []

  async function startBot(settings: Record<string, string>) {
    const config = parseConfig(settings)
    const storage = await (options.open ?? openStorage)({ url: config.databaseUrl, now: clock.now, log })
    const bellhop = createBellhop({
      // PORT 0 asks the system for a free port; the configuration only knows real ones.
      config: { ...config, port: 0 },
      storage,
      log,
      now: clock.now,
      // What the bot waits for in minutes, a test waits for in moments.
      wait: (ms) => {
        waits.push(ms)
        return options.wait?.(ms) ?? delay(Math.min(ms, 10))
      },
      onRefused: (error) => lines.push(error.message),
      mostWork: options.mostWork,
      bodies: options.bodies,
      mostConnections: options.mostConnections,
      watchOptions: { tickMs: 10, monotonic: clock.now },
      sharingOptions: options.sharingOptions,
      tokenPause: options.tokenPause,
      monitorOptions: { budgetMs: options.budgetMs ?? 2000, retryDelayMs: 5 },
    })
    const port = await bellhop.start().catch(async (error: unknown) => {
      await storage.close()
      throw error
    })
    return {
      bellhop,
      url: `http://127.0.0.1:${port}`,
      async stop() {
        await bellhop.stop(5000)
        await storage.close()
      },
    }
  }

  type Bot = Awaited<ReturnType<typeof startBot>>
  let bot: Bot = await startBot({ ...env, PORT: '3000' })
  const others: Bot[] = []
  let refusalsExpected = false

  function aim(): void {
    if (options.transport !== 'socket') slack.deliverTo(`${bot.url}/slack/events`)
  }

  onTestFinished(async () => {
    await slack.idle()
    await Promise.all([bot, ...others].map((one) => one.stop()))
    await Promise.all([slack.stop(), service.stop()])
    rmSync(folder, { recursive: true, force: true })
    if (!refusalsExpected) expect(refused(slack)).toEqual([])
    const secrets = [aliceToken, bobToken, slack.botToken, slack.appToken, slack.signingSecret]
    expect(lines.filter((line) => secrets.some((secret) => line.includes(secret)))).toEqual([])
  })

  aim()
  const alice = slack.addPerson({ name: 'alice', realName: 'Alice Archer', email: 'alice@example.com' })
  const bob = slack.addPerson({ name: 'bob', realName: 'Bob Baker', email: 'bob@example.com' })
  const general = slack.addChannel({ name: 'general', members: [alice, bob], botIsMember: true })
  const ops = slack.addChannel({ name: 'ops', members: [alice, bob], isPrivate: true })
  service.addToken({ token: aliceToken, name: 'alice', flags: [...flags] })
  service.addToken({ token: bobToken, name: 'bob', flags: ['API', 'READ'] satisfies Flag[] })
  service.addContainer(12)
  for (const email of ['alice@example.com', 'bob@example.com', 'dave@example.com']) service.addUser({ email })

  const world: World = {
    slack,
    service,
    clock,
    env,
    general,
    ops,
    alice,
    bob,
    log: lines,
    waits,
    get bellhop() {
      return bot.bellhop
    },
    get url() {
      return bot.url
    },
    async connect(person, token) {
      if (env.PUBLIC_URL) {
        const at = { channel: general, slack, publicUrl: env.PUBLIC_URL, url: bot.url }
        return connectOnPage(person, token, at)
      }
      await person.types('/alert connect', general)
      await person.seesModal('Connect account')
      await person.submits({ fields: { 'API token': token } })
      await slack.workspace.changes.until(
        () => person.modal?.plain.includes('Connected') || undefined,
        5000,
        () => `${person.name} is not connected: ${person.modal?.plain}`,
      )
      await person.closes()
    },
    async startAnother() {
      const other = await startBot({ ...env, PORT: '3000' })
      others.push(other)
      return other
    },
    async restart(changes = {}) {
      await bot.stop()
      bot = await startBot({ ...env, PORT: '3000', ...changes })
      aim()
    },
    async forgetKey(keyId, ENCRYPTION_KEYS) {
      const { databaseUrl, encryptionKeys } = parseKept({ ...env, ENCRYPTION_KEYS })
      const storage = await openStorage({ url: databaseUrl, now: clock.now })
      await forgetKey(storage.keyChecks, encryptionKeys, keyId)
      await storage.close()
    },
    serviceWasAsked: (path, times) =>
      new Promise((resolve) => {
        const isEnough = () => service.requests.filter((one) => one.path === path).length >= times
        if (isEnough()) return resolve()
        const stop = service.onChange(() => {
          if (!isEnough()) return
          stop()
          resolve()
        })
      }),
    databaseBytes: () => Buffer.concat(readdirSync(folder).map((name) => readFileSync(join(folder, name)))),
    expectRefusals() {
      refusalsExpected = true
    },
  }
  if (options.transport === 'socket')
    await slack.workspace.changes.until(
      () => slack.socket.isConnected || undefined,
      5000,
      () => 'the bot did not connect',
    )
  if (options.isAliceConnected ?? true) await world.connect(alice, aliceToken)
  return world
}

/** Slack says of the bot token what it says once the app was taken out. */
export function refuseToken({ slack, expectRefusals }: World): Order {
  expectRefusals()
  return slack.trouble.fail('auth.test', { error: 'account_inactive' }, { times: Number.POSITIVE_INFINITY })
}

/** Scopes and events of the manifest as `npm run manifest` prints it; the optional scopes were granted too. */
function appAsInstalled(env: WorldOptions['env']): SlackOptions {
  const unfurlDomain = unfurlDomainOf({
    monitor: { alertUrl: env?.MONITOR_ALERT_URL ?? alertUrl },
    unfurls: true,
  })
  const filled = fillManifest(manifestYml, { reach: { kind: 'socket' }, unfurlDomain })
  const { botScopes, botEvents, unfurlDomains } = readManifest(filled)
  return { botScopes, botEvents, unfurlDomains }
}

/** What Slack found wrong with what the bot sent or answered; refusals for want of membership are ordinary. */
function refused(slack: Slack): string[] {
  // And most addresses belong to nobody in the workspace.
  const ordinary = new Set(['channel_not_found', 'not_in_channel', 'users_not_found'])
  const calls = slack.calls
    .filter(({ answer }) => answer.ok === false && !ordinary.has(String(answer.error)))
    .map(({ method, answer }) => `${method}: ${JSON.stringify(answer)}`)
  const deliveries = slack.deliveries
    // What the bot itself has written is told to it as well, also while it starts.
    .filter(({ payload }) => record(payload.event).bot_id === undefined)
    .filter(({ outcome, problems }) => outcome !== 'acked' || problems.length > 0)
    .map(({ kind, outcome, problems }) => `${kind}: ${outcome} ${problems.join('; ')}`)
  return [...calls, ...deliveries]
}
