// The manifest as Slack would know it: commands, shortcuts, scopes, events, whether there is a Home tab.
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { z } from 'zod'

export type AppManifest = ReturnType<typeof readManifest>

const names = z.array(z.string()).default([])

const manifestSchema = z.object({
  features: z.object({
    app_home: z.object({ home_tab_enabled: z.boolean() }),
    slash_commands: z.array(
      z.object({
        command: z.string(),
        description: z.string(),
        usage_hint: z.string().default(''),
      }),
    ),
    shortcuts: z
      .array(
        z.object({
          name: z.string(),
          type: z.enum(['message', 'global']),
          callback_id: z.string(),
          description: z.string(),
        }),
      )
      .default([]),
    unfurl_domains: names,
  }),
  oauth_config: z
    .object({ scopes: z.object({ bot: names, bot_optional: names }) })
    .default({ scopes: { bot: [], bot_optional: [] } }),
  settings: z
    .object({
      event_subscriptions: z.object({ bot_events: names }).default({ bot_events: [] }),
      interactivity: z.object({ message_menu_options_url: z.string().optional() }).default({}),
    })
    .default({ event_subscriptions: { bot_events: [] }, interactivity: {} }),
})

const file = new URL('../../manifest.yml', import.meta.url)

/** @param source - YAML; default the product's own `manifest.yml`. @throws Error when it is no manifest. */
export function readManifest(source: string = readFileSync(file, 'utf8')) {
  const { features, oauth_config, settings } = manifestSchema.parse(parse(source))
  const { bot, bot_optional } = oauth_config.scopes
  return {
    commands: features.slash_commands.map(({ command, description, usage_hint }) => ({
      name: command,
      description,
      usageHint: usage_hint,
    })),
    shortcuts: features.shortcuts.map(({ name, type, callback_id, description }) => ({
      name,
      kind: type,
      callbackId: callback_id,
      description,
    })),
    hasHomeTab: features.app_home.home_tab_enabled,
    /** What an install asks for. Slack asks for nothing that is listed as optional alone. */
    botScopes: bot,
    /** Without those that whoever installs the app may leave out. */
    requiredScopes: bot.filter((scope) => !bot_optional.includes(scope)),
    botEvents: settings.event_subscriptions.bot_events,
    unfurlDomains: features.unfurl_domains,
    /** It names an address for what menus ask while somebody types. */
    hasOptionsUrl: settings.interactivity.message_menu_options_url !== undefined,
  }
}
