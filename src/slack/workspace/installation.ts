// Installations: each a workspace, or an organisation, that the bot is in, and the port of whoever keeps them with
// their tokens.
import type { Posted } from '../outbound/message.ts'

export interface Installation {
  readonly teamId: string
  /** What its people call it; undefined when Slack does not say. */
  readonly teamName: string | undefined
  readonly enterpriseId: string | undefined
  readonly isOrgWide: boolean
  readonly botUserId: string
  readonly botId: string | undefined
  /** Where people open it in a browser; ends with a slash. Undefined when Slack does not say. */
  readonly url: string | undefined
  /** What the bot token may do; undefined when Slack does not say. */
  readonly scopes: ReadonlySet<string> | undefined
}

/** The id under which people of this installation are kept. */
export function workspaceIdOf(installation: Installation): string {
  return installation.isOrgWide ? (installation.enterpriseId ?? installation.teamId) : installation.teamId
}

/** A workspace as its people know it; what Slack does not say is left out. */
export interface WorkspaceName {
  readonly name?: string | undefined
  /** As in `acme.slack.com`. */
  readonly domain?: string | undefined
}

export function workspaceNameOf({ teamName, url }: Installation): WorkspaceName {
  return { name: teamName, domain: url === undefined ? undefined : URL.parse(url)?.hostname }
}

/** The link of a message, which opens it in Slack's apps too. */
export function messageLink({ url }: Installation, { channelId, ts, threadTs }: Posted): string | undefined {
  if (url === undefined) return undefined
  const thread = threadTs === undefined ? '' : `?thread_ts=${threadTs}&cid=${channelId}`
  return `${url}archives/${channelId}/p${ts.replace('.', '')}${thread}`
}

/** Slack's client keeps the header `x-oauth-scopes` with each answer. */
export function scopesIn(answer: {
  readonly response_metadata?: { readonly scopes?: readonly string[] }
}): ReadonlySet<string> | undefined {
  const scopes = answer.response_metadata?.scopes
  return scopes === undefined ? undefined : new Set(scopes)
}

/** An installation, and the token the bot acts with there. */
export interface Bot {
  readonly installation: Installation
  readonly token: string
}

/** Every workspace and organisation the bot is installed in: the port of whoever keeps them. */
export interface Bots {
  /**
   * @param workspaceId - A team's id; an enterprise's, where it is installed for all of it.
   * @returns Undefined where the bot is not installed, or not any more.
   */
  find(workspaceId: string): Promise<Bot | undefined>
  /** As `find`, whatever this process knows already: another one may have installed it anew. */
  findAnew(workspaceId: string): Promise<Bot | undefined>
  /** The installation that one of these users is the bot of; undefined when none of them is a bot of ours. */
  ofBotUsers(userIds: readonly string[]): Promise<Bot | undefined>
}
