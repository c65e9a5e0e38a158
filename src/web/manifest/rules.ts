// Rules by which Slack takes a manifest or refuses it, as far as they concern Bellhop's. Pure.
// Source: docs.slack.dev/reference/events, and what others were refused for: gastownhall/gascity-packs#63 (an event
// without its scope, an empty list), open-cli-collective/slack-chat-api#103 (scopes without a bot user),
// vellum-ai/vellum-assistant#39141 (optional scopes).

import type { ManifestVerdict } from '../../slack/workspace/probe.ts'
import { type Manifest, readShape } from './shape.ts'

/** Scopes of which an event needs one. */
const scopesOfEvents: Readonly<Record<string, readonly string[]>> = {
  app_mention: ['app_mentions:read'],
  channel_shared: ['channels:read', 'groups:read'],
  link_shared: ['links:read'],
  'message.im': ['im:history'],
  user_change: ['users:read'],
}

/**
 * Everything that Slack would refuse, a sentence each, with its place in front; empty where the manifest is good.
 * @param manifest - As parsed from YAML or JSON.
 */
export function manifestProblems(manifest: unknown): readonly string[] {
  const read = readShape(manifest)
  if (!('display_information' in read)) return read
  const rules = [scopeProblems, eventProblems, commandProblems, addressProblems, rotationProblems]
  return rules.flatMap((rule) => rule(read))
}

function scopeProblems({ features, oauth_config: { scopes } }: Manifest): readonly string[] {
  const [bot = [], optional = []] = [scopes.bot, scopes.bot_optional]
  const where = 'oauth_config.scopes'
  return [
    ...optional
      .filter((scope) => !bot.includes(scope))
      .map(
        (scope) => `${where}.bot_optional: ${scope} must be in ${where}.bot too, or Slack never asks for it.`,
      ),
    ...twice(bot).map((scope) => `${where}.bot: ${scope} is there twice.`),
    ...(bot.length > 0 && features.bot_user === undefined
      ? [`features.bot_user: is missing. Slack gives scopes only to a bot.`]
      : []),
  ]
}

function eventProblems({ settings, oauth_config: { scopes } }: Manifest): readonly string[] {
  const events = settings.event_subscriptions?.bot_events ?? []
  const where = 'settings.event_subscriptions.bot_events'
  const isGranted = (scope: string) => scopes.bot?.includes(scope) ?? false
  return [
    ...twice(events).map((event) => `${where}: ${event} is there twice.`),
    ...events.flatMap((event) => {
      const needed = scopesOfEvents[event] ?? []
      if (needed.length === 0 || needed.some(isGranted)) return []
      return [`${where}: ${event} needs the scope ${needed.join(' or ')} in oauth_config.scopes.bot.`]
    }),
  ]
}

function commandProblems({ features, oauth_config: { scopes } }: Manifest): readonly string[] {
  if (scopes.bot?.includes('commands')) return []
  return (['slash_commands', 'shortcuts'] as const)
    .filter((kind) => features[kind] !== undefined)
    .map((kind) => `features.${kind}: need the scope commands in oauth_config.scopes.bot.`)
}

/** Over HTTP, Slack must know where everything goes; by Socket Mode, no address is right. */
function addressProblems({ features, settings }: Manifest): readonly string[] {
  const { event_subscriptions: events, interactivity } = settings
  const given: readonly (readonly [where: string, url: string | undefined])[] = [
    ...(events === undefined
      ? []
      : [['settings.event_subscriptions.request_url', events.request_url] as const]),
    ...(interactivity?.is_enabled
      ? [
          ['settings.interactivity.request_url', interactivity.request_url] as const,
          [
            'settings.interactivity.message_menu_options_url',
            interactivity.message_menu_options_url,
          ] as const,
        ]
      : []),
    ...(features.slash_commands ?? []).map(
      ({ url }, index) => [`features.slash_commands[${index}].url`, url] as const,
    ),
  ]
  const isSocket = settings.socket_mode_enabled ?? false
  return given
    .filter(([, url]) => (url === undefined) !== isSocket)
    .map(([where]) =>
      isSocket
        ? `${where}: doesn’t belong here. With Socket Mode, Slack calls no address.`
        : `${where}: is missing. Over HTTP, Slack must know where to reach Bellhop.`,
    )
}

/** Bellhop keeps its tokens as they are: one that Slack replaces every few hours would leave it silent. */
function rotationProblems({ settings }: Manifest): readonly string[] {
  return (['token_rotation_enabled', 'app_level_token_rotation_enabled'] as const)
    .filter((key) => settings[key])
    .map((key) => `settings.${key}: must be false. Bellhop does not renew its tokens.`)
}

const twice = (words: readonly string[]) => [
  ...new Set(words.filter((word, index) => words.indexOf(word) < index)),
]

/** Slack's verdict on a manifest, in lines for the terminal. */
export function renderVerdict(verdict: ManifestVerdict): readonly string[] {
  switch (verdict.kind) {
    case 'accepted':
      return ['Slack accepts this manifest.']
    case 'refused':
      return [
        'Slack refuses this manifest:',
        ...verdict.complaints.map(({ message, pointer }) =>
          pointer === '' ? message : `${pointer}: ${message}`,
        ),
      ]
    case 'bad-token':
      return [
        `SLACK_CONFIG_TOKEN: Slack refuses it (${verdict.why}). It works for 12 hours: generate a new one at api.slack.com/apps, under Your App Configuration Tokens.`,
      ]
    case 'no-verdict':
      return [
        verdict.why === undefined
          ? 'Slack didn’t answer. Check that this machine can reach slack.com, then try again.'
          : `Slack didn’t check the manifest (${verdict.why}). Try again in a minute.`,
      ]
    default:
      return verdict satisfies never
  }
}
