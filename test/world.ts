// One test's world in one line: the real bot over real HTTP, a strict stand-in Slack, a stand-in service, a SQLite file.
import { randomBytes } from 'node:crypto'
import { setTimeout as delay, setImmediate } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import { type MonitorService, startMonitor } from '../playground/monitor/start-monitor.ts'
import { record } from '../playground/slack/model/json.ts'
import type { Channel } from '../playground/slack/model/model.ts'
import type { SlackOptions } from '../playground/slack/options.ts'
import type { Person } from '../playground/slack/person/person.ts'
import { type Slack, startSlack } from '../playground/slack/simulator.ts'
import type { Order } from '../playground/slack/wire/trouble.ts'
import { createVault } from '../src/account/vault.ts'
import type { Bellhop } from '../src/app.ts'
import { parseKept } from '../src/config/config.ts'
import { type Flag, flags } from '../src/grant/roles.ts'
import { forgetKey } from '../src/keys/key-checks.ts'
import type { LogLevel } from '../src/log/log.ts'
import { openStorage, type Storage } from '../src/storage/storage.ts'
import { readyWords } from '../src/web/server.ts'
import { type Bot, type BotOptions, manifestOf, startBot } from './bot.ts'
import { type Clock, startClock } from './clock.ts'
import { connectInModal, connectOnPage } from './connect-account.ts'
import { makeDatabaseFolder } from './database-folder.ts'
import { keepLog } from './keep-log.ts'

export const alertUrl = 'https://monitor.example.com/alert/{ks}'
/** Of links that name an alert by its place and time, as the service's own do. */
export { alertUrl as placeUrl } from '../playground/monitor/world.ts'

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

export interface WorldOptions extends BotOptions {
  readonly slack?: Omit<SlackOptions, 'clock' | 'signingClock'>
  readonly transport?: 'http' | 'socket'
  readonly env?: Readonly<Record<string, string>>
  /**
   * Default: true. She has an account as connecting leaves it; `in the form`: she has just connected like anybody else,
   * which costs as much as all the rest of a world.
   */
  readonly isAliceConnected?: boolean | 'in the form'
  /** Of the workspace. Default: false. */
  readonly isAliceAdmin?: boolean
  /** Who ends it: `afterAll` for one that a whole file shares. Default: `onTestFinished`. */
  readonly until?: (end: () => Promise<void>) => void
  /** Of the log. Default: debug. */
  readonly level?: LogLevel
}

export const aliceToken = 'alice-token-4f1c9a'
export const bobToken = 'bob-token-77d20e'

/** An alert that most stories can begin with. */
export const diskFull = {
  ks: '5HkX',
  message: 'Disk full',
  severity: 2,
  timestamp: 1_700_000_000,
} as const

