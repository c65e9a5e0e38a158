// Whether the bot is alive, and whether it is ready to work.
import type { Handler } from './server.ts'

export const alive: Handler = (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/plain' }).end('ok')
}

/** Names what is not ready, one line each, with status 503; `ok` when all is. */
export function readiness(checks: Readonly<Record<string, () => boolean | Promise<boolean>>>): Handler {
  return async (_request, response) => {
    const results = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => [name, await check()] as const),
    )
    const missing = results.filter(([, isReady]) => !isReady).map(([name]) => `${name} is not ready`)
    const status = missing.length === 0 ? 200 : 503
    response.writeHead(status, { 'content-type': 'text/plain' }).end(missing.join('\n') || 'ok')
  }
}
