// The app's manifest: valid by Slack's own schema for both transports, no wider than used, reasons kept.
import { globSync, readFileSync } from 'node:fs'
import { Ajv } from 'ajv'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { addAsCommentShortcut } from '../../src/act/render/forms.ts'
import { lookupView, messageShortcut } from '../../src/alert/render/look-up.ts'
import { abilities } from '../../src/doctor/scopes.ts'
import { ConfigError } from '../../src/errors.ts'
import { grantView } from '../../src/grant/render/form.ts'
import { fillManifest, parseInstalled } from '../../src/terminal/manifest.ts'

const template = readFileSync('manifest.yml', 'utf8')
// Not strict: Slack's schema has words of its own (`regex`, `_note`) beside those of JSON Schema.
const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false })
const isValid = ajv.compile(
  JSON.parse(readFileSync('test/reference/manifest.schema.1.0.0.json', 'utf8')),
)

const manifestSchema = z.object({
  display_information: z.object({ long_description: z.string() }),
  features: z.object({
    app_home: z.record(z.string(), z.boolean()),
    shortcuts: z.array(z.object({ name: z.string(), type: z.string(), callback_id: z.string() })),
    slash_commands: z.array(
      z.object({ command: z.string(), url: z.string().optional(), should_escape: z.boolean() }),
    ),
  }),
  oauth_config: z.object({
    scopes: z.object({
      bot: z.array(z.string()),
      user: z.undefined().optional(),
    }),
  }),
  settings: z.object({
    interactivity: z.object({
      is_enabled: z.literal(true),
      request_url: z.string().optional(),
      message_menu_options_url: z.string().optional(),
    }),
    event_subscriptions: z.object({
      bot_events: z.array(z.string()),
      request_url: z.string().optional(),
    }),
    socket_mode_enabled: z.boolean(),
    token_rotation_enabled: z.literal(false),
  }),
})

function check(text: string) {
  const manifest: unknown = parse(text)
  isValid(manifest)
  expect(isValid.errors ?? []).toEqual([])
  return manifestSchema.parse(manifest)
}

/** By event, the scopes of which one is needed. */
const reference = z
  .record(z.string(), z.array(z.string()))
  .parse(JSON.parse(readFileSync('test/reference/slack-events.json', 'utf8')))

const socket = () => fillManifest(template, { publicUrl: undefined, unfurlDomain: undefined })
const publicUrl = 'https://bellhop.example.com/bot'
const http = () => fillManifest(template, { publicUrl, unfurlDomain: 'monitor.example.com' })

