// Environment → Config. Every problem is reported in one go, and none repeats a value.
import leven from 'leven'
import { z } from 'zod'
import { holdsKey } from '../alert/link.ts'
import { ConfigError } from '../errors.ts'
import { defaultRoles } from '../grant/roles.ts'
import { logLevels } from '../log/log.ts'
import {
  address,
  alertUrl,
  certificates,
  channel,
  choice,
  databaseUrl,
  encryptionKeys,
  flagList,
  mentioned,
  names,
  number,
  proxy,
  roles,
  text,
  timedFlags,
} from './values.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export const settings = z.object({
  SLACK_BOT_TOKEN: text(
    /^xoxb-[\w-]+$/,
    'is not a bot token, which starts with xoxb-. Copy it from your app, OAuth & Permissions. (One that starts with xoxe. expires within hours: create a new app from `npm run manifest`, without token rotation.)',
    'is missing. Copy the bot token (xoxb-…) from your app at api.slack.com/apps, OAuth & Permissions.',
  ),
  SLACK_APP_TOKEN: text(
    /^xapp-[\w-]+$/,
    'is not an app-level token, which starts with xapp-. Create one at your app, Basic Information, with the scope connections:write.',
  ).optional(),
  SLACK_SIGNING_SECRET: text(
    /^(?!xox|xapp)[\da-z]{20,}$/i,
    'is not a signing secret. Copy it from your app, Basic Information, App Credentials; it is hidden until you press Show.',
  ).optional(),
  SLACK_API_URL: address('https://slack.com/api').prefault('https://slack.com/api'),
  HTTPS_PROXY: proxy.optional(),
  NO_PROXY: z.string().optional(),
  MONITOR_API_URL: address('https://monitoring.example.com/api'),
  MONITOR_ALERT_URL: alertUrl.optional(),
  MONITOR_OPERATIONS: choice('all', 'basic').prefault('all'),
  MONITOR_CA_FILE: certificates.optional(),
  AUTH_PROVIDERS: names().prefault('Password,Google,Microsoft'),
  SEVERITY_NAMES: names(8).prefault(
    'EMERGENCY,ALERT,CRITICAL,ERROR,WARNING,NOTICE,INFORMATIONAL,DEBUG',
  ),
  GRANT_PRESETS: roles.default(defaultRoles),
  WATCH_INTERVAL_SECONDS: number(1, 3600).prefault('30'),
  WATCH_TTL_HOURS: number(1, 720).prefault('24'),
  FOLLOW_INTERVAL_SECONDS: number(1, 3600).prefault('60'),
  UNFURL: choice('on', 'off').prefault('on'),
  AUDIT_CHANNEL: channel.optional(),
  AUDIT_DAYS: number(0, 3650).prefault('400'),
  TIMED_FLAGS: timedFlags.default({}),
  APPROVAL_FLAGS: flagList.default([]),
  APPROVAL_CHANNEL: channel.optional(),
  APPROVAL_MENTION: mentioned.default([]),
  APPROVAL_TTL_HOURS: number(1, 720).prefault('24'),
  RATE_PER_MINUTE: number(0, 1000).prefault('30'),
  ENCRYPTION_KEYS: encryptionKeys,
  DATABASE_URL: databaseUrl.prefault('file:./data/bellhop.db'),
  PUBLIC_URL: address('https://bellhop.example.com').optional(),
  HOST: text(
    /^[\w.:-]+$/,
    'is not an address to listen on. Use 127.0.0.1 for this machine only, or 0.0.0.0 for every address.',
  ).prefault('127.0.0.1'),
  PORT: number(0, 65_535).prefault('3000'),
  LOG_LEVEL: choice(...logLevels).prefault('info'),
})

/** Addresses of InfraSonar: the service, if no other is set. */
const infraSonar = {
  MONITOR_API_URL: 'https://api.infrasonar.com',
  MONITOR_ALERT_URL:
    'https://app.infrasonar.com/container/{container}/asset/{asset}/alert?condition={condition}&item={item}&alert={timestamp}',
}

export const settingNames: readonly string[] = Object.keys(settings.shape)

const noTransport =
  'SLACK_APP_TOKEN or SLACK_SIGNING_SECRET: one of the two is missing. With SLACK_APP_TOKEN (xapp-…, from Basic Information in your app), Bellhop uses Socket Mode, which needs no public address; with SLACK_SIGNING_SECRET, HTTP.'

export type Config = Readonly<ReturnType<typeof configOf>>

