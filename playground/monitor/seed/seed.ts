// A lively set of alerts, containers, users and tokens for the playground, and events that move it on.

import type { MonitorService } from '../start-monitor.ts'
import { edgeCases } from './edge-cases.ts'
import { believableAlerts } from './seed-alerts.ts'
import { type AlertEvent, type Happened, Story } from './story.ts'

/** Tokens of the seed. `alice` may do everything, `bob` only reads, `carol` adds people to 12 alone, `mallory` nothing. */
export const seedTokens = {
  alice: 'demo-alice-token',
  bob: 'demo-bob-token',
  carol: 'demo-carol-token',
  mallory: 'demo-mallory-token',
} as const

/** Numbers of the assets that the alerts are on. */
const firstAsset = 31

export interface Seed {
  /** Keys of the alerts, the most telling first. */
  readonly keys: readonly string[]
  /** Keys of those that nobody would believe. */
  readonly edgeCases: ReadonlySet<string>
  /**
   * Moves an alert on.
   * @returns Undefined when there is no such alert, or when that cannot happen to it now.
   */
  happens(ks: string, event?: AlertEvent | 'next'): Happened | undefined
  /** Makes alerts, containers and users what they were at the start, their times included. Tokens stay as they are. */
  reset(): void
}

/** @param now - Milliseconds since 1970; the alerts lie before it. Default the present. */
export function seed(service: MonitorService, now: number = Date.now()): Seed {
  service.addToken({
    token: seedTokens.alice,
    name: 'alice',
    flags: ['API', 'READ', 'CONTAINER_ACCESS', 'ALERT_ASSIGN', 'ALERT_CHANGE'],
  })
  service.addToken({ token: seedTokens.bob, name: 'bob', flags: ['API', 'READ'] })
  service.addToken({
    token: seedTokens.carol,
    name: 'carol',
    flags: { 12: ['API', 'READ', 'CONTAINER_ACCESS'], 34: ['API', 'READ'] },
  })
  service.addToken({ token: seedTokens.mallory, name: 'mallory', flags: [] })

  const seconds = Math.floor(now / 1_000)
  const [believable, odd] = [believableAlerts(seconds), edgeCases(seconds)]
  // Each on an asset of its own, but for those that say where they are.
  const alerts = [...believable, ...odd].map((alert, index) => ({
    ...{ containerId: 12, assetId: firstAsset + index },
    ...alert,
  }))
  const stories = new Map<string, Story>()
  const fill = () => {
    addPeople(service)
    for (const alert of alerts) stories.set(alert.ks, new Story(service.addAlert(alert)))
  }
  fill()
  return {
    keys: alerts.map(({ ks }) => ks),
    edgeCases: new Set(odd.map(({ ks }) => ks)),
    happens: (ks, event = 'next') => stories.get(ks)?.happens(event),
    reset() {
      service.empty()
      fill()
    },
  }
}

function addPeople(service: MonitorService): void {
  service.addUser({ email: 'dave@example.com' })
  service.addUser({ email: 'erin@example.com', authProvider: 'Google' })
  service.addUser({ email: 'erin@example.com', authProvider: 'Microsoft' })
  service.addUser({ email: 'frank@example.com', authProvider: 'Google' })
  service.addUser({ email: 'grace@example.com', authProvider: 'Microsoft' })
  service.addUser({ email: "o'hara+ops@example.com" })
  service.addContainer(12, { users: ['alice@example.com', 'bob@example.com'] })
  service.addContainer(34, { users: ['alice@example.com'] })
}
