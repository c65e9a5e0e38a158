// Doctor's checks where no bot runs, as far as the settings can be read.
import type { Config } from '../config/config.ts'
import { type ReadableSettings, readSettings } from '../config/readable.ts'
import { cardCheck } from '../doctor/checks/card.ts'
import type { Check } from '../doctor/checks/check.ts'
import { isMoved, ownUrl, readyCheck } from '../doctor/checks/running.ts'
import { serviceCheck } from '../doctor/checks/service.ts'
import { settingCheck, settingProblems, unusedIn } from '../doctor/checks/settings.ts'
import { slackTokenCheck, socketOfferCheck } from '../doctor/checks/slack.ts'
import { storageCheck } from '../doctor/checks/storage.ts'
import { unprovenHttpCheck } from '../doctor/checks/transport.ts'
import { versionCheck } from '../doctor/checks/versions.ts'
import type { Health } from '../doctor/health.ts'
import type { Monitor } from '../monitor/client.ts'
import type { Clock } from '../slack/ids.ts'
import type { Message } from '../slack/outbound/message.ts'
import type { OpenProbe } from '../slack/workspace/probe.ts'

export interface Reach {
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

/** A look at each thing that its settings allow to look at. */
export function terminalChecks(
  environment: Parameters<typeof readSettings>[0],
  reach: Reach,
): readonly Check[] {
  const read = readSettings(environment)
  const figures = saidBy(read, reach, '/metrics')
  const ready = saidBy(read, reach, '/readyz')
  return [
    read.config === undefined ? problemCheck(read.problems) : settingCheck(read.config, figures),
    ...slackChecks(read, reach),
    ...(read.monitorApiUrl === undefined ? [] : [serviceCheck(reach.monitor(read.monitorApiUrl), reach.now)]),
    ...arrivalChecks(read, figures),
    readyCheck(ready),
    ...databaseChecks(read, reach, ready),
    versionCheck(),
  ]
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
