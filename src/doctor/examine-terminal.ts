// Doctor's checks where no bot runs, as far as the settings can be read.
import type { Config } from '../config.ts'
import { type ReadableSettings, readSettings } from '../config-readable.ts'
import type { Monitor } from '../monitor/client.ts'
import type { Clock } from '../slack/ids.ts'
import type { Message } from '../slack/message.ts'
import type { OpenProbe } from '../slack/open-probe.ts'
import { cardCheck } from './card.ts'
import type { Check } from './check.ts'
import type { Health } from './health.ts'
import { figuresUrl } from './running.ts'
import { serviceCheck } from './service.ts'
import { settingCheck, settingProblems, unusedIn } from './settings.ts'
import { slackTokenCheck, socketOfferCheck } from './slack.ts'
import { storageCheck } from './storage.ts'
import { unprovenHttpCheck } from './transport.ts'
import { versionCheck } from './versions.ts'

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
  /** Of a bot that runs on this machine; undefined where none does. */
  readonly figures: (url: string) => Promise<string | undefined>
  readonly now: Clock
}

/** A look at each thing that its settings allow to look at. */
export function terminalChecks(
  environment: Parameters<typeof readSettings>[0],
  reach: Reach,
): readonly Check[] {
  const read = readSettings(environment)
  const figures = figuresOf(read, reach)
  return [
    read.config === undefined ? problemCheck(read.problems) : settingCheck(read.config, figures),
    ...slackChecks(read, reach),
    ...(read.monitorApiUrl === undefined ? [] : [serviceCheck(reach.monitor(read.monitorApiUrl), reach.now)]),
    ...arrivalChecks(read, figures),
    ...databaseChecks(read, reach),
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

type Figures = () => Promise<string | undefined>

/** Asked for once, whoever looks at them. */
function figuresOf({ config }: ReadableSettings, { figures }: Reach): Figures {
  let asked: ReturnType<Figures> | undefined
  return async () => {
    if (config === undefined) return undefined
    asked ??= figures(figuresUrl(config))
    return asked
  }
}

function arrivalChecks({ config }: ReadableSettings, figures: Figures): readonly Check[] {
  return config?.slack.transport.kind === 'http' ? [unprovenHttpCheck(figures)] : []
}

function databaseChecks(
  { databaseUrl, encryptionKeys }: ReadableSettings,
  { storage, keyProblems }: Reach,
): readonly Check[] {
  if (databaseUrl === undefined) return []
  return [
    storageCheck(
      () => storage(databaseUrl),
      false,
      (checks) => (encryptionKeys === undefined ? [] : keyProblems(checks, encryptionKeys)),
    ),
  ]
}
