// Rules by which Slack takes a manifest or refuses it, as far as they concern Bellhop's: its shape, then how its parts go
// together. Pure.
// Source: github.com/slackapi/manifest-schema, docs.slack.dev/reference/app-manifest and /reference/events, and what others
// were refused for: gastownhall/gascity-packs#63 (an event without its scope, an empty list),
// open-cli-collective/slack-chat-api#103 (scopes without a bot user), vellum-ai/vellum-assistant#39141 (optional scopes).
import { z } from 'zod'
import { isUnfurlDomain } from '../config/installed.ts'

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
  const read = shape.safeParse(manifest)
  if (!read.success) return read.error.issues.flatMap(shapeProblems)
  const rules = [scopeProblems, eventProblems, commandProblems, addressProblems, rotationProblems]
  return rules.flatMap((rule) => rule(read.data))
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

const text = (most: number, least = 1) => z.string().min(least).max(most)
const list = <Item extends z.ZodType>(item: Item, most: number) => z.array(item).min(1).max(most).optional()
const names = (most: number) => z.array(text(50)).max(most).optional()
const flag = z.boolean().optional()
const address = z
  .string()
  .max(3000)
  .regex(/^https:\/\/[^\s#]+$/, 'must be an https address, as in PUBLIC_URL.')
/** What Slack knows and Bellhop does not use. */
const other = z.unknown().optional()

const shape = z.strictObject({
  ...{ $schema: other, _metadata: other, app_directory: other, functions: other, workflows: other },
  ...{ datastores: other, outgoing_domains: other, types: other, metadata_events: other },
  ...{ external_auth_providers: other, mcp_servers: other },
  display_information: z.strictObject({
    name: text(35),
    description: text(140).optional(),
    long_description: text(4000, 175).optional(),
    background_color: z
      .string()
      .regex(/^#([\da-f]{3}){1,2}$/i, 'must be a colour like #1f3a5f.')
      .optional(),
  }),
  features: z
    .strictObject({
      ...{ functions: other, workflow_steps: other, assistant_view: other, agent_view: other },
      app_home: z
        .strictObject({
          ...{ home_tab_enabled: flag, messages_tab_enabled: flag },
          messages_tab_read_only_enabled: flag,
        })
        .optional(),
      bot_user: z.strictObject({ display_name: text(80), always_online: flag }).optional(),
      shortcuts: list(
        z.strictObject({
          name: text(24),
          type: z.enum(['message', 'global']),
          callback_id: text(255),
          description: text(150),
        }),
        10,
      ),
      slash_commands: list(
        z.strictObject({
          command: text(32).regex(/^\/\S+$/, 'must begin with / and hold no space.'),
          description: text(2000),
          usage_hint: text(1000).optional(),
          should_escape: flag,
          url: address.optional(),
        }),
        50,
      ),
      unfurl_domains: list(
        z
          .string()
          .refine(isUnfurlDomain, 'is no domain that Slack previews links of: letters, digits, - and dots.'),
        5,
      ),
    })
    .default({}),
  oauth_config: z
    .strictObject({
      ...{ token_management_enabled: other, pkce_enabled: other },
      redirect_urls: z.array(address).max(1000).optional(),
      scopes: z
        .strictObject({
          bot: names(255),
          bot_optional: names(255),
          user: names(255),
          user_optional: names(255),
        })
        .default({}),
    })
    .default({ scopes: {} }),
  settings: z
    .strictObject({
      ...{ allowed_ip_address_ranges: other, incoming_webhooks: other, is_hosted: other, siws_links: other },
      ...{ hermes_app_type: other, function_runtime: other, is_mcp_enabled: other },
      event_subscriptions: z
        .strictObject({
          ...{ user_events: other, metadata_subscriptions: other },
          bot_events: names(100),
          request_url: address.optional(),
        })
        .optional(),
      interactivity: z
        .strictObject({
          is_enabled: z.boolean(),
          request_url: address.optional(),
          message_menu_options_url: address.optional(),
        })
        .optional(),
      ...{ org_deploy_enabled: flag, socket_mode_enabled: flag, token_rotation_enabled: flag },
      // In no schema of Slack's yet, but in the manifests that it exports since 2026.
      app_level_token_rotation_enabled: flag,
    })
    .default({}),
})

type Manifest = z.infer<typeof shape>

/** A sentence for each thing that is wrong, with its place in front. */
function shapeProblems(issue: z.core.$ZodIssue): readonly string[] {
  const where = issue.path.reduce<string>(
    (before, part) =>
      typeof part === 'number'
        ? `${before}[${part}]`
        : before === ''
          ? String(part)
          : `${before}.${String(part)}`,
    '',
  )
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => `${where === '' ? key : `${where}.${key}`}: Slack knows no such key here.`)
  }
  return [`${where === '' ? 'The manifest' : where}: ${whatIsWrong(issue)}`]
}

function whatIsWrong(issue: z.core.$ZodIssue): string {
  const isList = 'origin' in issue && issue.origin === 'array'
  switch (issue.code) {
    case 'too_big':
      return isList
        ? `has more than the ${issue.maximum} entries that Slack takes.`
        : `is longer than the ${issue.maximum} characters that Slack takes.`
    case 'too_small':
      if (isList) return 'is an empty list, which Slack refuses. Leave it out.'
      return issue.minimum === 1
        ? 'is empty, which Slack refuses.'
        : `is shorter than the ${issue.minimum} characters that Slack wants.`
    case 'invalid_format':
    case 'custom':
      return issue.message
    default:
      return 'is missing, or not of the kind that Slack wants.'
  }
}
