// A bot that is installed by OAuth: two workspaces and an organisation in one Slack, one process, one database.
import { randomBytes } from 'node:crypto'
import { expect, onTestFinished } from 'vitest'
import { type MonitorService, startMonitor } from '../../playground/monitor/start-monitor.ts'
import { alertUrl } from '../../playground/monitor/world.ts'
import { type Front, startFront } from '../../playground/slack/front.ts'
import type { Channel } from '../../playground/slack/model/model.ts'
import type { SlackOptions } from '../../playground/slack/options.ts'
import type { Person } from '../../playground/slack/person/person.ts'
import type { Slack } from '../../playground/slack/simulator.ts'
import type { Bellhop } from '../../src/app.ts'
import { parseInstalled } from '../../src/config/installed.ts'
import { type Flag, flags } from '../../src/grant/flags.ts'
import type { Storage } from '../../src/storage/storage.ts'
import { type Bot, manifestOf, startBot } from '../bot.ts'
import { type Clock, startClock } from '../clock.ts'
import { connectOnPage } from '../connect-account.ts'
import { makeDatabaseFolder } from '../database-folder.ts'
import { keepLog } from '../keep-log.ts'
import { Browser, type Page } from './browser.ts'

/** A workspace, or an organisation, with people in it. */
export interface Tenant {
  readonly slack: Slack
  /** May set things for the workspace. */
  readonly admin: Person
  readonly member: Person
  /** Both are in it, and the bot. */
  readonly general: Channel
  /** The key under which everything of it is kept. */
  readonly workspaceId: string
}

export interface Installs {
  readonly front: Front
  readonly service: MonitorService
  readonly clock: Clock
  readonly acme: Tenant
  readonly globex: Tenant
  /** An Enterprise Grid organisation. */
  readonly initech: Tenant
  readonly env: Readonly<Record<string, string>>
  readonly bellhop: Bellhop
  readonly storage: Storage
  readonly log: readonly string[]
  /** Where browsers reach the bot. */
  readonly publicUrl: string
  /** Where the bot listens. */
  readonly url: string
  browser(): Browser
  /** Somebody allows the bot on Slack's page and comes back. @returns The page they end on. */
  install(who: Person, how?: HowToInstall): Promise<Page>
  /** Both workspaces one by one, the organisation as a whole. */
  installEverywhere(): Promise<void>
  /** Connects an account on the page. @param rights - Default: everything. */
  connect(who: Person, tenant: Tenant, token: string, rights?: Flag[]): Promise<void>
  /** Another bot on the same database, which gets no requests of Slack's. */
  startAnother(): Promise<{ readonly url: string; readonly bellhop: Bellhop; readonly storage: Storage }>
  /** Stops the bot and starts it again on the same database. */
  restart(): Promise<void>
  databaseBytes(): Buffer
}

export interface HowToInstall {
  readonly browser?: Browser
  readonly isOrgWide?: boolean
  /** Scopes that they leave out. */
  readonly without?: readonly string[]
  readonly answer?: 'cancel'
}

