// Tells whether the Bellhop in this container is alive, for its HEALTHCHECK: exits with 0 when it is, with 1 when not.
// It runs every minute, so it loads next to nothing: no parser of settings, no TypeScript, no fetch.
import { get } from 'node:http'

/** Less than the time-out of the check, so that it ends by itself. */
const patienceMs = 4_000
const port = process.env.PORT?.trim() || '3000'
/** Every address is none to ask at. */
const own = new Map([
  ['', '127.0.0.1'],
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
])
const listensOn = process.env.HOST?.trim() ?? ''
const host = own.get(listensOn) ?? listensOn

process.exitCode = 1
const asking = get({ host, port, path: '/healthz', timeout: patienceMs, agent: false }, (response) => {
  process.exitCode = response.statusCode === 200 ? 0 : 1
  response.resume()
})
asking.on('timeout', () => asking.destroy())
asking.on('error', () => undefined)
