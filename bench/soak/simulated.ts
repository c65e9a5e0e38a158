// Many live cards on one process, over simulated hours: the real poller and the real stores on a SQLite file, a service
// and a Slack that answer after a while. Nothing here waits for real time.
import { createSecretKey, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { AskRoom } from '../../src/account/connect-first.ts'
import { createVault } from '../../src/account/vault.ts'
import { actWaits } from '../../src/act/render/verdict.ts'
import type { Card } from '../../src/alert/cards.ts'
import { alertWaits } from '../../src/alert/render/no-card.ts'
import { grantWaits } from '../../src/grant/render/explain.ts'
import { createLog, type Log } from '../../src/log/log.ts'
import { createNamesMemory } from '../../src/names/memory.ts'
import type { NamesRoom } from '../../src/names/room.ts'
import { createPace } from '../../src/slack/outbound/pace.ts'
import { openStorage } from '../../src/storage/storage.ts'
import { look } from '../../src/watch/look.ts'
import { createPoller } from '../../src/watch/poller.ts'
import type { LookRoom } from '../../src/watch/room.ts'
import { createUpdates, goodForMs } from '../../src/watch/updates.ts'
import { singleFlights } from '../../src/work/turns.ts'
import { createWork } from '../../src/work/under-way.ts'
import { shown } from '../../test/storage/watch-samples.ts'
import { seeded } from './random.ts'
import { simulateTime } from './simulated-time.ts'
import { type Lively, openSimulatedWorld } from './simulated-world.ts'

export interface SimulatedOptions extends Partial<Lively> {
  /** In each workspace. */
  readonly watches: number
  /** Default 1. */
  readonly workspaces?: number
  readonly minutes: number
  /** Told after each simulated five minutes. */
  readonly onProgress?: (so: { readonly minute: number; readonly heapMb: number }) => void
}

export interface Simulated {
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
  /** Calls that Slack answered with 429. */
  readonly refused: number
  /** From when something happened until its thread knew, 99 of 100 times. */
  readonly toldAfterSeconds: number
  /** What the cards promise at the end: how long they are good for, in minutes. */
  readonly promisedMinutes: number
  /** Cards that were not drawn by the time they said, the most at any minute. */
  readonly mostOverdue: number
  /** Actions that happened long enough before the end to be told, and how often each was. */
  readonly actions: { readonly happened: number; readonly toldOnce: number }
}

const intervalMs = 30_000
const minuteMs = 60_000
const perChannel = 10
const perPerson = 20
const warmUpMinutes = 30

export async function simulate({
  watches: perWorkspace,
  workspaces = 1,
  minutes,
  hitMinutes = 10,
  actionMinutes = 20,
  onProgress,
}: SimulatedOptions): Promise<Simulated> {
  const time = simulateTime()
  const folder = mkdtempSync(join(tmpdir(), 'bellhop-soak-'))
  const log = createLog({ level: 'error' })
  const storage = await openStorage({ url: `file:${join(folder, 'bellhop.db')}`, now: time.now })
  const random = seeded(7)
  const count = perWorkspace * workspaces
  const world = openSimulatedWorld(count, time, random, { hitMinutes, actionMinutes })
  const { cards, watches } = storage

  await startWatches(
    storage,
    world.alerts.map(({ ks }) => ks),
    perWorkspace,
  )
  const updates = createUpdates(time.now)
  const room: LookRoom = {
    ...{ watches, cards, updates, log },
    account: neverAsking(storage, log, time.now),
    tokens: { find: async () => 'token' },
    monitor: world,
    names: noNamesRoom(storage, time.now),
    work: createWork(),
    sharedChannels: { in: () => ({ wasShared: async () => false }) },
    outbound: world.outbound,
    pace: createPace(time.now, time.sleep),
    intervalMs,
    settings: {
      severityNames: Array.from({ length: 8 }, (_, index) => `S${index}`),
      alertUrl: undefined,
      canAct: true,
    },
    ownIdOf: async () => undefined,
    linkOf: async () => undefined,
    callOthersIfClosed: () => undefined,
    ttlHours: 24,
    now: time.now,
  }
  const poller = createPoller({ watches, log }, { intervalMs, sleep: time.sleep, monotonic: time.now })
  poller.start((held) => {
    world.lookedAt(held.live.cardId)
    return look(room, held)
  })

  const heapMb: number[] = []
  let mostOverdue = 0
  // The first minutes fill what is filled once, and draw each card for the first time.
  await time.run(warmUpMinutes * minuteMs)
  world.startCounting()
  const cpu = process.cpuUsage()
  for (let minute = 5; minute < minutes + 5; minute += 5) {
    for (let one = 0; one < 5; one += 1) {
      await time.run(minuteMs)
      mostOverdue = Math.max(mostOverdue, await watches.countOverdue())
    }
    heapMb.push(heapNow())
    onProgress?.({ minute, heapMb: heapMb.at(-1) ?? 0 })
  }
  const { user, system } = process.cpuUsage(cpu)
  const soaked = {
    ...world.counted(),
    cpuMsPerLook: (user + system) / 1000 / world.looks(),
    heapMb,
    mostOverdue,
    promisedMinutes: goodForMs(intervalMs) / minuteMs,
  }
  const stopped = poller.stop()
  await time.run(minuteMs)
  await stopped
  await storage.close()
  rmSync(folder, { recursive: true, force: true })
  return soaked
}

/** The service here refuses no token, so that nobody is asked for one. */
function neverAsking(
  { waiting }: Awaited<ReturnType<typeof openStorage>>,
  log: Log,
  now: () => number,
): AskRoom {
  const never = () => Promise.reject(new Error('somebody was asked for an account'))
  return {
    ...{ waiting, log, now },
    vault: createVault([{ id: 'soak', key: createSecretKey(randomBytes(32)) }]),
    waitingWords: { alert: alertWaits, act: actWaits, grant: grantWaits },
    page: undefined,
    delivery: { privately: never },
  }
}

/** A service that tells nobody's name. */
function noNamesRoom({ ownIds }: Awaited<ReturnType<typeof openStorage>>, now: () => number): NamesRoom {
  const never = () => Promise.reject(new Error('the service was asked for names'))
  return {
    ...{ ownIds, now, memory: createNamesMemory() },
    monitor: { usersOf: never, containerOf: never, openAlertsIn: never },
    basic: true,
    people: { in: () => ({ identityOf: never }) },
    tokenOf: async () => 'token',
    otherContainers: async () => [],
    underWay: { people: singleFlights(), learning: singleFlights() },
  }
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
  perWorkspace: number,
): Promise<void> {
  for (const [index, ks] of keys.entries()) {
    const posted = { channelId: `C${Math.floor(index / perChannel)}`, ts: `${index}.0` }
    const userId = `U${Math.floor(index / perPerson)}`
    const workspaceId = `T${Math.floor(index / perWorkspace)}`
    const card: Card = {
      id: ks,
      workspaceId,
      ks,
      title: 'Disk full',
      asker: { workspaceId, userId },
      askerName: userId,
      channelId: posted.channelId,
      isPrivate: false,
      layout: 'thread',
      told: [],
      version: 0,
      posted,
    }
    await cards.keep(card)
    await watches.start(
      { workspaceId, cardId: ks, posted, userId, name: userId, ttlMs: 86_400_000, shown },
      perPerson,
    )
  }
}