const publicUrl = 'https://bellhop.example.com/bot'
export async function openInstalls(
  options: {
    readonly transport?: 'http' | 'socket'
    readonly env?: Readonly<Record<string, string>>
    readonly slack?: Omit<SlackOptions, 'clock' | 'signingClock' | 'port'>
    /** Who ends it: `afterAll` for one that a whole file shares. Default: `onTestFinished`. */
    readonly until?: (end: () => Promise<void>) => void
    /** To the bot: before it asks again about a token. */
    readonly tokenPause?: (ms: number) => Promise<void>
  } = {},
): Promise<Installs> {
  const clock = startClock()
  const stateSecret = randomBytes(24).toString('hex')
  const { botScopes, requiredScopes, botEvents, unfurlDomains, redirectUrls, isOrgDeployEnabled } =
    manifestOf(
      parseInstalled({ PUBLIC_URL: publicUrl, MONITOR_ALERT_URL: alertUrl, SLACK_STATE_SECRET: stateSecret }),
    )
  const front = await startFront({
    clock: clock.now,
    redirectUrls,
    scopes: botScopes,
    optionalScopes: botScopes.filter((scope) => !requiredScopes.includes(scope)),
    isOrgDeployEnabled,
  })
  const service = await startMonitor({ clock: clock.now })
  const database = await makeDatabaseFolder()
  const { app } = front
  const transport: Record<string, string> =
    options.transport === 'socket'
      ? { SLACK_APP_TOKEN: app.appToken }
      : { SLACK_SIGNING_SECRET: app.signingSecret }
  const env = {
    SLACK_CLIENT_ID: app.clientId,
    SLACK_CLIENT_SECRET: app.clientSecret,
    SLACK_STATE_SECRET: stateSecret,
    ...transport,
    SLACK_API_URL: front.apiUrl,
    MONITOR_API_URL: service.url,
    MONITOR_ALERT_URL: alertUrl,
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    DATABASE_URL: database.url,
    PUBLIC_URL: publicUrl,
    HOST: '127.0.0.1',
    LOG_LEVEL: 'debug',
    ...options.env,
  }
  const kept = keepLog()
  const { lines } = kept

  const start = () => startBot(env, { clock, ...kept }, options)
  let bot = await start()
  const others: Bot[] = []
  const browsers: Browser[] = []
  const aim = () => {
    if (options.transport !== 'socket') front.deliverTo(`${bot.url}/slack/events`)
  }
  aim()
  const tokens: string[] = []

  const until = options.until ?? onTestFinished
  until(async () => {
    await front.idle()
    await Promise.all([bot, ...others].map((one) => one.stop()))
    await Promise.all([front.stop(), service.stop()])
    database.remove()
    const secrets = [
      ...[app.clientSecret, app.signingSecret, app.appToken, stateSecret, ...tokens],
      ...front.workspaces.flatMap(({ botToken, workspace }) => [botToken, ...workspace.formerTokens]),
      ...browsers.flatMap(({ cookies }) => cookies),
      ...browsers.flatMap(({ history }) => history).flatMap(secretsIn),
    ].filter((secret) => secret.length > 10)
    expect(lines.filter((line) => secrets.some((secret) => line.includes(secret)))).toEqual([])
  })

  async function tenant(teamName: string, names: readonly [string, string], isGrid = false): Promise<Tenant> {
    const slack = await front.openWorkspace({ teamName, isGrid, botEvents, unfurlDomains, ...options.slack })
    const domain = `${teamName.toLowerCase()}.example`
    const [first, second] = names
    const admin = slack.addPerson({ name: first, email: `${first}@${domain}`, isAdmin: true })
    const member = slack.addPerson({ name: second, email: `${second}@${domain}` })
    const general = slack.addChannel({ name: 'general', members: [admin, member], botIsMember: true })
    return { slack, admin, member, general, workspaceId: slack.enterpriseId ?? slack.teamId }
  }

  const acme = await tenant('Acme', ['ann', 'amy'])
  const globex = await tenant('Globex', ['gus', 'gil'])
  const initech = await tenant('Initech', ['ida', 'ike'], true)
  service.addContainer(12)

  function browser(): Browser {
    const hostOf = (url: URL) => (url.origin === new URL(publicUrl).origin ? bot.url : url.origin)
    // The proxy before the bot takes the path of PUBLIC_URL away.
    const made = new Browser(clock.now, hostOf, new URL(publicUrl).pathname)
    browsers.push(made)
    return made
  }

  const installs: Installs = {
    ...{ front, service, clock, acme, globex, initech, env, publicUrl, browser },
    log: lines,
    get bellhop() {
      return bot.bellhop
    },
    get storage() {
      return bot.storage
    },
    get url() {
      return bot.url
    },
    async install(who, how = {}) {
      const own = how.browser ?? browser()
      const begin = await own.visit(`${publicUrl}/slack/install`)
      const allow = new URL(begin.link('Add to Slack'))
      allow.searchParams.set('as', who.id)
      if (how.isOrgWide) allow.searchParams.set('org', '1')
      if (how.without) allow.searchParams.set('without', how.without.join(','))
      if (how.answer) allow.searchParams.set('answer', how.answer)
      return own.visit(allow.href)
    },
    async installEverywhere() {
      for (const { admin } of [acme, globex]) await installs.install(admin)
      await installs.install(initech.admin, { isOrgWide: true })
    },
    async connect(who, { general, slack }, token, rights = [...flags]) {
      tokens.push(token)
      service.addToken({ token, name: who.name, flags: rights })
      await connectOnPage(who, token, { channel: general, slack, publicUrl, url: bot.url })
    },
    async startAnother() {
      const other = await start()
      others.push(other)
      return other
    },
    async restart() {
      await bot.stop()
      bot = await start()
      aim()
    },
    databaseBytes: database.bytes,
  }
  return installs
}

/** What stood in addresses and is good for something. */
function secretsIn(address: string): string[] {
  const { searchParams } = new URL(address)
  return [searchParams.get('code') ?? '', searchParams.get('state') ?? '']
}
