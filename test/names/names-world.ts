// Names on their own: a house with the stand-in service, and people who are connected.
import { onTestFinished } from 'vitest'
import { type MonitorService, startMonitor } from '../../playground/monitor/start-monitor.ts'
import type { House } from '../../src/house.ts'
import type { Alert } from '../../src/monitor/schema.ts'
import { noNames } from '../../src/names/names.ts'
import type { SlackUser } from '../../src/slack/person.ts'
import { type Clock, startClock } from '../clock.ts'
import { openHouse } from '../house.ts'
import { connectTo } from '../monitor/setup.ts'
import { databaseFile } from '../storage/files.ts'

export const minuteMs = 60_000
export const alice = { workspaceId: 'T1', userId: 'U1' }
export const bob = { workspaceId: 'T1', userId: 'U2' }
export const aliceToken = 'alice-token-4f1c9a'
export const bobToken = 'bob-token-77d20e'

export interface NamesWorld {
  readonly service: MonitorService
  readonly clock: Clock
  readonly house: House
  /** What Slack shows of people’s addresses, by their id. */
  readonly addresses: Map<string, string>
  /** Another process on the same database, or the same one started again. */
  another(options?: NamesOptions): Promise<House>
  /** Paths that were asked for since the last call, without what is asked of them. */
  asked(): readonly string[]
  /** Reads an alert as its look-up does. */
  alert(ks: string, token?: string): Promise<Alert>
}

interface NamesOptions {
  readonly operations?: 'all' | 'basic'
  /** Containers of everybody’s cards and grants, the last first. */
  readonly otherContainers?: readonly number[]
  /** For each read. Default: a second. */
  readonly budgetMs?: number
}

/** Alice is 7 at the service, Bob 8 and Dave 9; all are on container 12, “Customer 1”. */
export async function openNames(options: NamesOptions = {}): Promise<NamesWorld> {
  const clock = startClock()
  const service = await startMonitor({ clock: clock.now })
  onTestFinished(() => service.stop())
  const url = `file:${await databaseFile()}`
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

  async function another({
    operations = 'all',
    otherContainers = [],
    budgetMs = 1_000,
  }: NamesOptions = options) {
    const house = await openHouse({
      env: { DATABASE_URL: url, MONITOR_API_URL: service.url, MONITOR_OPERATIONS: operations },
      now: clock.now,
      monitorOptions: { retryDelayMs: 1, budgetMs },
    })
    await uses(house, alice, aliceToken)
    await uses(house, bob, bobToken)
    const { slack, storage } = house
    const is = {
      isBot: false,
      isGuest: false,
      isDeactivated: false,
      isStranger: false,
      isAdmin: false,
      zone: undefined,
    }
    const somebody = { ...is, handle: undefined, name: undefined, shownName: '' }
    const whoIs = async (userId: string) => ({ ...somebody, email: addresses.get(userId) })
    const cards = otherContainers.map((id, at) => ({
      workspaceId: alice.workspaceId,
      id: String(id),
      ks: '',
      title: '',
      asker: alice,
      askerName: 'alice',
      at,
      channelId: undefined,
      isPrivate: false,
      told: [],
      posted: undefined,
      names: { ...noNames, container: { id, name: undefined } },
    }))
    const list: typeof storage.cards.list = async (by) =>
      'ownerId' in by ? cards : storage.cards.list(by)
    return {
      ...house,
      slack: { ...slack, people: { ...slack.people, whoIs } },
      storage: { ...storage, cards: { ...storage.cards, list } },
    }
  }

  let seen = 0
  const reader = connectTo(service.url)
  return {
    service,
    clock,
    house: await another(),
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

/** Connects somebody, who then looks something up. */
export async function uses({ tokens }: House, owner: SlackUser, token: string): Promise<void> {
  await tokens.keep(owner, token)
  await tokens.find(owner)
}

/** As a card is made: what is known at once, and then what was learned. */
export const ofCustomer = (people: Readonly<Record<string, string>>) => ({
  people,
  container: { id: 12, name: 'Customer 1' },
})
