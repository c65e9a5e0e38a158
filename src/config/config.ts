// Environment → Config. Pure, but for the file of MONITOR_CA_FILE; every problem is reported in one go, and none repeats
// a secret.

import { z } from 'zod'
import type { EncryptionKey } from '../account/vault.ts'
import { holdsKey } from '../alert/link.ts'
import { ConfigError } from '../errors.ts'
import type { Flag } from '../grant/flags.ts'
import { defaultRoles, type Roles } from '../grant/roles.ts'
import type { HttpsProxy } from '../http/proxy.ts'
import { type LogLevel, logLevels } from '../log/log.ts'
import type { MentionIds } from '../slack/text/mrkdwn.ts'
import * as slackBot from './slack-bot.ts'
import * as values from './values.ts'

export interface Config {
  readonly slack: {
    readonly bot: slackBot.SlackBot
    readonly transport:
      | { readonly kind: 'http'; readonly signingSecret: string }
      | { readonly kind: 'socket'; readonly appToken: string }
    /** Ends with a slash, as Slack's client wants it. */
    readonly apiUrl: string
  }
  /** Undefined where everything is reached directly. */
  readonly proxy: HttpsProxy | undefined
  readonly monitor: {
    /** Without a last slash. */
    readonly apiUrl: string
    /** Holds `{ks}` once, or `{asset}` and `{timestamp}` and what else alert/link.ts knows; all behind the host. */
    readonly alertUrl: string | undefined
    /** `basic`: nothing is asked of the service but to read an alert and to add a user. */
    readonly operations: Operations
    /** Certificates (PEM) that are trusted for the service beside those that Node trusts. */
    readonly authorities: readonly string[] | undefined
  }
  /** As the service spells them. */
  readonly authProviders: readonly string[]
  /** Eight, from 0, the most severe. */
  readonly severityNames: readonly string[]
  readonly roles: Roles
  /** Whether somebody who got access is told. */
  readonly grantNotice: boolean
  readonly watch: {
    readonly intervalMs: number
    readonly ttlHours: number
  }
  /** Whether links of alerts get a preview. */
  readonly unfurls: boolean
  readonly audit: {
    /** Where grants and approvals are told. */
    readonly channelId: string | undefined
    /** How long records are kept; 0 keeps them for ever. */
    readonly days: number
  }
  readonly approval: {
    /** A grant with one of these is not sent before a colleague has approved it. */
    readonly flags: readonly Flag[]
    /** Where requests are posted; else in the channel of the command. */
    readonly channelId: string | undefined
    /** Who is mentioned with each. */
    readonly mention: MentionIds
    readonly ttlHours: number
  }
  /** Requests of one person. */
  readonly ratePerMinute: number
  /** At least one; the first seals. */
  readonly encryptionKeys: readonly EncryptionKey[]
  readonly databaseUrl: string
  /** Without a last slash. */
  readonly publicUrl: string | undefined
  readonly host: string
  readonly port: number
  /** How long everything is still answered once the bot was asked to stop. */
  readonly shutdownDelayMs: number
  readonly logLevel: LogLevel
  /** What looks wrong, though it may be right: a sentence each, which begins with the variable. */
  readonly doubts: readonly string[]
}

export type Environment = Readonly<Record<string, string | undefined>>

/** A setting's reader as zod takes it; `missing` says what to do when there is none. */
function setting<Value>(read: (text: string) => Value, missing?: string) {
  return z.string({ error: missing }).transform((text, context): Value => {
    try {
      if (isQuoted(text)) throw new values.Wrong(inQuotes)
      return read(text)
    } catch (error) {
      if (!(error instanceof values.Wrong)) throw error
      for (const message of error.problems) context.addIssue({ code: 'custom', message })
      return z.NEVER
    }
  })
}

