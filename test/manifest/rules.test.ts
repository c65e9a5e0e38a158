// Rules for a manifest: what Slack refuses of one is known before it is pasted. Slack's own schema and its list of
// events are the judge.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseDocument } from 'yaml'
import { z } from 'zod'
import { fillManifest } from '../../src/web/manifest.ts'
import { manifestProblems } from '../../src/web/manifest-rules.ts'

const template = readFileSync('manifest.yml', 'utf8')
const publicUrl = 'https://bellhop.example.com/bot'
const unfurlDomain = 'monitor.example.com'
const filled = {
  socket: fillManifest(template, { reach: { kind: 'socket' }, unfurlDomain }),
  http: fillManifest(template, {
    reach: { kind: 'http', publicUrl },
    unfurlDomain,
    installedFrom: publicUrl,
  }),
}

type Path = readonly (string | number)[]

/** The printed manifest with one thing changed; `undefined` takes it out. */
function problemsWith(path: Path, value: unknown, reach: keyof typeof filled = 'socket'): readonly string[] {
  const manifest = parseDocument(filled[reach])
  if (value === undefined) manifest.deleteIn(path)
  else manifest.setIn(path, value)
  const changed: unknown = manifest.toJS()
  return manifestProblems(changed)
}

const long = (characters: number) => 'x'.repeat(characters)
const bot: Path = ['oauth_config', 'scopes', 'bot']
const events: Path = ['settings', 'event_subscriptions', 'bot_events']
const shortcut = ['features', 'shortcuts', 0] as const
const command = ['features', 'slash_commands', 0] as const

describe('the printed manifest', () => {
  it.each(['socket', 'http'] as const)('breaks no rule of Slack’s: %s', (reach) => {
    expect(manifestProblems(parseDocument(filled[reach]).toJS())).toEqual([])
  })
})

describe('the manifest check', () => {
  it.each<[name: string, path: Path, value: unknown, problem: string]>([
    ['no name', ['display_information', 'name'], undefined, 'display_information.name: is missing, or not'],
    ['an empty name', ['display_information', 'name'], '', 'is empty, which Slack refuses.'],
    ['a long name', ['display_information', 'name'], long(36), 'is longer than the 35 characters'],
    [
      'a long description',
      ['display_information', 'description'],
      long(141),
      'longer than the 140 characters',
    ],
    ['a short story', ['display_information', 'long_description'], long(174), 'is shorter than the 175'],
    [
      'a colour by name',
      ['display_information', 'background_color'],
      'blue',
      'must be a colour like #1f3a5f.',
    ],
    [
      'a shortcut with a long name',
      [...shortcut, 'name'],
      long(25),
      'features.shortcuts[0].name: is longer than the 24',
    ],
    ['a shortcut with a long description', [...shortcut, 'description'], long(151), 'longer than the 150'],
    [
      'a shortcut of no kind',
      [...shortcut, 'type'],
      'button',
      'features.shortcuts[0].type: is missing, or not',
    ],
    ['a command without its slash', [...command, 'command'], 'alert', 'must begin with / and hold no space.'],
    [
      'no commands in the list',
      ['features', 'slash_commands'],
      [],
      'slash_commands: is an empty list, which Slack',
    ],
    [
      'no shortcuts in the list',
      ['features', 'shortcuts'],
      [],
      'shortcuts: is an empty list, which Slack refuses.',
    ],
    [
      'no domains in the list',
      ['features', 'unfurl_domains'],
      [],
      'unfurl_domains: is an empty list, which Slack',
    ],
    [
      'a domain with _',
      ['features', 'unfurl_domains'],
      ['a_b.example'],
      'unfurl_domains[0]: is no domain that Slack',
    ],
    [
      'six domains',
      ['features', 'unfurl_domains'],
      [...'abcdef'].map((one) => `${one}.example`),
      'more than the 5',
    ],
    ['an unknown key', ['settings', 'colour'], 'blue', 'settings.colour: Slack knows no such key here.'],
    ['an unknown part', ['extras'], {}, 'extras: Slack knows no such key here.'],
    [
      'a key in the wrong place',
      ['features', 'socket_mode_enabled'],
      true,
      'features.socket_mode_enabled: Slack knows',
    ],
    ['bots without a bot user', ['features', 'bot_user'], undefined, 'features.bot_user: is missing.'],
    [
      'a scope that is optional alone',
      ['oauth_config', 'scopes', 'bot_optional'],
      ['files:read'],
      'files:read must be in',
    ],
    ['a scope twice', bot, ['commands', 'commands'], 'oauth_config.scopes.bot: commands is there twice.'],
    ['an event twice', events, ['app_mention', 'app_mention'], 'bot_events: app_mention is there twice.'],
    ['commands without their scope', bot, ['chat:write'], 'features.slash_commands: need the scope commands'],
    ['shortcuts without their scope', bot, ['chat:write'], 'features.shortcuts: need the scope commands'],
    [
      'rotating tokens',
      ['settings', 'token_rotation_enabled'],
      true,
      'token_rotation_enabled: must be false.',
    ],
    [
      'rotating app tokens',
      ['settings', 'app_level_token_rotation_enabled'],
      true,
      'must be false. Bellhop does not',
    ],
    [
      'an address for events',
      ['settings', 'event_subscriptions', 'request_url'],
      publicUrl,
      'doesn’t belong here.',
    ],
    [
      'an address for buttons',
      ['settings', 'interactivity', 'request_url'],
      publicUrl,
      'doesn’t belong here.',
    ],
    [
      'an address for suggestions',
      ['settings', 'interactivity', 'message_menu_options_url'],
      publicUrl,
      'message_menu_options_url: doesn’t belong here.',
    ],
    [
      'an address for a command',
      [...command, 'url'],
      publicUrl,
      'features.slash_commands[0].url: doesn’t belong here.',
    ],
  ])('finds %s', (_, path, value, problem) => {
    expect(problemsWith(path, value).join('\n')).toContain(problem)
  })

  it.each<[name: string, path: Path, value: unknown, problem: string]>([
    [
      'no address for events',
      ['settings', 'event_subscriptions', 'request_url'],
      undefined,
      'request_url: is missing.',
    ],
    [
      'no address for buttons',
      ['settings', 'interactivity', 'request_url'],
      undefined,
      'interactivity.request_url: is',
    ],
    [
      'no address for suggestions',
      ['settings', 'interactivity', 'message_menu_options_url'],
      undefined,
      'interactivity.message_menu_options_url: is missing. Over HTTP',
    ],
    [
      'no address for a command',
      [...command, 'url'],
      undefined,
      'slash_commands[0].url: is missing. Over HTTP',
    ],
    [
      'an open address',
      [...command, 'url'],
      'http://bellhop.example',
      'must be an https address, as in PUBLIC_URL.',
    ],
    [
      'an open way back',
      ['oauth_config', 'redirect_urls'],
      ['http://b.example'],
      'redirect_urls[0]: must be an https',
    ],
  ])('finds %s over HTTP', (_, path, value, problem) => {
    expect(problemsWith(path, value, 'http').join('\n')).toContain(problem)
  })

  it('takes the key for rotating app tokens where they do not rotate', () => {
    expect(problemsWith(['settings', 'app_level_token_rotation_enabled'], false)).toEqual([])
  })

  it.each(['nothing', [], null, {}])('finds that %j is no manifest', (none) => {
    expect(manifestProblems(none)).not.toEqual([])
  })
})