describe('manifest.yml', () => {
  it('is valid as it stands', () => {
    const { features } = check(template)
    expect(features.slash_commands.map(({ command }) => command)).toEqual(['/alert', '/grant'])
    expect(features.shortcuts).toEqual([
      { name: 'Look up an alert', type: 'global', callback_id: lookupView },
      { name: 'Grant access', type: 'global', callback_id: grantView },
      { name: 'Look up this alert', type: 'message', callback_id: messageShortcut },
      { name: 'Add as comment', type: 'message', callback_id: addAsCommentShortcut },
    ])
  })

  it('says nothing of changing alerts where Bellhop only reads them', () => {
    const described = (filled: string) => check(filled).display_information.long_description
    const installed = {
      publicUrl: undefined,
      unfurlDomain: undefined,
    } as const
    expect(described(fillManifest(template, installed))).toContain(
      'comment on it and close it from its card. Watch',
    )
    expect(described(fillManifest(template, { ...installed, onlyReads: true }))).toContain(
      'thread. Watch an alert',
    )
  })

  it('gives each scope and event its reason', () => {
    const listed = template
      .split('\n')
      .filter((line) => /^\s+- "?[a-z]/.test(line) && !/command:|name:/.test(line))
    const { oauth_config, settings } = check(template)
    const { bot } = oauth_config.scopes
    expect(listed).toHaveLength(bot.length + settings.event_subscriptions.bot_events.length)
    for (const line of listed) expect(line).toMatch(/ # .{5,}/)
  })

  it('has the scopes and events that features need, and no other', () => {
    const { oauth_config, settings } = check(template)
    const { bot } = oauth_config.scopes
    const needed = abilities.flatMap(({ scopes }) => scopes)
    expect(bot.toSorted()).toEqual([...new Set(needed)].toSorted())
    const sources = globSync('src/**/*.ts').map((path) => readFileSync(path, 'utf8'))
    const heard = sources
      .flatMap((text) => [...text.matchAll(/\bevent\('(\w+)'/g)])
      .map(([, name]) => name)
    const events = settings.event_subscriptions.bot_events.map((name) => name.replace(/\.im$/, ''))
    expect(events.toSorted()).toEqual(heard.toSorted())
  })
})

describe('each event that Bellhop subscribes to', () => {
  const { oauth_config, settings } = check(template)
  it.each(settings.event_subscriptions.bot_events)(
    'is one of Slack’s, and has its scope: %s',
    (name) => {
      // The reference has the scope of app_mention with a dot.
      const scopes = reference[name]?.map((scope) => scope.replace('s.read', 's:read')) ?? [
        'no such event',
      ]
      expect(
        scopes.length === 0 || scopes.some((one) => oauth_config.scopes.bot.includes(one)),
      ).toBe(true)
    },
  )
})

describe('the printed manifest', () => {
  it.each([
    ['Socket Mode', socket],
    ['HTTP', http],
  ])('has nothing twice, no empty list, and tokens that stay as they are, for %s', (_, fill) => {
    const { oauth_config, settings } = check(fill())
    for (const list of [oauth_config.scopes.bot, settings.event_subscriptions.bot_events]) {
      expect(list).toEqual([...new Set(list)])
      expect(list).not.toEqual([])
    }
    expect(fill()).not.toContain(': []')
    // Bellhop keeps its tokens: one that Slack replaces every few hours would leave it silent.
    expect(settings.token_rotation_enabled).toBe(false)
  })

  it('is for Socket Mode, without any address', () => {
    const { features, settings } = check(socket())
    expect(settings.socket_mode_enabled).toBe(true)
    expect(socket()).not.toContain('slack/events')
    expect(features.slash_commands.map(({ url }) => url)).toEqual([undefined, undefined])
  })

  it('is for HTTP, with the one address everywhere', () => {
    const url = 'https://bellhop.example.com/bot/slack/events'
    const { features, settings } = check(http())
    expect(settings.socket_mode_enabled).toBe(false)
    expect(settings.interactivity.request_url).toBe(url)
    expect(settings.interactivity.message_menu_options_url).toBe(url)
    expect(settings.event_subscriptions.request_url).toBe(url)
    for (const command of features.slash_commands)
      expect(command).toMatchObject({ url, should_escape: true })
  })

  it('leaves out what previews of links need where there are none', () => {
    const { oauth_config, settings } = check(socket())
    expect(oauth_config.scopes.bot.filter((scope) => scope.startsWith('links:'))).toEqual([])
    expect(settings.event_subscriptions.bot_events).not.toContain('link_shared')
    expect(check(http()).oauth_config.scopes.bot).toContain('links:write')
  })
})

describe('how Slack reaches the bot', () => {
  it('is a socket when there is an app token, and as long as nothing else is said', () => {
    const socketMode = {
      publicUrl: undefined,
      unfurlDomain: 'app.infrasonar.com',
      onlyReads: false,
    }
    expect(parseInstalled({ SLACK_APP_TOKEN: 'anything', PUBLIC_URL: publicUrl })).toEqual(
      socketMode,
    )
    expect(parseInstalled({})).toEqual(socketMode)
  })

  it('is PUBLIC_URL otherwise', () => {
    expect(parseInstalled({ SLACK_APP_TOKEN: '', PUBLIC_URL: `${publicUrl}/` }).publicUrl).toBe(
      publicUrl,
    )
  })

  it('is asked for in words when HTTP is wanted and the address is not known', () => {
    expect(() => parseInstalled({ SLACK_SIGNING_SECRET: 'x' })).toThrow(ConfigError)
    expect(() => parseInstalled({ SLACK_SIGNING_SECRET: 'x' })).toThrow('PUBLIC_URL: is missing')
    expect(() => parseInstalled({ PUBLIC_URL: 'http://bellhop.example.com' })).toThrow(
      'PUBLIC_URL: must be an https:// address',
    )
  })
})