/** `docker --env-file` takes them for part of the value; a shell, and Node's own reader of .env, do not. */
function isQuoted(text: string): boolean {
  return text.length > 1 && /^["']/.test(text) && text.at(-1) === text[0]
}

const inQuotes =
  'is in quotes, and the quotes count as part of it. Remove them: a shell would drop them, but docker --env-file keeps them.'

const providers = values.readNames('the sign-in providers', { characters: 75 })
const severities = values.readNames('from 0, the most severe, to 7', { count: 8, characters: 40 })

/** What may be asked of the service: everything, or reading an alert and adding a user alone. */
const operationSets = ['all', 'basic'] as const
export type Operations = (typeof operationSets)[number]

export const settings = z.object({
  SLACK_BOT_TOKEN: setting(slackBot.readBotToken).optional(),
  SLACK_CLIENT_ID: setting(slackBot.readClientId).optional(),
  SLACK_CLIENT_SECRET: setting(slackBot.readClientSecret).optional(),
  SLACK_STATE_SECRET: setting(slackBot.readStateSecret).optional(),
  SLACK_SIGNING_SECRET: setting(slackBot.readSigningSecret).optional(),
  SLACK_APP_TOKEN: setting(slackBot.readAppToken).optional(),
  SLACK_API_URL: setting(values.readAddress('https://slack.com/api')).prefault('https://slack.com/api'),
  SLACK_CONFIG_TOKEN: setting(slackBot.readConfigToken).optional(),
  MONITOR_API_URL: setting(
    values.readAddress('https://monitoring.example.com/api'),
    'is missing. Set it to the base address of the monitoring service’s API, such as https://monitoring.example.com/api.',
  ),
  MONITOR_ALERT_URL: setting(values.readAlertUrl).optional(),
  MONITOR_OPERATIONS: setting(values.readChoice(operationSets)).prefault('all'),
  MONITOR_CA_FILE: setting(values.readCertificates).optional(),
  AUTH_PROVIDERS: setting(providers).prefault('Password,Google,Microsoft'),
  ENCRYPTION_KEYS: setting(
    values.readEncryptionKeys,
    'is missing. Create one with `npm run keygen`, and keep a copy in a safe place.',
  ),
  DATABASE_URL: setting(values.readDatabaseUrl).prefault('file:./data/bellhop.db'),
  HTTPS_PROXY: setting(values.readProxy).optional(),
  NO_PROXY: setting(values.readHosts).optional(),
  PUBLIC_URL: setting(values.readAddress('https://bellhop.example.com')).optional(),
  HOST: setting(values.readHost).prefault('0.0.0.0'),
  PORT: setting(values.readPort).prefault('3000'),
  SHUTDOWN_DELAY_SECONDS: setting(values.readNumber('seconds', { from: 0, to: 300 })).prefault('0'),
  LOG_LEVEL: setting(values.readChoice(logLevels)).prefault('info'),
  GRANT_PRESETS: setting(values.readRoles).optional(),
  GRANT_NOTICE: setting(values.readChoice(['on', 'off'])).prefault('on'),
  WATCH_INTERVAL_SECONDS: setting(values.readNumber('seconds', { from: 1, to: 3600 })).prefault('30'),
  WATCH_TTL_HOURS: setting(values.readNumber('hours', { from: 1, to: 720 })).prefault('24'),
  UNFURL: setting(values.readChoice(['on', 'off'])).prefault('on'),
  AUDIT_CHANNEL: setting(values.readChannel).optional(),
  AUDIT_DAYS: setting(values.readNumber('days', { from: 0, to: 3650 })).prefault('400'),
  APPROVAL_CHANNEL: setting(values.readChannel).optional(),
  APPROVAL_MENTION: setting(values.readMentioned).optional(),
  APPROVAL_FLAGS: setting(values.readFlags).optional(),
  APPROVAL_TTL_HOURS: setting(values.readNumber('hours', { from: 1, to: 720 })).prefault('24'),
  RATE_PER_MINUTE: setting(values.readNumber('requests', { from: 0, to: 1000 })).prefault('30'),
  SEVERITY_NAMES: setting(severities).prefault(
    'EMERGENCY,ALERT,CRITICAL,ERROR,WARNING,NOTICE,INFORMATIONAL,DEBUG',
  ),
})

/** Every variable that is read. */
export const settingNames: readonly string[] = Object.keys(settings.shape)

/** @throws ConfigError with every problem, each naming its variable and the mend. */
export function parseConfig(environment: Environment): Config {
  const env = withoutBlanks(environment)
  // For one command alone: the bot starts whatever is in it.
  const read = settings.omit({ SLACK_CONFIG_TOKEN: true }).safeParse(env)
  const hasTransport = env.SLACK_APP_TOKEN !== undefined || env.SLACK_SIGNING_SECRET !== undefined
  const problems = [
    ...slackBot.botProblems(env),
    ...problemsOf(read.error),
    ...(hasTransport ? [] : [noTransport]),
  ]
  const bot = read.data && slackBot.botOf(read.data)
  if (read.data === undefined || bot === undefined || problems.length > 0) throw new ConfigError(problems)

  const { SLACK_APP_TOKEN: appToken, SLACK_SIGNING_SECRET: signingSecret = '', ...rest } = read.data
  return {
    slack: {
      bot,
      transport: appToken === undefined ? { kind: 'http', signingSecret } : { kind: 'socket', appToken },
      apiUrl: `${rest.SLACK_API_URL}/`,
    },
    proxy: proxyOf(rest),
    monitor: { ...monitorOf(rest), apiUrl: rest.MONITOR_API_URL, authorities: rest.MONITOR_CA_FILE },
    authProviders: rest.AUTH_PROVIDERS,
    severityNames: rest.SEVERITY_NAMES,
    roles: rest.GRANT_PRESETS ?? defaultRoles,
    grantNotice: rest.GRANT_NOTICE === 'on',
    watch: { intervalMs: rest.WATCH_INTERVAL_SECONDS * 1000, ttlHours: rest.WATCH_TTL_HOURS },
    unfurls: rest.UNFURL === 'on',
    audit: { channelId: rest.AUDIT_CHANNEL, days: rest.AUDIT_DAYS },
    approval: {
      flags: rest.APPROVAL_FLAGS ?? [],
      channelId: rest.APPROVAL_CHANNEL,
      mention: rest.APPROVAL_MENTION ?? [],
      ttlHours: rest.APPROVAL_TTL_HOURS,
    },
    ratePerMinute: rest.RATE_PER_MINUTE,
    encryptionKeys: rest.ENCRYPTION_KEYS,
    databaseUrl: rest.DATABASE_URL,
    publicUrl: rest.PUBLIC_URL,
    host: rest.HOST,
    port: rest.PORT,
    shutdownDelayMs: rest.SHUTDOWN_DELAY_SECONDS * 1000,
    logLevel: rest.LOG_LEVEL,
    doubts: doubtsOf(
      appToken === undefined ? slackBot.signingSecretDoubt(signingSecret) : undefined,
      rest.MONITOR_ALERT_URL !== undefined && workingAlertUrl(monitorOf(rest)) === undefined
        ? uselessAlertUrl
        : undefined,
    ),
  }
}

/** How alerts' links are read. @param read - As the settings are read. */
export function monitorOf(read: {
  readonly MONITOR_ALERT_URL?: string | undefined
  readonly MONITOR_OPERATIONS: Operations
}): Pick<Config['monitor'], 'alertUrl' | 'operations'> {
  return { alertUrl: read.MONITOR_ALERT_URL, operations: read.MONITOR_OPERATIONS }
}

/** The form of alerts' links; undefined where none is set, or the service must not be asked which alert they lead to. */
export function workingAlertUrl({
  alertUrl,
  operations,
}: Pick<Config['monitor'], 'alertUrl' | 'operations'>): string | undefined {
  return alertUrl !== undefined && (operations === 'all' || holdsKey(alertUrl)) ? alertUrl : undefined
}

const uselessAlertUrl =
  'MONITOR_ALERT_URL: has no {ks}, so Bellhop can’t look up links while MONITOR_OPERATIONS is basic. ' +
  'Remove MONITOR_OPERATIONS, or use links with {ks}.'

function doubtsOf(...doubts: readonly (string | undefined)[]): readonly string[] {
  return doubts.filter((doubt) => doubt !== undefined)
}

/** @param read - As the settings are read. */
export function proxyOf(read: {
  readonly HTTPS_PROXY?: string | undefined
  readonly NO_PROXY?: readonly string[] | undefined
}): HttpsProxy | undefined {
  const { HTTPS_PROXY: url, NO_PROXY: except = [] } = read
  return url === undefined ? undefined : { url, except }
}

const noTransport =
  'SLACK_SIGNING_SECRET: is missing. Copy it from your app at api.slack.com/apps, Basic Information, ' +
  'or set SLACK_APP_TOKEN (xapp-…) to use Socket Mode, which needs no public address.'

/**
 * The one setting that `npm run backup` needs.
 * @throws ConfigError as `parseConfig`.
 */
export function parseDatabaseUrl(environment: Environment): string {
  return readThese(settings.pick({ DATABASE_URL: true }), withoutBlanks(environment)).DATABASE_URL
}

/**
 * What `npm run rotate-keys` needs beside `parseKept`: how long a request for approval stays open.
 * @throws ConfigError as `parseConfig`.
 */
export function parseApprovalTtlHours(environment: Environment): number {
  return readThese(settings.pick({ APPROVAL_TTL_HOURS: true }), withoutBlanks(environment)).APPROVAL_TTL_HOURS
}

/**
 * The settings that `npm run audit` and `npm run rotate-keys` need.
 * @throws ConfigError as `parseConfig`.
 */
export function parseKept(
  environment: Environment,
): Pick<Config, 'databaseUrl' | 'encryptionKeys'> & { readonly auditDays: number } {
  const needed = settings.pick({ DATABASE_URL: true, ENCRYPTION_KEYS: true, AUDIT_DAYS: true })
  const read = readThese(needed, withoutBlanks(environment))
  return { databaseUrl: read.DATABASE_URL, encryptionKeys: read.ENCRYPTION_KEYS, auditDays: read.AUDIT_DAYS }
}

/**
 * Some of the settings, whatever is wrong with the others.
 * @throws ConfigError as `parseConfig`.
 */
export function readThese<Needed extends z.ZodType>(needed: Needed, env: Environment): z.output<Needed> {
  const read = needed.safeParse(env)
  if (!read.success) throw new ConfigError(problemsOf(read.error))
  return read.data
}

/** Other programs write these in small letters too, and some in no other way. */
const eitherCase: ReadonlySet<string> = new Set(['HTTPS_PROXY', 'NO_PROXY'])

/** An empty line in a `.env` file means: not set. */
export function withoutBlanks(environment: Environment): Environment {
  const given = (name: string) => environment[name]?.trim() || undefined
  const trimmed = settingNames.map(
    (name) => [name, given(name) ?? (eitherCase.has(name) ? given(name.toLowerCase()) : undefined)] as const,
  )
  return Object.fromEntries(trimmed)
}

function problemsOf(error: z.ZodError | undefined): readonly string[] {
  return (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`)
}

/**
 * The settings one by one, for whoever explains what is wrong with them rather than starts: those that can be read,
 * whatever is wrong with the others.
 */
export interface ReadableSettings {
  /** When nothing is wrong. */
  readonly config: Config | undefined
  /** As ConfigError has them. */
  readonly problems: readonly string[]
  readonly botToken: string | undefined
  readonly appToken: string | undefined
  /** Ends with a slash. */
  readonly slackApiUrl: string | undefined
  readonly monitorApiUrl: string | undefined
  readonly monitorAuthorities: readonly string[] | undefined
  readonly publicUrl: string | undefined
  readonly databaseUrl: string | undefined
  readonly encryptionKeys: readonly EncryptionKey[] | undefined
  readonly proxy: HttpsProxy | undefined
}

/** Never throws. */
export function readSettings(environment: Environment): ReadableSettings {
  const env = withoutBlanks(environment)
  const { shape } = settings
  const slackApiUrl = shape.SLACK_API_URL.safeParse(env.SLACK_API_URL).data
  return {
    ...parsed(environment),
    botToken: shape.SLACK_BOT_TOKEN.safeParse(env.SLACK_BOT_TOKEN).data,
    appToken: shape.SLACK_APP_TOKEN.safeParse(env.SLACK_APP_TOKEN).data,
    slackApiUrl: slackApiUrl === undefined ? undefined : `${slackApiUrl}/`,
    monitorApiUrl: shape.MONITOR_API_URL.safeParse(env.MONITOR_API_URL).data,
    monitorAuthorities: shape.MONITOR_CA_FILE.safeParse(env.MONITOR_CA_FILE).data,
    publicUrl: shape.PUBLIC_URL.safeParse(env.PUBLIC_URL).data,
    databaseUrl: shape.DATABASE_URL.safeParse(env.DATABASE_URL).data,
    encryptionKeys: shape.ENCRYPTION_KEYS.safeParse(env.ENCRYPTION_KEYS).data,
    proxy: proxyOf({
      HTTPS_PROXY: shape.HTTPS_PROXY.safeParse(env.HTTPS_PROXY).data,
      NO_PROXY: shape.NO_PROXY.safeParse(env.NO_PROXY).data,
    }),
  }
}

function parsed(environment: Environment): Pick<ReadableSettings, 'config' | 'problems'> {
  try {
    return { config: parseConfig(environment), problems: [] }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return { config: undefined, problems: error.problems }
  }
}
