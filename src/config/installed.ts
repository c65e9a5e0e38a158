// Settings that the Slack app's manifest depends on, read from the environment before all of it is set. Pure.

import { ConfigError } from '../errors.ts'
import {
  type Config,
  type Environment,
  monitorOf,
  readThese,
  settings,
  withoutBlanks,
  workingAlertUrl,
} from './config.ts'

/** What the manifest depends on. */
export interface Installed {
  readonly reach: { readonly kind: 'socket' } | { readonly kind: 'http'; readonly publicUrl: string }
  /** The domain of alerts' web links, which Slack may unfurl. */
  readonly unfurlDomain: string | undefined
  /** Where Slack takes no such host: links get no preview. */
  readonly hostWithoutPreviews?: string | undefined
  /** MONITOR_OPERATIONS is basic: nothing that changes alerts is offered. */
  readonly onlyReads?: true
  /** HTTP for want of a word on it: neither an app token nor a signing secret is set, and PUBLIC_URL goes with both. */
  readonly isGuess?: true
}

/**
 * Socket Mode with an app token, and as long as nothing says otherwise: it is the first step of an installation.
 * @param wantsSocket - Socket Mode whatever is set.
 * @throws ConfigError as `parseConfig`, for the settings that the manifest needs.
 */
export function parseInstalled(environment: Environment, wantsSocket = false): Installed {
  const env = withoutBlanks(environment)
  const needed = settings.pick({
    PUBLIC_URL: true,
    MONITOR_ALERT_URL: true,
    MONITOR_OPERATIONS: true,
    UNFURL: true,
  })
  const read = readThese(needed, env)
  const { PUBLIC_URL: publicUrl } = read
  const links = { monitor: monitorOf(read), unfurls: read.UNFURL !== 'off' }
  const refused = hostWithoutPreviews(links)
  const isSocket = wantsSocket || env.SLACK_APP_TOKEN !== undefined
  const about = {
    unfurlDomain: unfurlDomainOf(links),
    ...(refused === undefined ? {} : { hostWithoutPreviews: refused }),
    ...(read.MONITOR_OPERATIONS === 'basic' ? ({ onlyReads: true } as const) : {}),
  }
  if (!isSocket && publicUrl !== undefined) {
    const isGuess = env.SLACK_SIGNING_SECRET === undefined
    return { reach: { kind: 'http', publicUrl }, ...about, ...(isGuess ? { isGuess } : {}) }
  }
  if (!isSocket && env.SLACK_SIGNING_SECRET !== undefined) throw new ConfigError([noAddress])
  return { reach: { kind: 'socket' }, ...about }
}

type AboutLinks = {
  readonly monitor: Pick<Config['monitor'], 'alertUrl' | 'operations'>
  readonly unfurls: boolean
}

/** Undefined where links get no preview. */
export function unfurlDomainOf(config: AboutLinks): string | undefined {
  const host = hostOfLinks(config)
  return host !== undefined && isUnfurlDomain(host) ? host : undefined
}

/** The host of alerts' links where Slack refuses to preview them, though the operator has not switched that off. */
function hostWithoutPreviews(config: AboutLinks): string | undefined {
  const host = hostOfLinks(config)
  return host !== undefined && isUnfurlDomain(host) ? undefined : host
}

function hostOfLinks({ monitor, unfurls }: AboutLinks): string | undefined {
  const alertUrl = workingAlertUrl(monitor)
  return alertUrl === undefined || !unfurls ? undefined : new URL(alertUrl).hostname
}

/**
 * Whether Slack takes a host as a domain whose links an app previews: no `_`, no IPv6 address, no last dot. One that it
 * does not take gets the whole manifest refused. Ports are left out of it.
 * Source: `features.unfurl_domains` in Slack's manifest schema.
 */
export function isUnfurlDomain(host: string): boolean {
  return host.length <= 255 && /^(?![.-])[-a-z\d.]+[a-z\d]$/.test(host)
}

const noAddress =
  'PUBLIC_URL: is missing. Over HTTP, Slack must know where to reach Bellhop. ' +
  'Set it to an address such as https://bellhop.example.com, or leave SLACK_SIGNING_SECRET empty to use Socket Mode, which needs no address.'
