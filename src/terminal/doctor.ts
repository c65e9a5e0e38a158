// `npm run doctor`: what is wrong, and how to fix it, before the first start as well. Exits with 1 when anything is red.
import { type Environment, type ReadableSettings, readSettings } from '../config/config.ts'
import { type Check, green, red, runChecks } from '../doctor/check.ts'
import { configuredChecks, versionCheck } from '../doctor/doctor.ts'
import { renderReport } from '../doctor/render.ts'
import { serviceCheck } from '../doctor/service.ts'
import { slackTokenCheck, socketOfferCheck, unprovenHttpCheck } from '../doctor/slack.ts'
import { storageCheck } from '../doctor/storage.ts'
import { createLog, type Log } from '../log/log.ts'
import { createMonitor } from '../monitor/client.ts'
import { openSlackProbe } from '../slack/slack.ts'
import { inspectStorage } from '../storage/storage.ts'
import { type Print, runHere } from './command.ts'

export async function runDoctor(_words: unknown, env: Environment, print: Print): Promise<0 | 1> {
  const log = createLog({ level: 'silent' })
  const findings = await runChecks(checksOf(readSettings(env), log), log)
  print.lines(renderReport(findings))
  return findings.some(({ state }) => state === 'red') ? 1 : 0
}

/** A look at each thing that the settings allow to look at, whatever is wrong with the others. */
function checksOf(read: ReadableSettings, log: Log): readonly Check[] {
  const { problems, monitorApiUrl, monitorAuthorities: authorities, proxy } = read
  const { databaseUrl, encryptionKeys } = read
  const service =
    monitorApiUrl && createMonitor({ baseUrl: monitorApiUrl, budgetMs: 4_000, authorities, proxy })
  return [
    settingCheck(problems),
    ...slackChecks(read, log),
    ...(service ? [serviceCheck(service)] : []),
    ...(databaseUrl ? [storageCheck(() => inspectStorage(databaseUrl), encryptionKeys)] : []),
    versionCheck,
  ]
}

/** The settings, as the start judges them. @param problems - As ConfigError has them. */
function settingCheck(problems: readonly string[]): Check {
  const all = green('Everything that is required is set.')
  const found = problems.length === 0 ? [all] : problems.map((one) => red(one))
  return { name: 'Settings', run: async () => found }
}

function slackChecks(read: ReadableSettings, log: Log): readonly Check[] {
  const { config, botToken, appToken, slackApiUrl: apiUrl, proxy } = read
  if (apiUrl === undefined) return []
  const probe = openSlackProbe({ apiUrl, proxy, log }, botToken)
  const ofToken = config ? configuredChecks(probe, config) : [slackTokenCheck(probe.scopes, true)]
  return [
    ...(botToken ? ofToken : []),
    ...(appToken ? [socketOfferCheck(() => probe.offersSocket(appToken))] : []),
    ...(config?.slack.transport.kind === 'http' ? [unprovenHttpCheck] : []),
  ]
}

if (import.meta.main) await runHere(runDoctor)
