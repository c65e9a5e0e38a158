// The installation: the workspace, or the organisation, that the bot token is for.

import type { WebClient } from '@slack/web-api'
import { ConfigError } from '../../errors.ts'
import type { Log } from '../../log/log.ts'
import { doubling, retry } from '../../work/retry.ts'
import { SlackError, waitSecondsOf } from '../client/slack-error.ts'
import type { Posted } from '../outbound/message.ts'

export interface Installation {
  readonly teamId: string
  /** What its people call it; undefined when Slack does not say. */
  readonly teamName: string | undefined
  readonly enterpriseId: string | undefined
  readonly isOrgWide: boolean
  readonly botUserId: string
  /** Where people open it in a browser; ends with a slash. Undefined when Slack does not say. */
  readonly url: string | undefined
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

const pauses = doubling(500, 30_000)

/**
 * Asks Slack's `auth.test` who the bot is, again and again until it answers.
 * @param slack.onRefused - Told once when Slack refuses the token for good.
 */
export function learnBot(slack: {
  /** With the bot token. */
  readonly web: WebClient
  readonly log: Log
  readonly wait: (ms: number) => Promise<void>
  readonly onRefused: (error: ConfigError) => void
}) {
  const { web, log, wait, onRefused } = slack
  let isKnown = false
  let isSaid = false
  const stopping = new AbortController()

  async function learn(): Promise<Installation> {
    const answer = await web.auth.test()
    isKnown = true
    return {
      teamId: answer.team_id ?? '',
      teamName: answer.team || undefined,
      enterpriseId: answer.enterprise_id || undefined,
      isOrgWide: answer.is_enterprise_install ?? false,
      botUserId: answer.user_id ?? '',
      url: answer.url,
    }
  }

  function pauseAfter(error: unknown, tries: number): number | undefined {
    if (stopping.signal.aborted) return undefined
    if (error instanceof SlackError && error.isOfToken) {
      const problem = `SLACK_BOT_TOKEN: Slack refuses it (${error.word}). Copy the bot token again from your app’s page, OAuth & Permissions.`
      onRefused(new ConfigError([problem]))
      return undefined
    }
    if (!isSaid) log.warn({ why: rootOf(error) }, 'waiting for Slack, which does not answer yet')
    isSaid = true
    return Math.max(pauses(tries), 1000 * (waitSecondsOf(error) ?? 0))
  }

  const learning = retry(learn, { pauseAfter, wait, stopping: stopping.signal })
  // Whoever awaits it gets the refusal; nobody may be waiting yet.
  learning.catch(() => undefined)

  return {
    /** Waits until Slack has said whose the bot is. Rejects when Slack refuses the token, or after `stop`. */
    learned: () => learning,
    isKnown: () => isKnown,
    /** Asks no more. */
    stop: () => stopping.abort(),
  }
}

/** Of what led to an error, the first: `connect ECONNREFUSED 127.0.0.1:443`. */
function rootOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? rootOf(error.cause) : error.message
}
