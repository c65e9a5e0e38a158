// Faults during a soak: of Slack, the service, the database, and the bots themselves; and lists that show less.
import { setTimeout as wait } from 'node:timers/promises'
import type { Random } from './random.ts'
import { membersOnlyId, type SoakWorld } from './world.ts'

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

/** Resolves when the last is over and every bot runs. @returns How often there was each. */
export async function letThingsGoWrong(
  world: SoakWorld,
  random: Random,
  plan: FaultPlan,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  const failing: ('GET' | 'POST' | 'DELETE')[] = ['GET', 'GET', 'POST']
  const counted = (fault: string) => counts.set(fault, (counts.get(fault) ?? 0) + 1)

  async function small(own: Random): Promise<void> {
    while (Date.now() < plan.untilMs) {
      const [name, begin] = own.weighed([
        [6, troubleSlack(world, own)] as const,
        [3, troubleService(world, own, failing)] as const,
      ])
      counted(name)
      begin()
      await wait(own.between(plan.smallMs / 4, plan.smallMs))
    }
  }

  async function large(own: Random): Promise<void> {
    // Every soak has these, however long a slow machine needs for them.
    const first = ['kill -9', 'PostgreSQL restarted', 'SIGTERM']
    await wait(plan.largeMs / 2)
    while (first.length > 0 || Date.now() < plan.largeUntilMs) {
      const how =
        first.shift() ??
        own.pick(['kill -9', 'kill -9', 'SIGTERM', 'PostgreSQL restarted', 'PostgreSQL crashed'])
      counted(how)
      if (how.startsWith('PostgreSQL')) await restartDatabase(world, own, how.endsWith('crashed'))
      else await restartBot(world, own, how === 'kill -9' ? 'killed' : 'stopped')
      await wait(own.between(plan.largeMs * 0.5, plan.largeMs * 1.2))
    }
  }

  /** Once in a soak, for some time each: lists everywhere show members alone, and no list shows an address. */
  async function lists(own: Random): Promise<void> {
    const { service } = world
    const partMs = (plan.untilMs - Date.now()) / 4
    await wait(own.between(0, partMs))
    service.behaves({ people: 'members' })
    // A removal that gets no answer looks done where the list stops to show the person at that moment.
    failing.push('DELETE')
    await wait(own.between(partMs / 2, partMs))
    service.behaves({ people: [membersOnlyId], addresses: 'none' })
    await wait(own.between(partMs / 4, partMs / 2))
    service.behaves({ addresses: 'as-chosen' })
  }

  await Promise.all([small(random.fork()), large(random.fork()), lists(random.fork())])
  world.slack.trouble.clear()
  world.service.trouble.clear()
  return counts
}

type Small = readonly [name: string, begin: () => unknown]

function troubleSlack({ slack: { trouble } }: SoakWorld, random: Random): Small {
  const method = random.pick(methods)
  const times = random.pick([1, 1, 2])
  const delayMs = Math.round(random.between(500, 4_000))
  return random.pick<Small>([
    ['Slack: 429', () => trouble.rateLimit(method, { retryAfterSeconds: 1, times })],
    ['Slack: 500', () => trouble.fail(method, { status: 500 }, { times })],
    ['Slack: fatal_error', () => trouble.fail(method, { error: 'fatal_error' }, { times })],
    ['Slack: cut', () => trouble.cut(method, { times })],
    ['Slack: cut, done', () => trouble.cut(method, { times, takesEffect: true })],
    ['Slack: slow', () => trouble.slow(method, delayMs, { times })],
  ])
}

function troubleService(
  { service: { trouble } }: SoakWorld,
  random: Random,
  failing: readonly ('GET' | 'POST' | 'DELETE')[],
): Small {
  const only = random.pick(failing)
  const times = random.pick([1, 1, 3])
  return random.pick<Small>([
    ['service: 500', () => trouble.answer(500, { only, times })],
    ['service: 429', () => trouble.rateLimit({ only, times, retryAfterSeconds: 1 })],
    ['service: reset', () => trouble.cut({ only, times, when: 'before-answer' })],
    ['service: reset, done', () => trouble.cut({ only, times, when: 'after-effect' })],
    ['service: hangs', () => trouble.hang({ only, times: 1 })],
  ])
}

async function restartBot(
  { bots }: SoakWorld,
  random: Random,
  how: 'killed' | 'stopped',
): Promise<void> {
  const life = random.pick(bots.running())
  await bots.end(life, how)
  await wait(random.between(200, 2_500))
  await bots.start(life.place)
}

async function restartDatabase(
  { postgres }: SoakWorld,
  random: Random,
  isCrash: boolean,
): Promise<void> {
  await (isCrash ? postgres.crash() : postgres.stop())
  await wait(random.between(300, 3_000))
  await postgres.start()
}
