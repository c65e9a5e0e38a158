// Many live cards on one process, over simulated hours: the real poller and the real stores on a SQLite file, a service
// and a Slack that answer after a while. Nothing here waits for real time.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Card } from '../../src/alert/cards.ts'
import { createThreadNews } from '../../src/alert/thread-news.ts'
import { createLog } from '../../src/log.ts'
import type { Action, Alert } from '../../src/monitor/schema.ts'
import { createPace } from '../../src/slack/pace.ts'
import { openStorage } from '../../src/storage/storage.ts'
import { createFind } from '../../src/watch/find.ts'
import { createLook } from '../../src/watch/look.ts'
import { createPoller } from '../../src/watch/poller.ts'
import { createTiming } from '../../src/watch/timing.ts'
import { simulateTime } from './simulated-time.ts'

export interface SoakOptions {
  readonly watches: number
  readonly minutes: number
  /** Told after each simulated five minutes. */
  readonly onProgress?: (so: { readonly minute: number; readonly heapMb: number }) => void
}

export interface Soaked {
  readonly looks: number
  /** More than looks: a card whose channel was busy is read again when its turn comes. */
  readonly reads: number
  /** Between two looks at one card, in simulated seconds. */
  readonly interval: {
    readonly mean: number
    readonly p1: number
    readonly p99: number
    readonly longest: number
  }
  /** Of the means of each card. */
  readonly meanOfCard: { readonly shortest: number; readonly longest: number }
  readonly cpuMsPerLook: number
  /** After a collection, each five minutes, in MB. */
  readonly heapMb: readonly number[]
  readonly updates: number
  readonly replies: number
  /** Actions that happened long enough before the end to be told, and how often each was. */
  readonly actions: { readonly happened: number; readonly toldOnce: number }
}

const intervalMs = 30_000
const minuteMs = 60_000
const perChannel = 10
const perPerson = 20

export async function soak({ watches: count, minutes, onProgress }: SoakOptions): Promise<Soaked> {
  const time = simulateTime()
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-soak-'))
  const log = createLog({ level: 'error' })
  const storage = await openStorage({ url: `file:${join(folder, 'bellhop.db')}`, now: time.now })
  const random = seeded(7)
  const world = openWorld(count, time, random)
  const { cards, watches } = storage

  await startWatches(
    storage,
    world.alerts.map(({ ks }) => ks),
  )
  const look = createLook({
    watches,
    find: createFind({ tokens: { find: async () => 'token' }, monitor: world }),
    threadNews: createThreadNews(cards),
    outbound: world,
    inform: async () => {},
    pace: createPace(time.now, time.sleep),
    timing: createTiming(intervalMs, random),
    settings: { severityNames: Array.from({ length: 8 }, (_, index) => `S${index}`), alertUrl: undefined },
    log,
    now: time.now,
  })
  const poller = createPoller({ watches, look, log }, { intervalMs, sleep: time.sleep, monotonic: time.now })
  poller.start()

  const heapMb: number[] = []
  // The first minutes fill what is filled once.
  await time.run(5 * minuteMs)
  world.startCounting()
  const cpu = process.cpuUsage()
  for (let minute = 5; minute < minutes + 5; minute += 5) {
    await time.run(5 * minuteMs)
    heapMb.push(heapNow())
    onProgress?.({ minute, heapMb: heapMb.at(-1) ?? 0 })
  }
  const { user, system } = process.cpuUsage(cpu)
  const soaked = { ...world.counted(), cpuMsPerLook: (user + system) / 1000 / world.looks(), heapMb }
  const stopped = poller.stop()
  await time.run(minuteMs)
  await stopped
  await storage.close()
  rmSync(folder, { recursive: true, force: true })
  return soaked
}

setFlagsFromString('--expose-gc')
const collect: unknown = runInNewContext('gc')

function heapNow(): number {
  if (typeof collect === 'function') collect()
  return Math.round(process.memoryUsage().heapUsed / 1e5) / 10
}

async function startWatches(
  { cards, watches }: Awaited<ReturnType<typeof openStorage>>,
  keys: readonly string[],
): Promise<void> {
  for (const [index, ks] of keys.entries()) {
    const posted = { channelId: `C${Math.floor(index / perChannel)}`, ts: `${index}.0` }
    const userId = `U${Math.floor(index / perPerson)}`
    const card: Card = {
      id: ks,
      workspaceId: 'T1',
      ks,
      asker: { workspaceId: 'T1', userId },
      askerName: userId,
      channelId: posted.channelId,
      isPrivate: false,
      form: 'thread',
      told: [],
      version: 0,
      posted,
      reply: undefined,
    }
    await cards.keep(card)
    await watches.start(
      { workspaceId: 'T1', cardId: ks, posted, userId, name: userId, ttlMs: 86_400_000 },
      perPerson,
    )
  }
}

