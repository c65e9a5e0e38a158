// Abilities of the bot: the scopes that each needs, all of them, and what doesn’t work without them.

/** @param without - What doesn’t work without them, in a sentence. */
function needs(name: string, scopes: string, without: string) {
  return { name, scopes: scopes.split(' '), without }
}

/** Needed unless the operator has switched previews off. */
export const previews = needs(
  'Previews of alert links',
  'links:read links:write users:read',
  'Links to alerts get no preview.',
)

/** Abilities without which Bellhop is of no use. */
export const essentials = [
  needs('Commands', 'commands', 'Commands and shortcuts don’t work.'),
  needs('Messages', 'chat:write', 'Bellhop can’t post cards, threads or direct messages.'),
]

/**
 * All abilities: manifest.yml is tested against this table. If a scope is missing, Slack refuses what needs it, and
 * nothing else. `users:read`: whoever mentions the bot, opens its Home tab or posts a link may be of another organisation.
 * Source: docs.slack.dev/reference/scopes, /reference/events.
 */
export const abilities = [
  ...essentials,
  needs(
    'Public channels without an invitation',
    'chat:write.public',
    'In public channels that Bellhop isn’t in, cards have no thread and can’t be watched.',
  ),
  needs(
    'People by name',
    'users:read users:read.email',
    'Access can be granted by address only, admins aren’t recognised, and the tokens of people who leave aren’t deleted.',
  ),
  needs('Mentions', 'app_mentions:read users:read', 'Bellhop doesn’t answer mentions.'),
  needs('Direct messages', 'im:history users:read', 'Bellhop doesn’t answer direct messages.'),
  needs('Home tab', 'users:read', 'The Home tab stays empty.'),
  previews,
  needs(
    'Channel details',
    'channels:read groups:read',
    'Doctor can’t see which channels Bellhop is in. Cards in channels show no names and stay live where another organisation reads. Nothing about access is posted in channels, no requests for approval either.',
  ),
]
