// Three real processes on one PostgreSQL keep 100 cards live, and one of them is killed. This is about reading and
// telling: drawing 100 cards takes as long as Slack's limits want.
import { expect, it } from 'vitest'
import type { AlertHandle } from '../../playground/monitor/alerts.ts'
import type { RecordedRequest } from '../../playground/monitor/requests.ts'
import { readManifest } from '../../playground/server/manifest.ts'
import type { Person } from '../../playground/slack/person/person.ts'
import { openProcessWorld } from '../playground-world.ts'
import { startPostgres } from '../postgres.ts'

const intervalSeconds = 4
const people = 10
const alertsEach = 10
const channels = 50
/** What a process that died had in hand is taken over once its leases have run out. */
const takenOverSeconds = 4 * intervalSeconds
/** Replies that one process can have in hand when it dies. */
const mostTwice = 20

const { botScopes } = readManifest()
const postgres = await startPostgres()

type World = Awaited<ReturnType<typeof openProcessWorld>>

/** What the stand-ins saw, counted as it comes: asking again for all of it would take too long. */
function keepCount({ slack, service }: World) {
  const told = new Map<string, number>()
  const reads = new Set<RecordedRequest>()
  slack.onChange((change) => {
    if (change.kind !== 'message' && change.kind !== 'message_changed') return
    const { threadTs, blocks } = change.message
    const words = JSON.stringify(blocks)
    if (threadTs === undefined) return
    for (const [event] of words.matchAll(/alert-\d+ event \d+/g)) told.set(event, (told.get(event) ?? 0) + 1)
  })
  service.onChange(() => {
    for (const request of service.requests.slice(-50)) {
      if (request.path.startsWith('/alert/alert-')) reads.add(request)
    }
  })
  return { told, reads }
}

type Count = ReturnType<typeof keepCount>

interface Watched {
  readonly alert: AlertHandle
  /** What happened, in words that occur once. */
  readonly happened: string[]
}

function happens({ alert, happened }: Watched): void {
  const message = `${alert.ks} event ${happened.length}`
  happened.push(message)
  alert.act({ kind: 'Comment', data: { userId: 7, message } })
}

function until({ slack }: World, isSo: () => boolean, limitMs: number, otherwise: () => string) {
  return slack.workspace.changes.until(() => isSo() || undefined, limitMs, otherwise)
}

/** Reads of one alert of which the second began before the first was answered. */
function overlaps({ reads }: Count): readonly string[] {
  const answeredAt = new Map<string, number>()
  return [...reads].flatMap(({ path, at, tookMs = 0 }) => {
    const before = answeredAt.get(path) ?? 0
    answeredAt.set(path, Math.max(before, at + tookMs))
    return at < before ? [`${path}: read ${before - at} ms before the answer to another`] : []
  })
}

/** For how long after `since` the first read of each alert was waited for, the longest, in seconds. */
function longestUnread({ reads }: Count, since: number): number {
  const first = new Map<string, number>()
  for (const { path, at } of reads) if (at >= since && !first.has(path)) first.set(path, at - since)
  return first.size < people * alertsEach ? Number.POSITIVE_INFINITY : Math.max(...first.values()) / 1000
}

/** How many alerts were read again after somebody had asked for them: they are watched. */
function watchedIn({ reads }: Count): number {
  const paths = Map.groupBy(reads, ({ path }) => path)
  return [...paths.values()].filter(({ length }) => length > 1).length
}

async function watchAll(world: World, count: Count): Promise<readonly Watched[]> {
  const { slack, service } = world
  const all: Watched[] = []
  const places = Array.from({ length: channels }, (_, index) =>
    slack.addChannel({ name: `team-${index}`, members: [], botIsMember: true }),
  )

  async function watch(person: Person, index: number): Promise<void> {
    const alert = service.addAlert({ ks: `alert-${index}`, message: `Alert ${index}` })
    all.push({ alert, happened: [] })
    await person.types(`/alert ${alert.ks} watch`, places[index % channels] ?? world.general)
  }

  await Promise.all(
    Array.from({ length: people }, async (_, number) => {
      const token = `token-${number}`
      const person = slack.addPerson({ name: `person-${number}` })
      for (const place of [world.general, ...places]) place.members.add(person.id)
      service.addToken({ token, name: token, flags: ['API', 'READ'] })
      await world.connect(person, token)
      for (let index = 0; index < alertsEach; index += 1) await watch(person, number * alertsEach + index)
    }),
  )
  await until(
    world,
    () => watchedIn(count) === people * alertsEach,
    300_000,
    () => `${watchedIn(count)} cards are watched`,
  )
  return all
}

it('100 live cards on three processes, one killed: taken over when its leases end, each action told, none read by two', async () => {
  // All are asked for in a few seconds, more than Slack would take.
  const databaseUrl = await postgres.createDatabase()
  const world = await openProcessWorld({ databaseUrl, botScopes, keepsLimits: false })
  const count = keepCount(world)
  const settings = { WATCH_INTERVAL_SECONDS: String(intervalSeconds) }
  const bots = await Promise.all([1, 2, 3].map(() => world.start(settings)))
  const all = await watchAll(world, count)
  world.service.trouble.slow(60)

  let killedAt = 0
  for (const round of [1, 2, 3, 4]) {
    for (const [index, one] of all.entries()) if ((index + round) % 5 < 2) happens(one)
    const wanted = count.told.size + 20
    await until(
      world,
      () => count.told.size > wanted,
      300_000,
      () => 'nothing is told any more',
    )
    if (round !== 2) continue
    killedAt = Date.now()
    bots[0]?.child.kill('SIGKILL')
  }

  const happened = all.flatMap((one) => one.happened)
  await until(
    world,
    () => count.told.size === happened.length,
    300_000,
    () => `not told: ${happened.filter((event) => !count.told.has(event)).join(', ')}`,
  )
  await until(
    world,
    () => Number.isFinite(longestUnread(count, killedAt)),
    60_000,
    () => 'not every alert was read again',
  )
  await world.slack.idle(500)
  // What was posted, and not kept when the process died, is told again.
  expect(happened.filter((event) => count.told.get(event) !== 1).length).toBeLessThanOrEqual(mostTwice)
  expect(longestUnread(count, killedAt)).toBeLessThan(takenOverSeconds)
  expect(overlaps(count)).toEqual([])
  const warnings = bots.slice(1).flatMap((bot) => bot.output().match(/.*"level":"(warn|error)".*/g) ?? [])
  // A machine that has more to do than this may make a database wait.
  expect(warnings.filter((line) => !line.includes('the database does not answer properly'))).toEqual([])
}, 240_000)
