// The world of a soak: the stand-ins, bots on one PostgreSQL, and people of whom some may grant and the rest have to ask.
import { randomBytes } from 'node:crypto'
import type { AlertHandle } from '../../playground/monitor/alerts.ts'
import { startMonitor } from '../../playground/monitor/start-monitor.ts'
import { createClock } from '../../playground/server/clock.ts'
import { readManifest } from '../../playground/server/manifest.ts'
import type { Delivery } from '../../playground/slack/model/model.ts'
import type { Person } from '../../playground/slack/person/person.ts'
import { startSlack } from '../../playground/slack/simulator.ts'
import { connectInModal } from '../../test/connect-account.ts'
import { forkPostgres } from '../../test/postgres-process.ts'
import { type Life, startBots } from './bots.ts'
import { type Ledger, responder } from './ledger.ts'
import type { Random } from './random.ts'

export const containerId = 12
/** Its lists show members alone. */
export const membersOnlyId = 13
const containerIds = [containerId, membersOnlyId]
const [leads, readers, channelCount] = [12, 5, 12]

/** Tags stand in every answer that is not a mere sentence, and no other request has the same. */
export const tags = {
  alert: (n: number) => `soak-${n}k`,
  email: (n: number) => `g${n}@soak.example`,
  /** Of the same person: the address is the tag. */
  newEmail: (email: string) => email.replace('@', '-new@'),
  name: (email: string) => `Soaked ${email.replace(/@.*/, '')}`,
}
const anyTag = /soak-\d+k|g\d+(?=(-new)?@soak\.example)|(?<=Soaked )g\d+/g

/** All tags in a text, people by their first address. */
export function tagsIn(text: string): ReadonlySet<string> {
  const found = text.match(anyTag) ?? []
  return new Set(found.map((one) => (one.startsWith('g') ? tags.email(Number(one.slice(1))) : one)))
}

/** Of somebody’s token. Each third lead lacks what they give, which the service allows, and Bellhop for longer doesn’t. */
function flagsOf(at: number) {
  const own = ['API', 'READ'] as const
  if (at >= leads) return own
  const isWeak = at % 3 === 0
  return [...own, 'CONTAINER_ACCESS', ...(isWeak ? [] : responder), 'BILLING'] as const
}

export interface Soaker {
  readonly person: Person
  readonly mayGrant: boolean
}

/** A command that somebody typed. */
export interface Asked {
  readonly person: Person
  readonly line: string
  readonly tag: string
  /** Milliseconds since 1970. */
  readonly at: number
  /** Which bot it was brought to. */
  readonly life: Life | undefined
  readonly delivery: Delivery
}

export interface LivingAlert {
  readonly handle: AlertHandle
  /** How many have happened; each is known by the key and its number. */
  actions: number
  isClosed: boolean
}

export type SoakWorld = Awaited<ReturnType<typeof openSoakWorld>>

/** All bots are up, and everybody has connected an account. */
export async function openSoakWorld(random: Random, botCount: number) {
  const { botScopes, botEvents } = readManifest()
  const clock = createClock()
  const [slack, service, postgres] = await Promise.all([
    startSlack({ botScopes, botEvents, clock: clock.now, signingClock: clock.now }),
    startMonitor({ clock: clock.now }),
    forkPostgres(),
  ])
  const databaseUrl = await postgres.createDatabase()
  const env: Readonly<Record<string, string>> = {
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_SIGNING_SECRET: slack.signingSecret,
    SLACK_API_URL: slack.apiUrl,
    MONITOR_API_URL: service.url,
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    DATABASE_URL: databaseUrl,
    WATCH_INTERVAL_SECONDS: '2',
    RATE_PER_MINUTE: '600',
    HOST: '127.0.0.1',
    PORT: '0',
  }
  const bots = await startBots(botCount, env, random.fork(), clock)
  for (const id of containerIds) service.addContainer(id)
  service.behaves({ people: [membersOnlyId] })

  const soakers = Array.from({ length: leads + readers }, (_, at): Soaker => {
    const [name, id, mayGrant] = [`person${at}`, 100 + at, at < leads]
    const email = `${name}@example.com`
    for (const one of containerIds) service.addMember(one, { email, id, member: true })
    const flags = flagsOf(at)
    service.addToken({ token: `${name}-token-4f1c9a`, name, userId: id, flags })
    return { person: slack.addPerson({ name, email }), mayGrant }
  })
  const members = soakers.map(({ person }) => person)
  const channels = Array.from({ length: channelCount }, (_, at) =>
    slack.addChannel({ name: `soak-${at + 1}`, members, botIsMember: true }),
  )
  const alerts = new Map<string, LivingAlert>()
  const asked: Asked[] = []
  const ledger: Ledger = { given: [], kept: [], touched: new Set() }
  let numbers = 0

  /** What is brought next goes to any of the bots. */
  function aim(): Life | undefined {
    const life = bots.anyOne()
    if (life !== undefined) slack.deliverTo(`${life.url}/slack/events`)
    return life
  }

  aim()
  const [channel = members[0]?.dm] = channels
  for (const { person } of soakers)
    if (channel) await connectInModal(person, `${person.name}-token-4f1c9a`, { channel, slack })

  return {
    slack,
    service,
    postgres,
    env,
    bots,
    soakers,
    channels,
    alerts,
    asked,
    ledger,
    clock,
    aim,
    /** A number that nobody else gets. */
    number: () => ++numbers,
    async types(
      person: Person,
      line: string,
      tag: string,
      where = random.pick(channels),
    ): Promise<Delivery> {
      const [life, at] = [aim(), clock.now()]
      const delivery = await person.types(line, where)
      asked.push({ person, line, tag, at, life, delivery })
      return delivery
    },
    query: (text: string) => postgres.query(text, databaseUrl),
    async stop(): Promise<void> {
      for (const { bot } of bots.running()) bot.child.kill('SIGKILL')
      await Promise.all(bots.lives.map(({ bot }) => bot.ended))
      await Promise.all([slack.stop(), service.stop()])
      await postgres.end()
    },
  }
}
