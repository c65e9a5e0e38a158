// The world of a soak: the stand-ins, one PostgreSQL, a balancer, and people with different rights.
import { randomBytes } from 'node:crypto'
import type { AlertHandle } from '../../../playground/monitor/alerts.ts'
import { type MonitorService, startMonitor } from '../../../playground/monitor/start-monitor.ts'
import { readManifest } from '../../../playground/server/manifest.ts'
import type { Channel, Message } from '../../../playground/slack/model/model.ts'
import type { Person } from '../../../playground/slack/person/person.ts'
import { SeenMessage } from '../../../playground/slack/person/seen.ts'
import { type Slack, startSlack } from '../../../playground/slack/simulator.ts'
import { forkPostgres } from '../../postgres-process.ts'
import { startBalancer } from './balancer.ts'
import { createBots, type Life } from './bots.ts'
import type { Random } from './random.ts'

export const containerId = 12
const channelCount = 12

export interface Soaker {
  readonly person: Person
  readonly token: string
  /** At the service, where they are a member of the container. */
  readonly userId: number
  /** `lead` may grant; `reader` has to ask; `mover` may grant, and connects and disconnects. */
  readonly kind: 'lead' | 'reader' | 'mover'
}

export interface LivingAlert {
  readonly handle: AlertHandle
  /** How many have happened; each is known by the key and its number. */
  actions: number
  isClosed: boolean
}

export type SoakWorld = Awaited<ReturnType<typeof openSoakWorld>>

/** Nobody has connected an account yet, but all bots are up. */
export async function openSoakWorld(random: Random, botCount: number) {
  const { botScopes, botEvents } = readManifest()
  const [slack, service, postgres] = await Promise.all([
    startSlack({ botScopes, botEvents }),
    startMonitor(),
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
  const bots = createBots(botCount, () => env)
  const balancer = await startBalancer<Life>(() => bots.places(), random.fork())
  slack.deliverTo(`${balancer.url}/slack/events`)
  const places = Array.from({ length: botCount }, (_, place) => place)
  // Together: on an empty database, one of them makes its tables.
  await Promise.all(places.map((place) => bots.start(place)))
  service.addContainer(containerId)
  const soakers = addPeople(slack, service)
  const members = soakers.map(({ person }) => person)
  const channels: readonly Channel[] = Array.from({ length: channelCount }, (_, index) =>
    slack.addChannel({ name: `soak-${index + 1}`, members, botIsMember: true }),
  )

  const alerts = new Map<string, LivingAlert>()

  return {
    ...{ slack, service, postgres, databaseUrl, env, bots, balancer, soakers, channels },
    alerts,
    /** The connection of the next request. */
    dropConnection: () => balancer.dropNext(),
    addAlert(alert: Parameters<typeof service.addAlert>[0]): void {
      alerts.set(alert.ks, {
        handle: service.addAlert(alert),
        actions: alert.actions?.length ?? 0,
        isClosed: false,
      })
    },
    seenBy: (person: Person, message: Message) => new SeenMessage(message, person.member, slack.workspace),
    query: (text: string) => postgres.query(text, databaseUrl),
    async stop(): Promise<void> {
      for (const { bot, isUp } of bots.lives) if (isUp) bot.child.kill('SIGKILL')
      await Promise.all(bots.lives.map(({ bot }) => bot.ended))
      balancer.close()
      await Promise.all([slack.stop(), service.stop()])
      await postgres.end()
    },
  }
}

const numbers = { lead: 10, reader: 4, mover: 3 } as const

function addPeople(slack: Slack, service: MonitorService): readonly Soaker[] {
  let userId = 100
  return (['lead', 'reader', 'mover'] as const).flatMap((kind) =>
    Array.from({ length: numbers[kind] }, (_, index) => {
      const name = `${kind}${index + 1}`
      const token = `${name}-token-4f1c9a`
      const email = `${name}@example.com`
      const common = ['API', 'READ'] as const
      const flags = kind === 'reader' ? [...common] : [...common, 'CONTAINER_ACCESS' as const]
      userId += 1
      service.addToken({ token, name, userId, flags })
      service.addMember(containerId, { email, id: userId, member: true })
      return { person: slack.addPerson({ name, email }), token, userId, kind }
    }),
  )
}