const namedEvent = z.object({ name: z.string(), scopes: z.array(z.string()).default([]) })
const reference = z
  .array(namedEvent)
  .parse(JSON.parse(readFileSync('test/reference/slack-events.json', 'utf8')))
  // It has the scope of app_mention with a dot.
  .map(({ name, scopes }) => ({ name, scopes: scopes.map((scope) => scope.replace('s.read', 's:read')) }))
const subscribed = z
  .array(z.string())
  .parse(parseDocument(filled.http).toJS().settings.event_subscriptions.bot_events)

describe('each event that Bellhop subscribes to', () => {
  it.each(subscribed)('is one of Slack’s, and refused without its scope: %s', (name) => {
    const event = reference.find((one) => one.name === name)
    expect(event?.name).toBe(name)
    const { scopes = [] } = event ?? {}
    const all = z.array(z.string()).parse(parseDocument(filled.socket).toJS().oauth_config.scopes.bot)

    const without = problemsWith(
      bot,
      all.filter((scope) => !scopes.includes(scope)),
    ).filter((problem) => problem.includes(`bot_events: ${name} `))

    const asked =
      scopes.length === 0 ? [] : [expect.stringContaining(`needs the scope ${scopes.join(' or ')} in`)]
    expect(without).toEqual(asked)
  })
})

const section = z.object({ properties: z.record(z.string(), z.unknown()) })
const definitions = z
  .object({ definitions: z.record(z.string(), z.unknown()) })
  .parse(JSON.parse(readFileSync('test/reference/manifest.schema.1.0.0.json', 'utf8'))).definitions
const keysOf = (name: string) =>
  Object.keys(section.parse(definitions[`app-manifests.v1.${name}`]).properties)

describe('keys that Slack’s schema has', () => {
  it.each<[part: string, path: Path]>([
    ['display_information.schema', ['display_information']],
    ['features.schema', ['features']],
    ['features.app_home', ['features', 'app_home']],
    ['features.bot_user', ['features', 'bot_user']],
    ['oauth_config.schema', ['oauth_config']],
    ['oauth_config.scopes', ['oauth_config', 'scopes']],
    ['settings.schema', ['settings']],
    ['settings.event_subscriptions', ['settings', 'event_subscriptions']],
    ['settings.interactivity', ['settings', 'interactivity']],
  ])('are known to the check: %s', (part, path) => {
    const keys = keysOf(part)
    expect(keys).not.toEqual([])
    const unknown = keys
      .flatMap((key) => problemsWith([...path, key], 1))
      .filter((one) => one.includes('no such key'))
    expect(unknown).toEqual([])
  })
})
