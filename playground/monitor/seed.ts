// A lively set of alerts, containers, users and tokens for the playground, and events that move it on.
import { seedAlerts } from './seed-alerts.ts'
import type { MonitorService } from './start-monitor.ts'
import { type Happened, tellStory } from './story.ts'

/** Tokens of the seed. `alice` may do everything, `bob` only reads, `carol` adds people to 12 alone, `mallory` nothing. */
export const seedTokens = {
  alice: 'demo-alice-token',
  bob: 'demo-bob-token',
  carol: 'demo-carol-token',
  mallory: 'demo-mallory-token',
} as const

export interface Seed {
  /** Keys of the alerts, the most telling first. */
  readonly keys: readonly string[]
  /** Moves one alert on. */
  nextEvent(): Happened
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

  service.addUser({ email: 'dave@example.com' })
  service.addUser({ email: 'erin@example.com', authProvider: 'Google' })
  service.addUser({ email: 'erin@example.com', authProvider: 'Microsoft' })
  service.addUser({ email: 'frank@example.com', authProvider: 'Google' })
  service.addUser({ email: 'grace@example.com', authProvider: 'Microsoft' })
  service.addUser({ email: "o'hara+ops@example.com" })
  service.addContainer(12, { users: ['alice@example.com', 'bob@example.com'] })
  service.addContainer(34, { users: ['alice@example.com'] })

  const handles = seedAlerts(Math.floor(now / 1_000)).map((alert) => service.addAlert(alert))
  const living = ['disk-full', 'web server 503', 'one-hit']
  return {
    keys: handles.map(({ ks }) => ks),
    nextEvent: tellStory(
      service,
      handles.filter(({ ks }) => living.includes(ks)),
    ),
  }
}
