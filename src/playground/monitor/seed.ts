// A lively set of alerts, containers, users and tokens for the playground, and events that move it on.
import { seedAlerts } from './seed-alerts.ts'
import type { MonitorService } from './start-monitor.ts'

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
  /** Moves one alert on, in an order that repeats. @returns What happened, for people. */
  nextEvent(): { readonly ks: string; readonly happened: string }
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
  const [live] = handles
  let step = 0

  return {
    keys: handles.map((handle) => handle.ks),
    nextEvent() {
      const event = events[step % events.length]
      step += 1
      if (live === undefined || event === undefined) throw new Error('The seed holds no alert.')
      event.happens(live)
      return { ks: live.ks, happened: event.name }
    },
  }
}

type Handle = ReturnType<MonitorService['addAlert']>

const events: readonly { readonly name: string; happens(alert: Handle): void }[] = [
  {
    name: 'a comment is added',
    happens: (alert) => alert.act({ kind: 'Comment', data: { userId: 7, message: 'Looking into it.' } }),
  },
  {
    name: 'another hit, more severe',
    happens: (alert) => alert.hit({ message: 'Disk /var is 98 % full', severity: 1 }),
  },
  {
    name: 'it is assigned',
    happens: (alert) =>
      alert.act({ kind: 'Assign', data: { userId: 7, ownerId: 9, message: 'Yours, please.' } }),
  },
  {
    name: 'an integration is called',
    happens: (alert) =>
      alert.act({ kind: 'IntegrationCall', data: { integration: 'pager', result: { status: 202 } } }),
  },
  { name: 'another hit, less severe', happens: (alert) => alert.hit({ severity: 4 }) },
  { name: 'it is closed', happens: (alert) => alert.close('Close', { userId: 9, message: 'Logs rotated.' }) },
]