export async function openWorld(options: WorldOptions = {}): Promise<World> {
  const clock = startClock()
  const slack = await startSlack({
    // A busy machine takes its time. Tests of the three seconds that Slack waits say so.
    ackMs: 30_000,
    ...appAsInstalled(options.env),
    ...options.slack,
    clock: clock.now,
    signingClock: clock.now,
  })
  const service = await startMonitor({ clock: clock.now })
  const database = await makeDatabaseFolder()
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
    DATABASE_URL: database.url,
    HOST: '127.0.0.1',
    PORT: '0',
    LOG_LEVEL: 'debug',
    ...options.env,
  }
  const kept = keepLog(options.level)
  const { lines } = kept
  const waits: number[] = []

  const start = (settings: Readonly<Record<string, string>>) =>
    startBot(
      settings,
      { clock, ...kept },
      {
        ...options,
        wait: (ms) => {
          waits.push(ms)
          return options.wait?.(ms) ?? delay(Math.min(ms, 10))
        },
      },
    )

  let bot = await start(env)
  const others: Bot[] = []
  let refusalsExpected = false

  function aim(): void {
    if (options.transport !== 'socket') slack.deliverTo(`${bot.url}/slack/events`)
  }

  const until = options.until ?? onTestFinished
  until(async () => {
    // What the bot is still at, it ends before it stops.
    await slack.idle(5)
    await Promise.all([bot, ...others].map((one) => one.stop()))
    await Promise.all([slack.stop(), service.stop()])
    database.remove()
    if (!refusalsExpected) expect(refused(slack)).toEqual([])
    const secrets = [aliceToken, bobToken, slack.botToken, slack.appToken, slack.signingSecret]
    expect(lines.filter((line) => secrets.some((secret) => line.includes(secret)))).toEqual([])
  })

  aim()
  const alice = slack.addPerson({
    name: 'alice',
    realName: 'Alice Archer',
    email: 'alice@example.com',
    isAdmin: options.isAliceAdmin ?? false,
  })
  const bob = slack.addPerson({ name: 'bob', realName: 'Bob Baker', email: 'bob@example.com' })
  const general = slack.addChannel({ name: 'general', members: [alice, bob], botIsMember: true })
  const ops = slack.addChannel({ name: 'ops', members: [alice, bob], isPrivate: true })
  service.addUser({ email: 'alice@example.com', id: 7, name: 'Alice Archer' })
  service.addUser({ email: 'bob@example.com', id: 8, name: 'Bob Baker' })
  service.addUser({ email: 'dave@example.com', id: 9, name: 'Dave Doe' })
  service.addToken({ token: aliceToken, name: 'alice', flags: [...flags], userId: 7 })
  service.addToken({
    token: bobToken,
    name: 'bob',
    flags: ['API', 'READ'] satisfies Flag[],
    userId: 8,
  })
  service.addContainer(12)

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
      const at = { channel: general, slack }
      if (!env.PUBLIC_URL) return connectInModal(person, token, at)
      await connectOnPage(person, token, { ...at, publicUrl: env.PUBLIC_URL, url: bot.url })
    },
    async startAnother() {
      const other = await start(env)
      others.push(other)
      return other
    },
    async restart(changes = {}) {
      await bot.stop()
      bot = await start({ ...env, ...changes })
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
    databaseBytes: database.bytes,
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
  // In an organisation, Bellhop says under which id it keeps her.
  const { isAliceConnected = options.slack?.isGrid ? 'in the form' : true } = options
  if (isAliceConnected === 'in the form') await world.connect(alice, aliceToken)
  else if (isAliceConnected) {
    await keepAccount(bot.storage, env, alice, aliceToken)
    await knowsItself(bot)
  }
  return world
}

/** Slack has said whose bot it is, as it always has once somebody has connected. */
async function knowsItself({ url }: Bot): Promise<void> {
  const isSilent = async () =>
    (await (await fetch(`${url}/readyz`)).text()).includes(readyWords.silent)
  while (await isSilent()) await setImmediate()
}

async function keepAccount(
  { accounts }: Storage,
  env: World['env'],
  { member }: Person,
  token: string,
): Promise<void> {
  const { encryptionKeys } = parseKept(env)
  const owner = { workspaceId: member.teamId, userId: member.id }
  const sealed = createVault(encryptionKeys).seal(token, { purpose: 'token', ...owner })
  await accounts.keep(owner, sealed)
}

/** Answers a prompt to connect, in the modal. */
export async function connects(
  person: Person,
  token: string,
  prompt: Parameters<Person['presses']>[1],
) {
  await person.presses('Connect account', prompt)
  await person.seesModal('Connect account')
  await person.submits({ fields: { 'API token': token } })
}

/** Grants that the service was asked for. */
export const posts = ({ service }: World) =>
  service.requests.filter(({ method }) => method === 'POST')
/** What it was asked to change of alerts and people. */
export const puts = ({ service }: World) =>
  service.requests.filter(({ method }) => method === 'PUT')

/** Lines of a log that say so, read. */
export const linesIn = (log: readonly string[], words: string) =>
  log.filter((line) => line.includes(words)).map((line) => JSON.parse(line))

/** Slack says of the bot token what it says once the app was taken out. */
export function refuseToken({ slack, expectRefusals }: World): Order {
  expectRefusals()
  return slack.trouble.fail(
    'auth.test',
    { error: 'account_inactive' },
    { times: Number.POSITIVE_INFINITY },
  )
}

/** Scopes and events of the manifest as `npm run manifest` prints it; the optional scopes were granted too. */
function appAsInstalled(env: WorldOptions['env']): SlackOptions {
  const unfurlDomain = new URL(env?.MONITOR_ALERT_URL ?? alertUrl).hostname
  const publicUrl = 'https://bellhop.example.com'
  const { botScopes, botEvents, unfurlDomains, hasOptionsUrl } = manifestOf({
    publicUrl,
    unfurlDomain,
  })
  return { botScopes, botEvents, unfurlDomains, hasOptionsUrl }
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
