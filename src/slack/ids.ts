// Ids of workspaces, people and direct messages in Slack.

import { z } from 'zod'

/** An id, or the `ts` of a message. Plain signs: a database may refuse others, and a modal carries 3,000 in all. */
export const slackId = z.string().regex(/^[\x21-\x7e]{1,255}$/)

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

/** A person of the installation. */
export interface Person extends SlackUser {
  /** As their colleagues know them, raw. People choose it, and two may have the same. */
  readonly name: string
  /** Raw. Nobody chooses it, and nobody else in the workspace has it; undefined where Slack has not said it. */
  readonly handle?: string | undefined
}

/** One text for a person, to key caches with. */
export function personKey({ workspaceId, userId }: SlackUser): string {
  return JSON.stringify([workspaceId, userId])
}

/**
 * Whether a conversation is somebody's direct message. A group message cannot be told by its id, and an event has only
 * that: commands, presses and shortcuts name the conversation as well (`isDirectOrGroup`).
 */
export function isDirectId(channelId: string): boolean {
  return channelId.startsWith('D')
}
