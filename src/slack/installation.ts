// The workspace the bot is installed in, as Slack's `auth.test` tells it.
import type { WebClient } from '@slack/web-api'
import { ConfigError } from '../errors.ts'
import type { Log } from '../log.ts'
import type { Posted } from './outbound.ts'
import { tokenRefusalOf, waitAskedFor } from './refusals.ts'

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

/** True when somebody of this team (and organisation) belongs to the installation. */
export function isOurs(
  installation: Installation,
  from: { readonly teamId: string | undefined; readonly enterpriseId: string | undefined },
): boolean {
  if (installation.isOrgWide) return from.enterpriseId === installation.enterpriseId
  return from.teamId === installation.teamId
}

/** As its people know it; what Slack does not say is left out. */
export function workspaceNameOf({ teamName, url }: Installation): {
  readonly name: string | undefined
  readonly domain: string | undefined
} {
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

export interface Installed {
  /** Known once Slack has answered; waits for it. Rejects when Slack refuses the token, or after `stop`. */
  installation(): Promise<Installation>
  isKnown(): boolean
  /** Asks no more. */
  stop(): void
}

const longestPauseMs = 30_000

/**
 * Asks Slack who the bot is, again and again until it answers.
 * @param onRefused - Told once when Slack refuses the token for good.
 */
export function learnInstallation(slack: {
  readonly web: WebClient
  readonly log: Log
  readonly wait: (ms: number) => Promise<void>
  readonly onRefused: (error: ConfigError) => void
}): Installed {
  let known: Installation | undefined
  let isStopped = false

  async function learn(): Promise<Installation> {
    for (let pauseMs = 500; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      try {
        const answer = await slack.web.auth.test()
        known = {
          teamId: answer.team_id ?? '',
          teamName: answer.team || undefined,
          enterpriseId: answer.enterprise_id || undefined,
          isOrgWide: answer.is_enterprise_install ?? false,
          botUserId: answer.user_id ?? '',
          botId: answer.bot_id,
          url: answer.url,
          scopes: scopesIn(answer),
        }
        return known
      } catch (error) {
        if (isStopped) throw error
        const refusal = tokenRefusalOf(error)
        if (refusal !== undefined) {
          const problem = `SLACK_BOT_TOKEN: Slack refuses it (${refusal}). Copy the bot token again from your app's page, OAuth & Permissions.`
          slack.onRefused(new ConfigError([problem]))
          throw error
        }
        slack.log.warn({ err: error }, 'Slack does not answer yet')
        await slack.wait(Math.max(pauseMs, 1000 * (waitAskedFor(error) ?? 0)))
        if (isStopped) throw error
      }
    }
  }

  const learning = learn()
  // Whoever awaits it gets the refusal; nobody may be waiting yet.
  learning.catch(() => undefined)
  return {
    installation: () => learning,
    isKnown: () => known !== undefined,
    stop() {
      isStopped = true
    },
  }
}
