// Probes that tell whether the bot is alive, and whether it is ready to work.

import { version } from '../config/version.ts'
import { inTime } from '../work/under-way.ts'
import type { Handler } from './server.ts'

/** `ok`, and which version answers. */
export const alive: Handler = (_request, response) => {
  response.writeHead(200, { 'content-type': 'text/plain' }).end(`ok ${version}`)
}

/** In the text format of Prometheus. */
export function figures(metrics: { readonly contentType: string; text(): Promise<string> }): Handler {
  return async (_request, response) => {
    const text = await metrics.text()
    response.writeHead(200, { 'content-type': metrics.contentType }).end(text)
  }
}

/** Says in a few words, without a host or a secret, why something isn't ready; undefined if it is. */
export type ReadyCheck = () => string | undefined | Promise<string | undefined>

/** Those who ask have little time, and ask again. */
const checkedWithinMs = 2_500

type Checks = Readonly<Record<string, ReadyCheck>>

/** Answers with what `readinessOf` says. */
export function readiness(checks: Checks): Handler {
  return async (_request, response) => {
    const { status, text } = await readinessOf(checks)
    response.writeHead(status, { 'content-type': 'text/plain' }).end(text)
  }
}

/** Each check with its reason, a line each, and status 503; `ok` when all is ready. */
export async function readinessOf(
  checks: Checks,
): Promise<{ readonly status: 200 | 503; readonly text: string }> {
  const results = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => ({ name, reason: await reasonOf(check) })),
  )
  if (results.every(({ reason }) => reason === undefined)) return { status: 200, text: 'ok' }
  const lines = results.map(({ name, reason }) => `${name}: ${reason ?? 'ready'}`)
  return { status: 503, text: ['not ready', ...lines].join('\n') }
}

async function reasonOf(check: ReadyCheck): Promise<string | undefined> {
  const ask = async () => ({ reason: await check() })
  try {
    const found = await inTime(ask(), checkedWithinMs)
    return found === undefined ? 'does not answer in time' : found.reason
  } catch {
    return 'could not be checked'
  }
}
