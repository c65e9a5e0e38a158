// Environment → Config. Every problem is reported in one go, and none repeats a secret.

import leven from 'leven'
import { z } from 'zod'
import type { EncryptionKey } from '../account/vault.ts'
import { holdsKey } from '../alert/link.ts'
import { ConfigError } from '../errors.ts'
import type { Flag } from '../grant/flags.ts'
import { defaultRoles, type Roles } from '../grant/roles.ts'
import type { HttpsProxy } from '../http/agent.ts'
import { type LogLevel, logLevels } from '../log/log.ts'
import type { MentionIds } from '../slack/text/mrkdwn.ts'
import * as values from './values.ts'

export interface Config {
  readonly slack: {
    readonly botToken: string
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
  /** The form of alerts' links; undefined where none is set, or the service must not be asked which alert they lead to. */
  readonly alertUrl: string | undefined
  /** Alerts can be changed, and the service is asked for names: MONITOR_OPERATIONS is not basic. */
  readonly canAct: boolean
  /** As the service spells them. */
  readonly authProviders: readonly string[]
  /** Eight, from 0, the most severe. */
  readonly severityNames: readonly string[]
  readonly roles: Roles
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
  readonly logLevel: LogLevel
  /** What looks wrong, though it may be right: a sentence each, which begins with the variable. */
  readonly doubts: readonly string[]
}

export type Environment = Readonly<Record<string, string | undefined>>

export type Operations = 'all' | 'basic'

export const settings = z.object({
  SLACK_BOT_TOKEN: z
    .string(
      'is missing. Copy the bot token (xoxb-…) from your app at api.slack.com/apps, OAuth & Permissions.',
    )
    .pipe(
      values.text(
        /^xoxb-[\w-]+$/,
        'is not a bot token, which starts with xoxb-. Copy it from your app, OAuth & Permissions. (One that starts with xoxe. expires within hours: create a new app from `npm run manifest`, without token rotation.)',
      ),
    ),
  SLACK_APP_TOKEN: values
    .text(
      /^xapp-[\w-]+$/,
      'is not an app-level token, which starts with xapp-. Create one at your app, Basic Information, with the scope connections:write.',
    )
    .optional(),
  SLACK_SIGNING_SECRET: values
    .text(
      /^(?!xox|xapp)[\da-z]{20,}$/i,
      'is not a signing secret. Copy it from your app, Basic Information, App Credentials; it is hidden until you press Show.',
    )
    .optional(),
  SLACK_API_URL: values.address('https://slack.com/api').prefault('https://slack.com/api'),
  HTTPS_PROXY: values.proxy.optional(),
  NO_PROXY: z.string().optional(),
  MONITOR_API_URL: z
    .string(
      'is missing. Set it to the base address of the monitoring service’s API, such as https://monitoring.example.com/api.',
    )
    .pipe(values.address('https://monitoring.example.com/api')),
  MONITOR_ALERT_URL: values.alertUrl.optional(),
  MONITOR_OPERATIONS: values.choice('all', 'basic').prefault('all'),
  UNFURL: values.choice('on', 'off').prefault('on'),
  MONITOR_CA_FILE: values.certificates.optional(),
  AUTH_PROVIDERS: values.names({ characters: 75 }).prefault('Password,Google,Microsoft'),
  SEVERITY_NAMES: values
    .names({ characters: 40, count: 8 })
    .prefault('EMERGENCY,ALERT,CRITICAL,ERROR,WARNING,NOTICE,INFORMATIONAL,DEBUG'),
  GRANT_PRESETS: values.roles.optional(),
  APPROVAL_FLAGS: values.flagList.optional(),
  APPROVAL_CHANNEL: values.channel.optional(),
  APPROVAL_MENTION: values.mentioned.optional(),
  APPROVAL_TTL_HOURS: values.number('number of hours', { from: 1, to: 720 }).prefault('24'),
  WATCH_INTERVAL_SECONDS: values.number('number of seconds', { from: 1, to: 3600 }).prefault('30'),
  WATCH_TTL_HOURS: values.number('number of hours', { from: 1, to: 720 }).prefault('24'),
  RATE_PER_MINUTE: values.number('number of requests', { from: 0, to: 1000 }).prefault('30'),
  ENCRYPTION_KEYS: values.encryptionKeys,
  AUDIT_DAYS: values.number('number of days', { from: 0, to: 3650 }).prefault('400'),
  AUDIT_CHANNEL: values.channel.optional(),
  DATABASE_URL: values.databaseUrl.prefault('file:./data/bellhop.db'),
  HOST: values
    .text(
      /^[\w.:-]+$/,
      'is not an address to listen on. Use 0.0.0.0 for every address, or 127.0.0.1 for this machine only.',
    )
    .prefault('0.0.0.0'),
  PORT: values.number('port', { from: 0, to: 65_535 }).prefault('3000'),
  PUBLIC_URL: values.address('https://bellhop.example.com').optional(),
  LOG_LEVEL: values.choice(...logLevels).prefault('info'),
})

/** Every variable that is read. */
export const settingNames: readonly string[] = Object.keys(settings.shape)

const noTransport =
  'SLACK_APP_TOKEN or SLACK_SIGNING_SECRET: one of the two is missing. With SLACK_APP_TOKEN (xapp-…, from Basic Information in your app), Bellhop uses Socket Mode, which needs no public address; with SLACK_SIGNING_SECRET, HTTP.'

/** @throws ConfigError with every problem, each naming its variable and the mend. */
export function parseConfig(environment: Environment): Config {
  const env = withoutBlanks(environment)
  const read = settings.safeParse(env)
  const hasTransport = env.SLACK_APP_TOKEN !== undefined || env.SLACK_SIGNING_SECRET !== undefined
  const problems = [
    ...(hasTransport ? [] : [noTransport]),
    ...problemsOf(read.error, env),
    ...misspelt(environment),
  ]
  if (read.data === undefined || problems.length > 0) throw new ConfigError(problems)

  const { SLACK_APP_TOKEN: appToken, SLACK_SIGNING_SECRET: signingSecret = '', ...rest } = read.data
  const links = monitorOf(rest)
  const isUseless = links.alertUrl !== undefined && workingAlertUrl(links) === undefined
  return {
    slack: {
      botToken: rest.SLACK_BOT_TOKEN,
      transport: appToken === undefined ? { kind: 'http', signingSecret } : { kind: 'socket', appToken },
      apiUrl: `${rest.SLACK_API_URL}/`,
    },
    proxy: proxyOf(rest),
    monitor: { ...links, apiUrl: rest.MONITOR_API_URL, authorities: rest.MONITOR_CA_FILE },
    alertUrl: workingAlertUrl(links),
    canAct: rest.MONITOR_OPERATIONS === 'all',
    authProviders: rest.AUTH_PROVIDERS,
    severityNames: rest.SEVERITY_NAMES,
    roles: rest.GRANT_PRESETS ?? defaultRoles,
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
    logLevel: rest.LOG_LEVEL,
    doubts: isUseless ? [uselessAlertUrl] : [],
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

/** @param read - As the settings are read. */
export function proxyOf(read: {
  readonly HTTPS_PROXY?: string | undefined
  readonly NO_PROXY?: string | undefined
}): HttpsProxy | undefined {
  const { HTTPS_PROXY: url, NO_PROXY: except = '' } = read
  return url === undefined ? undefined : { url, except }
}

/**
 * The one setting that `npm run backup` needs.
 * @throws ConfigError as `parseConfig`.
 */
export function parseDatabaseUrl(environment: Environment): string {
  return readThese(settings.pick({ DATABASE_URL: true }), withoutBlanks(environment)).DATABASE_URL
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
  if (!read.success) throw new ConfigError(problemsOf(read.error, env))
  return read.data
}

/** An empty line in a `.env` file means: not set. Other programs write those of the proxy in small letters too. */
export function withoutBlanks(environment: Environment): Environment {
  const given = (name: string) => environment[name]?.trim() || undefined
  const inSmall = (name: string) => (name.endsWith('_PROXY') ? given(name.toLowerCase()) : undefined)
  return Object.fromEntries(settingNames.map((name) => [name, given(name) ?? inSmall(name)]))
}

const inQuotes =
  'is in quotes, and the quotes count as part of it. Remove them: a shell would drop them, but docker --env-file keeps them.'

function problemsOf(error: z.ZodError | undefined, env: Environment): readonly string[] {
  const isQuoted = (name: string) => /^(["']).*\1$/s.test(env[name] ?? '')
  const told = (error?.issues ?? []).map(({ path, message }) => ({ name: String(path[0]), message }))
  return [
    ...settingNames.filter(isQuoted).map((name) => `${name}: ${inQuotes}`),
    ...told.filter(({ name }) => !isQuoted(name)).map(({ name, message }) => `${name}: ${message}`),
  ]
}

/** Of other programs, and near enough to one of ours. */
const othersNames: ReadonlySet<string> = new Set(['HTTP_PROXY', 'HTTPS_PROXY'])

/** Names of settings with a slip in them: nobody would notice that what they set has no effect. */
function misspelt(environment: Environment): readonly string[] {
  const long = settingNames.filter((name) => name.length >= 8 && name.includes('_'))
  return Object.keys(environment).flatMap((name) => {
    if (!environment[name]?.trim() || settingNames.includes(name) || othersNames.has(name)) return []
    const meant = long.find((one) => leven(one, name) <= 2)
    return meant === undefined ? [] : [`${name}: is no setting of Bellhop. Did you mean ${meant}?`]
  })
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
    databaseUrl: shape.DATABASE_URL.safeParse(env.DATABASE_URL).data,
    encryptionKeys: shape.ENCRYPTION_KEYS.safeParse(env.ENCRYPTION_KEYS).data,
    proxy: proxyOf({
      HTTPS_PROXY: shape.HTTPS_PROXY.safeParse(env.HTTPS_PROXY).data,
      NO_PROXY: env.NO_PROXY,
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
