// `npm run manifest`: prints the Slack app's manifest for this installation. `-- --socket` is for Socket
// Mode, before there is a SLACK_APP_TOKEN to say so. Comments are kept: they are why each scope is there.
import { readFileSync } from 'node:fs'
import { type Document, isMap, isScalar, isSeq, parseDocument } from 'yaml'
import {
  type Environment,
  givenIn,
  readThese,
  settings,
  workingAlertUrl,
} from '../config/config.ts'
import { ConfigError, UserError } from '../errors.ts'
import { runHere, terminalCommand } from './command.ts'

/** Doesn’t repeat the words that were typed: one may be a token. */
const usage =
  'npm run manifest prints YAML. Add -- --socket for Socket Mode. It takes nothing else.'
const noAddress =
  'PUBLIC_URL: is missing. Over HTTP, Slack must know where to reach Bellhop. ' +
  'Set it to an address such as https://bellhop.example.com, or leave SLACK_SIGNING_SECRET empty to use Socket Mode, which needs no address.'

export const runManifest = terminalCommand(1, async (words, env, print) => {
  if (words.some((word) => word !== '--socket')) throw new UserError(usage)
  const installed = parseInstalled(env, words.length > 0)
  const template = readFileSync(new URL('../../manifest.yml', import.meta.url), 'utf8')
  await print.text(fillManifest(template, installed))
  return 0
})

export interface Installed {
  /** Address at which Slack reaches Bellhop over HTTP; undefined for Socket Mode. */
  readonly publicUrl: string | undefined
  /** The domain of alerts' web links, which Slack may unfurl. */
  readonly unfurlDomain: string | undefined
  /** True if MONITOR_OPERATIONS is basic: nothing that changes alerts is offered. */
  readonly onlyReads?: boolean
}

/**
 * Reads those settings that the manifest needs. An installation begins with the manifest, so most may be missing: without
 * PUBLIC_URL and a signing secret, the manifest is for Socket Mode, as it is with an app token.
 * @throws ConfigError if one of these settings is wrong.
 */
export function parseInstalled(environment: Environment, wantsSocket = false): Installed {
  const needed = settings.pick({
    PUBLIC_URL: true,
    MONITOR_ALERT_URL: true,
    MONITOR_OPERATIONS: true,
    UNFURL: true,
  })
  const read = readThese(needed, environment)
  const { SLACK_APP_TOKEN: appToken, SLACK_SIGNING_SECRET: signingSecret } = givenIn(environment)
  const isSocket = wantsSocket || appToken !== undefined
  const publicUrl = isSocket ? undefined : read.PUBLIC_URL
  if (!isSocket && signingSecret !== undefined && publicUrl === undefined)
    throw new ConfigError([noAddress])

  const alertUrl = workingAlertUrl(read.MONITOR_ALERT_URL, read.MONITOR_OPERATIONS)
  const unfurlDomain = alertUrl && read.UNFURL === 'on' ? new URL(alertUrl).hostname : undefined

  return { publicUrl, unfurlDomain, onlyReads: read.MONITOR_OPERATIONS === 'basic' }
}

/** @param template - The text of manifest.yml. @returns The manifest as YAML, ready to paste. */
export function fillManifest(
  template: string,
  { publicUrl, unfurlDomain, onlyReads }: Installed,
): string {
  const manifest = parseDocument(template)
  const overHttp = 'over HTTP. For Socket Mode, run npm run manifest -- --socket'
  manifest.commentBefore = ` Bellhop’s Slack app, ${publicUrl === undefined ? 'for Socket Mode' : overHttp}.`
  manifest.setIn(['settings', 'socket_mode_enabled'], publicUrl === undefined)
  if (publicUrl !== undefined) setRequestUrls(manifest, `${publicUrl}/slack/events`)

  if (unfurlDomain === undefined) {
    leaveOut(manifest, ['oauth_config', 'scopes', 'bot'], /^links:/)
    leaveOut(manifest, ['settings', 'event_subscriptions', 'bot_events'], /^link_shared$/)
  } else {
    manifest.setIn(['features', 'unfurl_domains'], [unfurlDomain])
  }

  if (onlyReads) {
    const description = ['display_information', 'long_description']
    manifest.setIn(description, String(manifest.getIn(description)).replace(acting, ''))
    leaveOut(manifest, ['features', 'shortcuts'], /^act\./)
  }

  // Added texts are quoted: Slack's reader of YAML has trouble with a colon in plain text.
  return manifest.toString({
    lineWidth: 120,
    defaultStringType: 'QUOTE_DOUBLE',
    defaultKeyType: 'PLAIN',
  })
}

const acting = 'Assign it, comment on it and close it from its card. '

/** Takes items out of a list. @param name - Matches an item that is text, or the `callback_id` of one that isn’t. */
function leaveOut(manifest: Document, path: readonly string[], name: RegExp) {
  const list = manifest.getIn(path)
  if (!isSeq(list)) return
  const nameOf = (item: unknown) =>
    isMap(item) ? item.get('callback_id') : isScalar(item) && item.value
  list.items = list.items.filter((item) => !name.test(String(nameOf(item))))
}

const requestUrls = [
  ['interactivity', 'request_url'],
  ['interactivity', 'message_menu_options_url'],
  ['event_subscriptions', 'request_url'],
]

/** Over HTTP, commands, buttons, what menus ask while somebody types, and events all come to one address. */
function setRequestUrls(manifest: Document, url: string) {
  for (const path of requestUrls) manifest.setIn(['settings', ...path], url)

  const commands = manifest.getIn(['features', 'slash_commands'])
  for (const command of isSeq(commands) ? commands.items : []) {
    if (isMap(command)) command.set('url', url)
  }
}

if (import.meta.main) await runHere(runManifest)
