// `npm run doctor`: what is wrong, and how to fix it, before the first start as well. Exits with 1 when anything is red.
import { type Config, type Environment, parseConfig } from '../config/config.ts'
import { type Check, green, runChecks } from '../doctor/check.ts'
import { versionCheck } from '../doctor/doctor.ts'
import { renderReport } from '../doctor/render.ts'
import { operationsCheck, serviceCheck, storageCheck } from '../doctor/service.ts'
import { configuredChecks, fromSlackCheck } from '../doctor/slack.ts'
import { createLog, type Log } from '../log/log.ts'
import { createMonitor } from '../monitor/client.ts'
import { openSlackProbe } from '../slack/slack.ts'
import { inspectStorage } from '../storage/storage.ts'
import { type Print, runHere } from './command.ts'

export async function runDoctor(_words: unknown, env: Environment, print: Print): Promise<0 | 1> {
  const log = createLog({ level: 'silent' })
  const findings = await runChecks(checksOf(env, log), log)
  print.lines(renderReport(findings))

  return findings.some(({ state }) => state === 'red') ? 1 : 0
}

/** All checks; if settings are wrong, only their fault and the versions: other checks need the settings. */
function checksOf(env: Environment, log: Log): readonly Check[] {
  const name = 'Settings'
  try {
    const config = parseConfig(env)
    const right = { name, run: async () => [green('Everything that is required is set.')] }
    return [right, ...checksAtStart(config, log), versionCheck]
  } catch (error) {
    return [{ name, run: () => Promise.reject(error) }, versionCheck]
  }
}

function checksAtStart(config: Config, log: Log): readonly Check[] {
  const { proxy, monitor, databaseUrl, encryptionKeys } = config
  const { botToken, transport, apiUrl } = config.slack
  const service = createMonitor({ ...monitor, budgetMs: 4_000, proxy })
  const probe = openSlackProbe({ apiUrl, proxy, log }, botToken)

  return [
    ...configuredChecks(probe, config),
    fromSlackCheck(probe.offersSocket, transport),
    serviceCheck(service),
    operationsCheck(config.hasAllOperations),
    storageCheck(() => inspectStorage(databaseUrl), encryptionKeys),
  ]
}

if (import.meta.main) await runHere(runDoctor)
