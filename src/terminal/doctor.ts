// `npm run doctor`: what is wrong, and how to mend it, before the first start as well. Exits with 1 when anything is
// red. `npm run doctor -- --ticket` leaves out hosts and files, too; `-- --blocks` asks Slack about the whole gallery.
import { setTimeout as delay } from 'node:timers/promises'
import { sampleCard } from '../alert/render/card.ts'
import { type Config, type Environment, workingAlertUrl } from '../config/config.ts'
import { type ReadableSettings, readSettings } from '../config/readable.ts'
import { cardCheck } from '../doctor/checks/card.ts'
import { type Check, runChecks, worstFirst } from '../doctor/checks/check.ts'
import { operationsCheck } from '../doctor/checks/operations.ts'
import { judgePictures, type Picture } from '../doctor/checks/pictures.ts'
import { isMoved, ownUrl, readyCheck } from '../doctor/checks/running.ts'
import { serviceCheck } from '../doctor/checks/service.ts'
import { settingCheck, settingProblems, unusedIn } from '../doctor/checks/settings.ts'
import { slackTokenCheck, socketOfferCheck } from '../doctor/checks/slack.ts'
import { storageCheck } from '../doctor/checks/storage.ts'
import { unprovenHttpCheck } from '../doctor/checks/transport.ts'
import { versionCheck } from '../doctor/checks/versions.ts'
import type { Health } from '../doctor/health.ts'
import { headline } from '../doctor/render.ts'
import { placesOf, renderReport, withoutSecretsOrPlaces } from '../doctor/render-report.ts'
import { keyProblems } from '../keys/key-checks.ts'
import { createLog } from '../log/log.ts'
import { createMonitor, type Monitor } from '../monitor/client.ts'
import type { FurtherState } from '../monitor/further.ts'
import { createPatience } from '../slack/client/patience.ts'
import type { Clock } from '../slack/ids.ts'
import type { Message } from '../slack/outbound/message.ts'
import { type OpenProbe, openSlackProbe } from '../slack/workspace/probe.ts'
import { inspectStorage } from '../storage/storage.ts'
import { runHere } from './command.ts'
import type { Print } from './print.ts'

export async function runDoctor(words: readonly string[], env: Environment, print: Print): Promise<number> {
  const read = readSettings(env)
  if (words.includes('--blocks')) return askAboutGallery(read, print)
  const { proxy, monitorAuthorities: authorities } = read
  const log = createLog({ level: 'silent' })
  const checks = terminalChecks(env, {
    slack: (botToken, apiUrl) => openSlackProbe({ botToken, apiUrl, proxy, log }),
    monitor: (baseUrl) => createMonitor({ baseUrl, budgetMs: 4_000, authorities, proxy }),
    storage: inspectStorage,
    keyProblems,
    card: ({ severityNames, monitor }) => sampleCard({ severityNames, alertUrl: workingAlertUrl(monitor) }),
    answer,
    now: Date.now,
  })
  const findings = worstFirst(await runChecks(checks, { log }))
  const places = words.includes('--ticket') ? placesOf(read) : []
  print.lines(withoutSecretsOrPlaces(renderReport(headline(findings), findings), places).split('\n'))
  return findings.some(({ state }) => state === 'red') ? 1 : 0
}

/** Undefined where nothing answers there. A bot that is not ready says so with 503, after 2.5 seconds at most. */
async function answer(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(3_500) })
    return response.ok || response.status === 503 ? await response.text() : undefined
  } catch {
    return undefined
  }
}

function askAboutGallery({ botToken, slackApiUrl, proxy }: ReadableSettings, print: Print): Promise<number> {
  return judgePictures({
    judge:
      botToken === undefined || slackApiUrl === undefined
        ? undefined
        : openSlackProbe({ botToken, apiUrl: slackApiUrl, proxy, log: createLog({ level: 'silent' }) }),
    pictures,
    patiently: createPatience(delay),
    print: (line) => print.lines([line]),
  })
}

/** Undefined where the playground, which has the gallery, or a package that it needs is not installed. */
async function pictures(): Promise<readonly Picture[] | undefined> {
  try {
    const { showAll } = await import('../../playground/pictures/gallery/show.ts')
    return (await showAll()).flatMap(({ entry: { name }, shown }): Picture[] => {
      if (shown.kind !== 'message') return [{ name, judged: { view: shown.view } }]
      // A sentence alone has nothing to judge.
      return shown.blocks.length === 0 ? [] : [{ name, judged: { message: { blocks: shown.blocks } } }]
    })
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return undefined
    throw error
  }
}

