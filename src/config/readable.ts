// The settings one by one, for whoever explains what is wrong with them rather than starts.
import type { EncryptionKey } from '../account/vault.ts'
import { ConfigError } from '../errors.ts'
import type { HttpsProxy } from '../http/proxy.ts'
import { type Config, type Environment, parseConfig, proxyOf, settings, withoutBlanks } from './config.ts'

/** Those that can be read, whatever is wrong with the others. */
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
