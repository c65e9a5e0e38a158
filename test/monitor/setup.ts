// A stand-in service with one alert, one container and a few tokens, and a client of it; both stop after the test.
import { createServer, type Server, type Socket } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import { type MonitorService, startMonitor } from '../../playground/monitor/start-monitor.ts'
import { MonitorError, type MonitorErrorCode } from '../../src/errors.ts'
import type { MonitorOptions } from '../../src/monitor/call.ts'
import { createMonitor } from '../../src/monitor/client.ts'
import type { ContainerUser } from '../../src/monitor/writes.ts'

export const token = 'alice-secret-0123456789'
export const powerlessToken = 'mallory-secret-0123456789'

export async function startService(): Promise<MonitorService> {
  const service = await startMonitor()
  onTestFinished(() => service.stop())
  service.addToken({ token, name: 'alice', flags: ['API', 'READ', 'CONTAINER_ACCESS'] })
  service.addToken({ token: powerlessToken, name: 'mallory', flags: [] })
  service.addUser({ email: 'dave@example.com' })
  service.addContainer(12, { users: ['alice@example.com'] })
  return service
}

/** Waits next to nothing between tries. */
export function connectTo(apiUrl: string, options: Partial<MonitorOptions> = {}) {
  const monitor = createMonitor({ apiUrl, retryDelayMs: 1, ...options })
  onTestFinished(() => monitor.close())
  return monitor
}

export async function setup(options: Partial<MonitorOptions> = {}) {
  const service = await startService()
  return { service, monitor: connectTo(service.url, options) }
}

/** A server below HTTP; stops after the test. */
export async function startSocketServer(onSocket: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const server: Server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}))
    onSocket(socket)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  return `127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`
}

export const dave: ContainerUser = {
  email: 'dave@example.com',
  authProvider: undefined,
  member: false,
  permissions: ['READ', 'API'],
}

/** The error that a call ends with, which must be a MonitorError. */
export async function failureOf(call: Promise<unknown>): Promise<MonitorError> {
  const error: unknown = await call.then(
    () => undefined,
    (failure: unknown) => failure,
  )
  if (!(error instanceof MonitorError)) throw new Error(`No MonitorError: ${String(error)}`)
  return error
}

export async function expectFailure(call: Promise<unknown>, code: MonitorErrorCode): Promise<void> {
  expect((await failureOf(call)).code).toBe(code)
}
