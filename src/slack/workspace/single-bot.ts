// The one workspace of a bot that is given its token: who it is there, Slack's `auth.test` tells.
import type { WebClient } from '@slack/web-api'
import { ConfigError } from '../../errors.ts'
import type { Log } from '../../log/log.ts'
import { doubling, retry } from '../../work/retry.ts'
import { classify } from '../client/refusals.ts'
import { type Bot, type Bots, type Installation, scopesIn, workspaceIdOf } from './installation.ts'

/** `find` waits until Slack has answered. It rejects when Slack refuses the token, or after `stop`. */
export interface OneBot extends Bots {
  /** As `find`, where it is. */
  learned(): Promise<Bot>
  isKnown(): boolean
  /** Asks no more. */
  stop(): void
}

const pauses = doubling(500, 30_000)

/**
 * Asks Slack who the bot is, again and again until it answers.
 * @param slack.onRefused - Told once when Slack refuses the token for good.
 */
export function learnBot(slack: {
  readonly botToken: string
  /** With this token. */
  readonly web: WebClient
  readonly log: Log
  readonly wait: (ms: number) => Promise<void>
  readonly onRefused: (error: ConfigError) => void
}): OneBot {
  const { botToken: token, web, log, wait, onRefused } = slack
  let isKnown = false
  const stopping = new AbortController()

  async function ask(): Promise<Installation> {
    const answer = await web.auth.test()
    return {
      teamId: answer.team_id ?? '',
      teamName: answer.team || undefined,
      enterpriseId: answer.enterprise_id || undefined,
      isOrgWide: answer.is_enterprise_install ?? false,
      botUserId: answer.user_id ?? '',
      botId: answer.bot_id,
      url: answer.url,
      scopes: scopesIn(answer),
    }
  }

  async function learn(): Promise<Bot> {
    const installation = await ask()
    isKnown = true
    return { installation, token }
  }

  function pauseAfter(error: unknown, tries: number): number | undefined {
    if (stopping.signal.aborted) return undefined
    const failure = classify(error)
    if (failure.kind === 'token') {
      const problem = `SLACK_BOT_TOKEN: Slack refuses it (${failure.word}). Copy the bot token again from your app’s page, OAuth & Permissions.`
      onRefused(new ConfigError([problem]))
      return undefined
    }
    log.warn({ err: error }, 'Slack does not answer yet')
    return Math.max(pauses(tries), 1000 * (failure.waitSeconds ?? 0))
  }

  const learning = retry(learn, { pauseAfter, wait, stopping: stopping.signal })
  // Whoever awaits it gets the refusal; nobody may be waiting yet.
  learning.catch(() => undefined)

  const find = (workspaceId: string): Promise<Bot | undefined> =>
    learning.then((bot) => (workspaceIdOf(bot.installation) === workspaceId ? bot : undefined))

  return {
    find,
    // Another token is another start.
    findAnew: find,
    async ofBotUsers(userIds) {
      const bot = await learning
      return userIds.includes(bot.installation.botUserId) ? bot : undefined
    },
    learned: () => learning,
    isKnown: () => isKnown,
    stop() {
      stopping.abort()
    },
  }
}
