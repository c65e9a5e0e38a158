// The stand-in service with people who have names, and requests to it without Bellhop's client.
import { onTestFinished } from 'vitest'
import { type MonitorService, startMonitor } from '../../playground/monitor/start-monitor.ts'

const tokens = {
  alice: 'alice-token-0123',
  bob: 'bob-token-0123',
  robot: 'robot-token-0123',
  mallory: 'mallory-token-0123',
}

export interface How {
  readonly as?: keyof typeof tokens
  readonly headers?: Readonly<Record<string, string>>
}

export interface StandIn {
  readonly service: MonitorService
  /** So many milliseconds go by, by the stand-in's clock. */
  passes(ms: number): void
  ask(
    method: string,
    path: string,
    body?: unknown,
    how?: How,
  ): Promise<{ readonly status: number; readonly body: unknown }>
}

/** Alice may do everything on Customer 1 (12), Bob reads, the robot's token is the container's, Mallory lacks API. */
export async function startStandIn(): Promise<StandIn> {
  let now = 100_000
  const service = await startMonitor({ clock: () => now })
  onTestFinished(() => service.stop())
  const all = [
    'API',
    'READ',
    'CONTAINER_ACCESS',
    'ALERT_ASSIGN',
    'ALERT_CHANGE',
    'ASSET_MANAGEMENT',
  ] as const
  service.addToken({ token: tokens.alice, name: 'alice', flags: all, userId: 7 })
  service.addToken({ token: tokens.bob, name: 'bob', flags: ['API', 'READ'], userId: 8 })
  service.addToken({
    token: tokens.robot,
    name: 'robot',
    flags: { 12: ['API', 'ALERT_ASSIGN', 'ALERT_CHANGE'] },
  })
  service.addToken({
    token: tokens.mallory,
    name: 'mallory',
    flags: ['READ', 'ALERT_ASSIGN', 'ALERT_CHANGE'],
  })
  service.addContainer(12, {
    users: [
      { email: 'alice@example.com', id: 7, name: 'Alice Archer', member: true, permissions: all },
      { email: 'bob@example.com', id: 8 },
    ],
  })
  service.addUser({ email: 'dave.doe@example.com' })
  service.addAlert({
    ks: 'k1',
    containerId: 12,
    timestamp: 50,
    message: 'Disk is full',
    severity: 2,
  })
  return {
    service,
    passes(ms) {
      now += ms
    },
    async ask(method, path, body, { as = 'alice', headers = {} } = {}) {
      const response = await fetch(`${service.url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${tokens[as]}`,
          'content-type': 'application/json',
          ...headers,
        },
        ...(body === undefined
          ? {}
          : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const text = await response.text()
      return { status: response.status, body: response.ok && text !== '' ? JSON.parse(text) : text }
    },
  }
}
