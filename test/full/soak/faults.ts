// Faults during a soak: of Slack, the service, the database, the bots themselves, and connections to them.
import { setTimeout as wait } from 'node:timers/promises'
import type { Random } from './random.ts'
import type { SoakWorld } from './world.ts'

export interface Fault {
  readonly what: 'database' | 'process' | 'slack' | 'service' | 'connection'
  readonly how: string
}

export interface FaultPlan {
  /** Between one small fault and the next, at most. */
  readonly smallMs: number
  /** Between one large fault and the next: processes, the database. */
  readonly largeMs: number
  readonly untilMs: number
  /** No large fault is drawn after it: what it leaves behind takes its time. */
  readonly largeUntilMs: number
}

const methods = [
  ...['chat.postMessage', 'chat.postMessage', 'chat.postMessage', 'chat.update', 'chat.update'],
  ...['response_url', 'response_url', 'views.open', 'views.update', 'users.info'],
]

/** Resolves when the last is over and every bot runs. */
export async function letThingsGoWrong(
  world: SoakWorld,
  random: Random,
  plan: FaultPlan,
): Promise<readonly Fault[]> {
  const faults: Fault[] = []

  async function small(own: Random): Promise<void> {
    while (Date.now() < plan.untilMs) {
      const [what, how] = own.weighed([
        [6, ['slack', troubleSlack(world, own)] as const],
        [3, ['service', troubleService(world, own)] as const],
        [1, ['connection', dropConnection(world)] as const],
      ])
      faults.push({ what, how: how.name })
      how.begin()
      await wait(own.between(plan.smallMs / 4, plan.smallMs))
    }
  }

  async function large(own: Random): Promise<void> {
    // Every soak has these, however long a slow machine needs for them.
    let first = ['kill -9', 'PostgreSQL restarted', 'SIGTERM']
    await wait(plan.largeMs / 2)
    while (first.length > 0 || Date.now() < plan.largeUntilMs) {
      const [next, ...rest] = first
      first = rest
      const how =
        next ??
        own.weighed([
          [4, 'kill -9'],
          [3, 'SIGTERM'],
          [2, 'PostgreSQL restarted'],
          [1, 'PostgreSQL crashed'],
        ])
      const isDatabase = how.startsWith('PostgreSQL')
      faults.push({ what: isDatabase ? 'database' : 'process', how })
      if (isDatabase) await restartDatabase(world, own, how.endsWith('crashed'))
      else await restartBot(world, own, how === 'kill -9' ? 'killed' : 'stopped')
      await wait(own.between(plan.largeMs * 0.5, plan.largeMs * 1.2))
    }
  }

  await Promise.all([small(random.fork()), large(random.fork())])
  world.slack.trouble.clear()
  world.service.trouble.clear()
  return faults
}

interface Small {
  readonly name: string
  begin(): void
}

function troubleSlack({ slack: { trouble } }: SoakWorld, random: Random): Small {
  const method = random.pick(methods)
  const times = random.pick([1, 1, 2])
  const delayMs = Math.round(random.between(500, 4_000))
  return random.pick<Small>([
    { name: '429', begin: () => trouble.rateLimit(method, { retryAfterSeconds: 1, times }) },
    { name: '500', begin: () => trouble.fail(method, { status: 500 }, { times }) },
    {
      name: 'fatal_error',
      begin: () => trouble.fail(method, { error: 'fatal_error' }, { times }),
    },
    { name: 'cut', begin: () => trouble.cut(method, { times }) },
    { name: 'cut, done', begin: () => trouble.cut(method, { times, takesEffect: true }) },
    { name: 'slow', begin: () => trouble.slow(method, delayMs, { times }) },
  ])
}

function troubleService({ service: { trouble } }: SoakWorld, random: Random): Small {
  const only = random.pick(['GET', 'GET', 'POST', 'PUT'] as const)
  const times = random.pick([1, 1, 3])
  return random.pick<Small>([
    { name: '500', begin: () => trouble.answer(500, { only, times }) },
    { name: '429', begin: () => trouble.rateLimit({ only, times, retryAfterSeconds: 1 }) },
    { name: 'reset', begin: () => trouble.cut({ only, times, when: 'before-answer' }) },
    { name: 'reset, done', begin: () => trouble.cut({ only, times, when: 'after-effect' }) },
    { name: 'hangs', begin: () => trouble.hang({ only, times: 1 }) },
    {
      name: 'slow',
      begin() {
        trouble.slow(1_500)
        setTimeout(() => trouble.slow(0), 3_000).unref()
      },
    },
  ])
}

function dropConnection(world: SoakWorld): Small {
  return { name: 'dropped', begin: () => world.dropConnection() }
}

async function restartBot({ bots }: SoakWorld, random: Random, how: 'killed' | 'stopped'): Promise<void> {
  const running = bots.places().flatMap((life) => (life === undefined ? [] : [life.place]))
  const place = random.pick(running)
  await bots.end(place, how)
  await wait(random.between(200, 2_500))
  await bots.start(place)
}

async function restartDatabase({ postgres }: SoakWorld, random: Random, isCrash: boolean): Promise<void> {
  await (isCrash ? postgres.crash() : postgres.stop())
  await wait(random.between(300, 3_000))
  await postgres.start()
}
