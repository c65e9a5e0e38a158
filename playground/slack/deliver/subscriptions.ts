// Subscriptions of the bot: the events that it gets are those it is subscribed to, and has the scope for. Source:
// docs.slack.dev/reference/events.
import type { WorkspaceOptions } from '../workspace/workspace.ts'

const neededScope = {
  app_home_opened: undefined,
  app_mention: 'app_mentions:read',
  channel_left: 'channels:read',
  channel_shared: 'channels:read',
  group_left: 'groups:read',
  link_shared: 'links:read',
  'message.channels': 'channels:history',
  'message.groups': 'groups:history',
  'message.im': 'im:history',
} as const

export type EventName = keyof typeof neededScope

export function isSubscribedTo(
  name: EventName,
  { botEvents, botScopes }: Pick<WorkspaceOptions, 'botEvents' | 'botScopes'>,
): boolean {
  const scope = neededScope[name]
  const hasScope = scope === undefined || botScopes.includes(scope)
  return hasScope && (botEvents === undefined || botEvents.includes(name))
}