function configOf(read: z.output<typeof settings>) {
  const { SLACK_APP_TOKEN: appToken, SLACK_SIGNING_SECRET: signingSecret = '' } = read
  return {
    slack: {
      botToken: read.SLACK_BOT_TOKEN,
      transport:
        appToken === undefined
          ? ({ kind: 'http', signingSecret } as const)
          : ({ kind: 'socket', appToken } as const),
      /** Ends with a slash, as Slack's client wants it. */
      apiUrl: `${read.SLACK_API_URL}/`,
    },
    proxy:
      read.HTTPS_PROXY === undefined
        ? undefined
        : { url: read.HTTPS_PROXY, except: read.NO_PROXY ?? '' },
    monitor: {
      /** Without a last slash. */
      apiUrl: read.MONITOR_API_URL,
      /** Certificates (PEM) that are trusted for the service beside those that Node trusts. */
      authorities: read.MONITOR_CA_FILE,
    },
    /**
     * Holds `{ks}` once, or `{asset}`, `{timestamp}` and other placeholders of alert/link.ts; all stand behind the host.
     */
    alertUrl: workingAlertUrl(read.MONITOR_ALERT_URL, read.MONITOR_OPERATIONS),
    /** False if the service is asked for nothing but reading an alert and adding a user. */
    hasAllOperations: read.MONITOR_OPERATIONS === 'all',
    authProviders: read.AUTH_PROVIDERS,
    /** Eight names, by severity: the first is 0, the most severe. */
    severityNames: read.SEVERITY_NAMES,
    roles: read.GRANT_PRESETS,
    /** Flags that are only given for a time, and for how long at most, in milliseconds. */
    timedFlags: read.TIMED_FLAGS,
    watch: { intervalMs: read.WATCH_INTERVAL_SECONDS * 1000, ttlHours: read.WATCH_TTL_HOURS },
    follow: { intervalMs: read.FOLLOW_INTERVAL_SECONDS * 1000 },
    unfurls: read.UNFURL === 'on',
    /** Grants and approvals are told in the channel. Records are kept for so many days; 0 keeps them for ever. */
    audit: { channelId: read.AUDIT_CHANNEL, days: read.AUDIT_DAYS },
    approval: {
      flags: read.APPROVAL_FLAGS,
      channelId: read.APPROVAL_CHANNEL,
      mention: read.APPROVAL_MENTION,
      ttlHours: read.APPROVAL_TTL_HOURS,
    },
    /** Requests of one person in a minute; 0 sets no limit. */
    ratePerMinute: read.RATE_PER_MINUTE,
    /** At least one; the first seals. */
    encryptionKeys: read.ENCRYPTION_KEYS,
    databaseUrl: read.DATABASE_URL,
    /** Without a last slash. */
    publicUrl: read.PUBLIC_URL,
    host: read.HOST,
    port: read.PORT,
    logLevel: read.LOG_LEVEL,
  }
}

/**
 * The form of alerts’ links, if one is set that works. A link without the alert’s key works only with all operations: the
 * alert is looked for among the asset’s open alerts.
 */
export function workingAlertUrl(alertUrl: string | undefined, operations: 'all' | 'basic') {
  return alertUrl !== undefined && (operations === 'all' || holdsKey(alertUrl))
    ? alertUrl
    : undefined
}

/** @throws ConfigError with every problem, each naming its variable and the mend. */
export function parseConfig(environment: Environment): Config {
  const given = givenIn(environment)
  const { data, error } = settings.safeParse(given)
  const hasTransport =
    given.SLACK_APP_TOKEN !== undefined || given.SLACK_SIGNING_SECRET !== undefined
  const problems = [
    ...(hasTransport ? [] : [noTransport]),
    ...wrongSettings(error),
    ...misspelt(environment),
  ]
  if (data === undefined || problems.length > 0) throw new ConfigError(problems)
  return configOf(data)
}

/** The settings that `npm run audit` and `npm run rotate-keys` need. @throws ConfigError as `parseConfig`. */
export function parseKept(environment: Environment) {
  const needed = settings.pick({ DATABASE_URL: true, ENCRYPTION_KEYS: true, AUDIT_DAYS: true })
  const read = readThese(needed, environment)
  return {
    databaseUrl: read.DATABASE_URL,
    encryptionKeys: read.ENCRYPTION_KEYS,
    auditDays: read.AUDIT_DAYS,
  }
}

/** Some of the settings, whatever is wrong with the others. @throws ConfigError as `parseConfig`. */
export function readThese<Needed extends z.ZodType>(needed: Needed, environment: Environment) {
  const read = needed.safeParse(givenIn(environment))
  if (!read.success) throw new ConfigError(wrongSettings(read.error))
  return read.data
}

/**
 * The settings as they are given, with InfraSonar's addresses if no other service is set. An empty line in a `.env`
 * file means: not set. `docker --env-file` leaves quotes around a value, which are taken off here. The proxy’s settings
 * may be in small letters, as other programs write them.
 */
export function givenIn(environment: Environment): Environment {
  const of = (name: string) =>
    environment[name]
      ?.trim()
      .replace(/^(["'])(.*)\1$/s, '$2')
      .trim() || undefined
  const inSmall = (name: string) => (name.endsWith('_PROXY') ? of(name.toLowerCase()) : undefined)
  const all = settingNames.map((name) => [name, of(name) ?? inSmall(name)] as const)
  const given = Object.fromEntries(all.filter(([, value]) => value !== undefined))
  return given.MONITOR_API_URL === undefined ? { ...infraSonar, ...given } : given
}

function wrongSettings(error: z.ZodError | undefined): readonly string[] {
  return (error?.issues ?? []).map(({ path, message }) => `${String(path[0])}: ${message}`)
}

/** Problems with misspelt names of settings, which would have no effect unnoticed. */
function misspelt(environment: Environment): readonly string[] {
  const others = ['HTTP_PROXY', ...settingNames]
  return Object.keys(environment).flatMap((name) => {
    const meant = settingNames.find((one) => one.length >= 8 && leven(one, name) <= 2)
    if (meant === undefined || others.includes(name) || !environment[name]?.trim()) return []
    return [`${name}: is no setting of Bellhop. Did you mean ${meant}?`]
  })
}
