// Names on their own: the operations of the room with the real client, the stand-in service and a database.
import { onTestFinished } from 'vitest'
import { type MonitorService, startMonitor } from '../../playground/monitor/start-monitor.ts'
import { createMonitor } from '../../src/monitor/client.ts'
import type { Alert } from '../../src/monitor/schema.ts'
import { createNamesMemory } from '../../src/names/memory.ts'
import type { NamesRoom } from '../../src/names/room.ts'
import { personKey, type SlackUser } from '../../src/slack/ids.ts'
import { singleFlights } from '../../src/work/turns.ts'
import { type Clock, startClock } from '../clock.ts'
import { databaseFile, openUrl } from '../storage/files.ts'

export const minuteMs = 60_000
export const alice = { workspaceId: 'T1', userId: 'U1' }
export const bob = { workspaceId: 'T1', userId: 'U2' }
export const aliceToken = 'alice-token-4f1c9a'
export const bobToken = 'bob-token-77d20e'

export interface NamesWorld {
  readonly service: MonitorService
  readonly clock: Clock
  readonly room: NamesRoom
  /** Of Slack people, by `personKey`; empty where they have none. */
  readonly tokens: Map<string, string>
  /** What Slack shows of people’s addresses, by their id. */
  readonly addresses: Map<string, string>
  /** Another process on the same database, or the same one started again. */
  another(options?: NamesOptions): Promise<NamesRoom>
  /** Paths that were asked for since the last call, without what is asked of them. */
  asked(): readonly string[]
  /** Reads an alert as its look-up does. */
  alert(ks: string, token?: string): Promise<Alert>
}

interface NamesOptions {
  readonly operations?: 'all' | 'basic'
  readonly otherContainers?: readonly number[]
}

/** The room as a process has it, on a database that others may have open. */
async function openNamesRoom(
  on: {
    readonly url: string
    readonly service: Pick<MonitorService, 'url'>
    readonly clock: Pick<Clock, 'now'>
    tokenOf(owner: SlackUser): string | undefined
    addressOf?(userId: string): string | undefined
  },
  { operations = 'all', otherContainers = [] }: NamesOptions = {},
): Promise<NamesRoom> {
  const { url, clock, addressOf = () => undefined } = on
  const storage = await openUrl(url, clock.now)
  const basic = operations === 'basic'
  const monitor = createMonitor({ baseUrl: on.service.url, retryDelayMs: 1, budgetMs: 1_000, basic })
  onTestFinished(() => monitor.close())
  const memory = createNamesMemory()
  const identity = { handle: undefined, name: undefined }
  return {
    monitor,
    basic,
    memory,
    ownIds: storage.ownIds,
    people: { in: () => ({ identityOf: async (userId) => ({ ...identity, email: addressOf(userId) }) }) },
    async tokenOf(owner) {
      const token = on.tokenOf(owner)
      if (token !== undefined) memory.used(owner, token)
      return token
    },
    otherContainers: async () => otherContainers,
    underWay: { people: singleFlights(), learning: singleFlights() },
    now: clock.now,
  }
}

/** Alice is 7 at the service, Bob 8 and Dave 9; all are on container 12, “Customer 1”. */
export async function openNames(options: NamesOptions = {}): Promise<NamesWorld> {
  const clock = startClock()
  const service = await startMonitor({ clock: clock.now })
  onTestFinished(() => service.stop())
  const url = `file:${await databaseFile()}`
  const tokens = new Map([
    [personKey(alice), aliceToken],
    [personKey(bob), bobToken],
  ])
  const addresses = new Map([
    [alice.userId, 'alice@example.com'],
    [bob.userId, 'bob@example.com'],
  ])
  const people = [
    { id: 7, name: 'Alice Archer', email: 'alice@example.com' },
    { id: 8, name: 'Bob Baker', email: 'bob@example.com' },
    { id: 9, name: 'Dave Doe', email: 'dave@example.com' },
  ]
  service.addToken({ token: aliceToken, name: 'alice', flags: ['API', 'READ'], userId: 7 })
  service.addToken({ token: bobToken, name: 'bob', flags: ['API', 'READ'], userId: 8 })
  service.addContainer(12, { users: people })

  async function another(changes: NamesOptions = options) {
    const on = {
      ...{ url, service, clock },
      tokenOf: (owner: SlackUser) => tokens.get(personKey(owner)),
      addressOf: (userId: string) => addresses.get(userId),
    }
    const room = await openNamesRoom(on, changes)
    for (const owner of [alice, bob]) await room.tokenOf(owner)
    return room
  }

  let seen = 0
  const reader = createMonitor({ baseUrl: service.url })
  onTestFinished(() => reader.close())
  return {
    service,
    clock,
    room: await another(),
    tokens,
    addresses,
    another,
    asked() {
      const paths = service.requests.slice(seen).map(({ path }) => path)
      seen = service.requests.length
      return paths
    },
    async alert(ks, token = aliceToken) {
      const alert = await reader.readAlert(token, ks)
      seen = service.requests.length
      return alert
    },
  }
}

/** As a card is made: what is known at once, and then what was learned. */
export const ofCustomer = (people: Readonly<Record<string, string>>) => ({
  people,
  container: { id: 12, name: 'Customer 1' },
})
