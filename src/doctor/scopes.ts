// Scopes: abilities of the bot, with what each needs and what does not work without it.

export interface Ability {
  /** What it is, in a few words. */
  readonly name: string
  /** Its scopes, all of them needed. */
  readonly scopes: readonly string[]
  /** What does not work without it: a sentence. */
  readonly without: string
  /** Without it Bellhop is of no use. */
  readonly isEssential?: true
}

/** Switched off by the operator where links get no previews. */
export const previews: Ability = {
  name: 'Previews of alert links',
  scopes: ['links:read', 'links:write', 'users:read'],
  without: 'Links to alerts get no preview.',
}

/**
 * All of them: manifest.yml is tested against this table. Where a scope is missing, Slack refuses what needs it, and
 * nothing else. `users:read`: whoever mentions the bot, opens its Home tab or posts a link may be of another organisation.
 * Source: docs.slack.dev/reference/scopes, /reference/events.
 */
export const abilities: readonly Ability[] = [
  {
    ...{ name: 'Commands', scopes: ['commands'], isEssential: true },
    without: 'Commands and shortcuts don’t work.',
  },
  {
    ...{ name: 'Messages', scopes: ['chat:write'], isEssential: true },
    without: 'Bellhop can’t post cards, threads or direct messages.',
  },
  {
    ...{ name: 'Public channels without an invitation', scopes: ['chat:write.public'] },
    without: 'In public channels that Bellhop isn’t in, cards have no thread and can’t be watched.',
  },
  {
    ...{ name: 'People by name', scopes: ['users:read', 'users:read.email'] },
    without:
      'Access can be granted by address only, admins aren’t recognised, and the tokens of people who leave aren’t deleted.',
  },
  {
    ...{ name: 'Mentions', scopes: ['app_mentions:read', 'users:read'] },
    without: 'Bellhop doesn’t answer mentions.',
  },
  {
    ...{ name: 'Direct messages', scopes: ['im:history', 'users:read'] },
    without: 'Bellhop doesn’t answer direct messages.',
  },
  {
    ...{ name: 'Home tab', scopes: ['users:read'] },
    without: 'The Home tab stays empty.',
  },
  previews,
  {
    ...{ name: 'Channel details', scopes: ['channels:read', 'groups:read'] },
    without:
      'Doctor can’t see which channels Bellhop is in. In a channel that’s shared with another organisation, cards stay live and show names.',
  },
]
