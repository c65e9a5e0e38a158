// Doctor's looks at what Bellhop works with: monitoring, whether it answers and how fast; the database, whether it is reachable,
// up to date, writable, and sealed with these keys.
import type { EncryptionKey } from '../account/vault.ts'
import { keyProblems } from '../keys/key-checks.ts'
import type { Monitor } from '../monitor/client.ts'
import { remedies } from '../monitor/failures.ts'
import type { Inspection } from '../storage/migrate.ts'
import { type Problem, refusalFor } from '../storage/problem.ts'
import { type Check, green, red } from './check.ts'

export function serviceCheck(monitor: Pick<Monitor, 'probe'>): Check {
  return {
    name: 'Monitoring service',
    by: 'operator',
    async run() {
      const probe = await monitor.probe()
      if (probe.kind === 'silent')
        return [red(`Bellhop can’t reach it (${probe.code}).`, remedies[probe.cause])]
      const { status, tookMs } = probe
      // Nobody has shown a token.
      if (status === 401) return [green(`It answers in ${Math.max(1, Math.round(tookMs))} ms.`)]
      if (status === 429 || status >= 500)
        return [red(`It answers ${status}: it’s busy or something is wrong with it.`, tryAgain)]
      return [
        red(`Something answers ${status}, where the service would ask for a token (401).`, otherAddress),
      ]
    },
  }
}

const tryAgain = 'Try again in a minute, or tell whoever runs the service.'
const otherAddress =
  'Check MONITOR_API_URL: it must be the address of the API, not of the website. If it’s correct, a proxy in between may be answering.'

const toCome = 'The next start makes Bellhop’s tables, or updates them.'

/**
 * @param examine - Looks at the database over a connection of its own, and tries a write that it takes back. Makes and
 * changes nothing. Throws ConfigError when it cannot be reached, read or written, or is a newer version's.
 * @param keys - Of ENCRYPTION_KEYS.
 * @param bot - Of a bot that works with it: says what is wrong with it as of now.
 */
export function storageCheck(
  examine: () => Promise<Inspection>,
  keys: readonly EncryptionKey[],
  bot?: { problem(): Promise<Problem | undefined> },
): Check {
  return {
    name: 'Database',
    by: 'operator',
    async run() {
      const why = await bot?.problem()
      if (why !== undefined) throw refusalFor('the database', why)
      const { engine, pending, keyChecks } = await examine()
      const isReady = pending.length === 0
      return [
        green(isReady ? `${engine} is reachable, up to date and writable.` : `${engine}: ${toCome}`),
        ...keyProblems(keyChecks, keys).map((problem) => ({ name: 'Keys', ...red(problem) })),
      ]
    },
  }
}
