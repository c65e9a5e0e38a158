// Doctor's looks at monitoring, and at the database: whether it is up to date, writable, and sealed with these keys.
import type { EncryptionKey } from '../account/vault.ts'
import { keyProblems } from '../keys/key-checks.ts'
import type { Monitor } from '../monitor/client.ts'
import { remedy } from '../monitor/failures.ts'
import type { Inspection } from '../storage/migrate.ts'
import { problemWords, refusalFor } from '../storage/problem.ts'
import type { Storage } from '../storage/storage.ts'
import { type Check, green, operatorCheck, red } from './check.ts'

/** Asks the service without a token: a 401 shows that it is there, and is the API. */
export function serviceCheck(monitor: Pick<Monitor, 'probe'>): Check {
  return operatorCheck('Monitoring service', async () => {
    const probe = await monitor.probe()
    if (probe.kind === 'silent') return [red(`Bellhop can’t reach it (${probe.code}).`, remedy)]
    const { status, tookMs } = probe
    if (status === 401) return [green(`It answers in ${Math.max(1, Math.round(tookMs))} ms.`)]
    return [
      red(`It answers ${status}, where the service would ask for a token (401).`, whatToCheck),
    ]
  })
}

const whatToCheck =
  'If it isn’t just busy, check MONITOR_API_URL: it must be the address of the API, not of the website or a proxy.'

/** Says that MONITOR_OPERATIONS is basic, for somebody who misses a button. */
export function operationsCheck(hasAllOperations: boolean): Check {
  return {
    name: 'Operations',
    run: async () => (hasAllOperations ? [] : [green(basicWords)]),
  }
}

const basicWords =
  'MONITOR_OPERATIONS is basic: Bellhop reads one alert at a time and adds people, and offers nothing else.'

const toCome = 'The next start makes Bellhop’s tables, or updates them.'

/** @param bot - The storage of the running bot, which knows its problem; left out by `npm run doctor`. */
export function storageCheck(
  examine: () => Promise<Inspection>,
  keys: readonly EncryptionKey[],
  bot?: Pick<Storage, 'problem'>,
): Check {
  return operatorCheck('Database', async () => {
    const why = await bot?.problem()
    if (why !== undefined) throw refusalFor('the database', problemWords[why])
    const { engine, isUpToDate, keyChecks } = await examine()
    return [
      green(
        isUpToDate ? `${engine} is reachable, up to date and writable.` : `${engine}: ${toCome}`,
      ),
      ...keyProblems(keyChecks, keys).map((problem) => ({ name: 'Keys', ...red(problem) })),
    ]
  })
}
