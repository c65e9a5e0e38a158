// Settings that the Slack app's manifest depends on, read from the environment before all of it is set. Pure.
import { ConfigError } from '../errors.ts'
import { type Config, type Environment, givenIn, readThese, settings, workingAlertUrl } from './config.ts'

/** What the manifest depends on. */
export interface Installed {
  readonly reach: { readonly kind: 'socket' } | { readonly kind: 'http'; readonly publicUrl: string }
  /** The domain of alerts' web links, which Slack may unfurl. */
  readonly unfurlDomain: string | undefined
  /** MONITOR_OPERATIONS is basic: nothing that changes alerts is offered. */
  readonly onlyReads?: boolean
}

/**
 * Socket Mode with an app token, and as long as nothing says otherwise: it is the first step of an installation.
 * @param wantsSocket - Socket Mode whatever is set.
 * @throws ConfigError as `parseConfig`, for the settings that the manifest needs.
 */
export function parseInstalled(environment: Environment, wantsSocket = false): Installed {
  const needed = settings.pick({
    PUBLIC_URL: true,
    MONITOR_ALERT_URL: true,
    MONITOR_OPERATIONS: true,
    UNFURL: true,
  })
  const read = readThese(needed, environment)
  const { PUBLIC_URL: publicUrl, MONITOR_OPERATIONS: operations, MONITOR_ALERT_URL: alertUrl } = read
  const about = {
    unfurlDomain: unfurlDomainOf({ monitor: { alertUrl, operations }, unfurls: read.UNFURL }),
    onlyReads: operations === 'basic',
  }
  const { SLACK_APP_TOKEN: appToken, SLACK_SIGNING_SECRET: signingSecret } = givenIn(environment)
  const isSocket = wantsSocket || appToken !== undefined
  if (!isSocket && publicUrl !== undefined) return { reach: { kind: 'http', publicUrl }, ...about }
  if (!isSocket && signingSecret !== undefined) throw new ConfigError([noAddress])
  return { reach: { kind: 'socket' }, ...about }
}

/** Undefined where links get no preview. */
export function unfurlDomainOf(config: {
  readonly monitor: Pick<Config['monitor'], 'alertUrl' | 'operations'>
  readonly unfurls: boolean
}): string | undefined {
  const alertUrl = workingAlertUrl(config.monitor)
  const host = alertUrl === undefined || !config.unfurls ? '' : new URL(alertUrl).hostname
  return isUnfurlDomain(host) ? host : undefined
}

/**
 * Whether Slack takes a host as a domain whose links an app previews: no `_`, no IPv6 address, no last dot. One that it
 * does not take gets the whole manifest refused. Ports are left out of it.
 * Source: `features.unfurl_domains` in Slack's manifest schema.
 */
function isUnfurlDomain(host: string): boolean {
  return host.length <= 255 && /^(?![.-])[-a-z\d.]+[a-z\d]$/.test(host)
}

const noAddress =
  'PUBLIC_URL: is missing. Over HTTP, Slack must know where to reach Bellhop. ' +
  'Set it to an address such as https://bellhop.example.com, or leave SLACK_SIGNING_SECRET empty to use Socket Mode, which needs no address.'
