// The shape that Slack wants of a manifest: its keys, kinds, lengths and addresses, each with a sentence where it is not
// so. Pure. Source: github.com/slackapi/manifest-schema and docs.slack.dev/reference/app-manifest.
import { z } from 'zod'
import { isUnfurlDomain } from '../../config/installed.ts'

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

export type Manifest = z.infer<typeof shape>

/** @returns The manifest, or everything that is wrong with its shape: a sentence each, with its place in front. */
export function readShape(given: unknown): Manifest | readonly string[] {
  const read = shape.safeParse(given)
  return read.success ? read.data : read.error.issues.flatMap(sentencesOf)
}

function sentencesOf(issue: z.core.$ZodIssue): readonly string[] {
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
