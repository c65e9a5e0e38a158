// Who somebody is in Slack.

/** Milliseconds since 1970, handed in wherever time matters so that tests can set it. */
export type Clock = () => number

/**
 * A person, as the bot's stores know them.
 * `workspaceId` is the installation's team, or its enterprise when the app is installed org-wide.
 */
export interface SlackUser {
  readonly workspaceId: string
  readonly userId: string
}

/** One text for a person, to key caches with. */
export function personKey({ workspaceId, userId }: SlackUser): string {
  return JSON.stringify([workspaceId, userId])
}