interface Reach {
  /** Both are made for what the settings say. */
  readonly slack: (
    botToken: string | undefined,
    apiUrl: string,
  ) => Pick<OpenProbe, 'scopes' | 'offersSocket' | 'complaintsAbout'>
  readonly monitor: (baseUrl: string) => Pick<Monitor, 'probe'>
  /** Throws ConfigError. */
  readonly storage: (url: string) => Promise<Health>
  /** What is wrong with the keys. */
  readonly keyProblems: (checks: Health['keyChecks'], keys: Config['encryptionKeys']) => readonly string[]
  /** A card as this configuration has it drawn. */
  readonly card: (config: Config) => Message
  /** Of a bot that runs on this machine, at its /metrics or /readyz; undefined where none does. */
  readonly answer: (url: string) => Promise<string | undefined>
  readonly now: Clock
}

/** Checks where no bot runs: a look at each thing that its settings allow to look at. */
function terminalChecks(environment: Parameters<typeof readSettings>[0], reach: Reach): readonly Check[] {
  const read = readSettings(environment)
  const figures = saidBy(read, reach, '/metrics')
  const ready = saidBy(read, reach, '/readyz')
  return [
    read.config === undefined ? problemCheck(read.problems) : settingCheck(read.config, figures),
    ...slackChecks(read, reach),
    ...(read.config === undefined ? [] : [operationsIn(read.config, reach.now)]),
    ...(read.monitorApiUrl === undefined ? [] : [serviceCheck(reach.monitor(read.monitorApiUrl), reach.now)]),
    ...arrivalChecks(read, figures),
    readyCheck(ready),
    ...databaseChecks(read, reach, ready),
    versionCheck(),
  ]
}

/** A bot that runs knows more: the doctor in Slack says it. */
function operationsIn({ monitor: { operations } }: Config, now: Clock): Check {
  const state: FurtherState = operations === 'basic' ? { kind: 'basic' } : { kind: 'all', off: [] }
  return operationsCheck(() => state, now)
}

function problemCheck(problems: readonly string[]): Check {
  return { name: 'Settings', run: async () => settingProblems(problems), ifSlow: '' }
}

function slackChecks(
  { config, botToken, appToken, slackApiUrl }: ReadableSettings,
  { slack, card }: Reach,
): readonly Check[] {
  if (slackApiUrl === undefined) return []
  const unused = config === undefined ? [] : unusedIn(config)
  const probe = botToken === undefined ? undefined : slack(botToken, slackApiUrl)
  return [
    ...(probe === undefined ? [] : [slackTokenCheck(probe.scopes, unused)]),
    ...(probe === undefined || config === undefined ? [] : [cardCheck(probe, card(config))]),
    ...(appToken === undefined
      ? []
      : [socketOfferCheck(() => slack(undefined, slackApiUrl).offersSocket(appToken))]),
  ]
}

type Said = () => Promise<string | undefined>

/** What the Bellhop that runs here says at an address; asked for once, whoever looks at it. */
function saidBy({ config }: ReadableSettings, { answer }: Reach, path: '/metrics' | '/readyz'): Said {
  let asked: ReturnType<Said> | undefined
  return async () => {
    if (config === undefined) return undefined
    asked ??= answer(ownUrl(path, config))
    return asked
  }
}

function arrivalChecks({ config }: ReadableSettings, figures: Said): readonly Check[] {
  return config?.slack.transport.kind === 'http' ? [unprovenHttpCheck(figures)] : []
}

function databaseChecks(
  { databaseUrl, encryptionKeys }: ReadableSettings,
  { storage, keyProblems }: Reach,
  ready: Said,
): readonly Check[] {
  if (databaseUrl === undefined) return []
  const check = storageCheck(
    () => storage(databaseUrl),
    false,
    (checks) => (encryptionKeys === undefined ? [] : keyProblems(checks, encryptionKeys)),
  )
  // What is in its place is not what the bot works with, and “the first start makes it” would be bad advice.
  return [{ ...check, run: async () => (isMoved(await ready()) ? [] : check.run()) }]
}

// Connections may still be open.
if (import.meta.main) process.exit(await runHere(runDoctor))
