// Scopes: abilities of the bot with what each needs, and what a token lacks for them.
import type { Log } from '../../log/log.ts'

interface AbilityFacts {
  /** What it is, in a few words. */
  readonly name: string
  /** Its scopes, all of them needed. */
  readonly scopes: readonly string[]
  /** Bot events that come with it. */
  readonly events: readonly string[]
  /** Without it Bellhop is of no use. */
  readonly isEssential?: true
}

/**
 * Abilities with the scopes and events that each needs: one table, which manifest.yml is tested against. Where a
 * scope is missing, Slack refuses what needs it, and nothing else. `users:read`: whoever mentions the bot, opens its Home tab or
 * posts a link may be of another organisation.
 * Source: docs.slack.dev/reference/scopes, /reference/events.
 */
const table = {
  commands: { name: 'Commands', scopes: ['commands'], events: [], isEssential: true },
  messages: { name: 'Messages', scopes: ['chat:write'], events: [], isEssential: true },
  publicChannels: {
    name: 'Public channels without an invitation',
    scopes: ['chat:write.public'],
    events: [],
  },
  people: { name: 'People by name', scopes: ['users:read', 'users:read.email'], events: ['user_change'] },
  mentions: { name: 'Mentions', scopes: ['app_mentions:read', 'users:read'], events: ['app_mention'] },
  directWords: { name: 'Direct messages', scopes: ['im:history', 'users:read'], events: ['message.im'] },
  home: { name: 'Home tab', scopes: ['users:read'], events: ['app_home_opened'] },
  unfurls: {
    name: 'Previews of alert links',
    scopes: ['links:read', 'links:write', 'users:read'],
    events: ['link_shared'],
  },
  channelFacts: {
    name: 'Channel details',
    scopes: ['channels:read', 'groups:read'],
    events: ['channel_shared'],
  },
} as const satisfies Readonly<Record<string, AbilityFacts>>

/** Events that Slack sends without any scope: the app is taken away. */
export const freeEvents: readonly string[] = ['tokens_revoked', 'app_uninstalled']

export type Ability = keyof typeof table

export const abilities: Readonly<Record<Ability, AbilityFacts>> = table

const isAbility = (name: string): name is Ability => Object.hasOwn(table, name)
export const abilityNames: readonly Ability[] = Object.keys(table).filter(isAbility)

/** The scopes that an ability needs and the bot token lacks. */
export function lacking(ability: Ability, granted: ReadonlySet<string>): readonly string[] {
  return abilities[ability].scopes.filter((scope) => !granted.has(scope))
}

/** Logs what is off. @param scopes - Undefined where Slack does not say: a proxy may drop the header. */
export function warnOfMissing(scopes: ReadonlySet<string> | undefined, log: Log): void {
  const off = scopes === undefined ? [] : abilityNames.filter((one) => lacking(one, scopes).length > 0)
  if (scopes === undefined || off.length === 0) return
  const missing = off.map((one) => `${abilities[one].name}: ${lacking(one, scopes).join(', ')}`)
  log.warn({ missing }, 'some features are off, because the bot token lacks their scopes')
}