/** Alerts that live on, a service that tells them, a Slack that takes what it is given. */
function openWorld(count: number, time: ReturnType<typeof simulateTime>, random: () => number) {
  const alerts = Array.from({ length: count }, (_, index) => startAlert(index, time.now()))
  const byKey = new Map(alerts.map((alert) => [alert.ks, alert]))
  const told = new Map<string, number>()
  let isCounting = false
  let [looks, reads, updates, replies] = [0, 0, 0, 0]
  const gaps = countGaps()

  /** Each alert is hit about every ten minutes, and something is done about it about every twenty. */
  function liveOn(alert: ReturnType<typeof startAlert>): void {
    const passedMs = time.now() - alert.livedTo
    alert.livedTo = time.now()
    if (random() < passedMs / (10 * minuteMs)) alert.hits += 1
    if (random() >= passedMs / (20 * minuteMs)) return
    const seconds = Math.floor(time.now() / 1000)
    alert.actions.push({
      kind: 'Comment',
      timestamp: seconds,
      data: { message: `${alert.ks}/${alert.actions.length}` },
    })
  }

  return {
    alerts,
    lookedAt(ks: string): void {
      const alert = byKey.get(ks)
      if (alert === undefined || !isCounting) return
      looks += 1
      gaps.add(alert, time.now())
    },
    async readAlert(_token: string, ks: string): Promise<Alert> {
      const alert = byKey.get(ks)
      if (alert === undefined) throw new Error(`no alert ${ks}`)
      reads += isCounting ? 1 : 0
      await time.sleep(20 + 60 * random())
      liveOn(alert)
      return toldAlert(alert)
    },
    async update() {
      updates += isCounting ? 1 : 0
      await time.sleep(80)
    },
    async reply(_parent: unknown, message: { readonly text: string; readonly blocks: readonly unknown[] }) {
      replies += isCounting ? 1 : 0
      for (const [words] of JSON.stringify(message.blocks).matchAll(/k\d+\/\d+/g)) {
        told.set(words, (told.get(words) ?? 0) + 1)
      }
      await time.sleep(80)
    },
    seek: async () => 'missing' as const,
    startCounting() {
      isCounting = true
    },
    looks: () => looks,
    counted() {
      // What was found in the last minute may be on its way.
      const until = Math.floor(time.now() / 1000) - 60
      const happened = alerts.flatMap(({ ks, actions }) =>
        actions.flatMap(({ timestamp }, index) => (timestamp < until ? [`${ks}/${index}`] : [])),
      )
      return {
        looks,
        reads,
        updates,
        replies,
        ...gaps.figures(alerts),
        actions: {
          happened: happened.length,
          toldOnce: happened.filter((words) => told.get(words) === 1).length,
        },
      }
    },
  }
}

function startAlert(index: number, now: number) {
  const actions: Action[] = []
  const looks: Looks = { count: 0, first: 0, last: 0 }
  return { ks: `k${index}`, hits: 1, actions, looks, openedAt: Math.floor(now / 1000), livedTo: now }
}

/** When a card was looked at: what is needed for its mean, and no more, as this must not count as memory of the bot. */
interface Looks {
  count: number
  first: number
  last: number
}

function toldAlert({ ks, hits, actions, openedAt }: ReturnType<typeof startAlert>): Alert {
  const message = `Disk of ${ks} is filling up`
  return {
    ks,
    message,
    severity: 3,
    timestamp: openedAt,
    lastMessage: hits === 1 ? message : `${message}: hit ${hits}`,
    lastSeverity: 3,
    lastTimestamp: openedAt + hits - 1,
    ownerId: null,
    closedTimestamp: null,
    actions: [...actions],
  }
}

/** Times between two looks at one card, in tenths of a second. */
function countGaps() {
  const tenths = new Uint32Array(36_000)
  let all = 0

  function at(part: number): number {
    let before = 0
    for (const [tenth, count] of tenths.entries()) {
      before += count
      if (before > 0 && before >= all * part) return tenth / 10
    }
    return 0
  }

  return {
    add({ looks }: { readonly looks: Looks }, now: number): void {
      if (looks.count === 0) looks.first = now
      else {
        const tenth = Math.min(Math.round((now - looks.last) / 100), tenths.length - 1)
        tenths[tenth] = (tenths[tenth] ?? 0) + 1
        all += 1
      }
      looks.count += 1
      looks.last = now
    },
    figures(alerts: readonly { readonly looks: Looks }[]) {
      const means = alerts.map(({ looks: { count, first, last } }) => (last - first) / (count - 1) / 1000)
      const mean = means.reduce((sum, one) => sum + one, 0) / means.length
      return {
        interval: { mean, p1: at(0.01), p99: at(0.99), longest: at(1) },
        meanOfCard: { shortest: Math.min(...means), longest: Math.max(...means) },
      }
    },
  }
}

/** A small generator (mulberry32), so that each run is the same. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
