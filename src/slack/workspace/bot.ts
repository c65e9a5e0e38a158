// The bot, as Slack knows it: its workspace or organisation, and whether Slack takes its token.
import type { AuthTestResponse } from '@slack/web-api'
import { ConfigError } from '../../errors.ts'
import { createTrouble, type Log } from '../../log/log.ts'
import { doubling, retry } from '../../work/retry.ts'
import { SlackClient, type SlackConnection, SlackError, waitSecondsOf } from '../client.ts'
import type { Posted } from '../outbound/message.ts'
import type { Clock } from '../person.ts'

export type Installation = ReturnType<typeof installationFrom>

function installationFrom(answer: AuthTestResponse) {
  const {
    team_id: teamId = '',
    enterprise_id,
    is_enterprise_install: isOrgWide = false,
    url,
  } = answer
  const enterpriseId = enterprise_id || undefined
  return {
    /** Key under which people are stored: the organisation's id when the bot is installed for all of it. */
    workspaceId: isOrgWide ? (enterpriseId ?? teamId) : teamId,
    teamId,
    enterpriseId,
    isOrgWide,
    /** Name of the workspace, raw. Undefined when Slack does not say. */
    workspace: answer.team || undefined,
    botUserId: answer.user_id ?? '',
    /** Web address of the workspace, with a slash at its end. Undefined when Slack does not say. */
    url,
  }
}

const refusedWords =
  'Slack refuses the bot token: Bellhop can post nothing; copy the token again (SLACK_BOT_TOKEN)'
const pauses = doubling(500, 30_000)
const askedEveryMs = 30_000

export interface BotOptions {
  readonly botToken: string
  readonly log: Log
  readonly now: Clock
  readonly wait: (ms: number) => Promise<void>
  readonly stopping: AbortSignal
  /** Called when Slack refuses the token at the start. */
  readonly onRefused: (error: ConfigError) => void
}

/** Makes the bot's client, and asks Slack's `auth.test` who the bot is until Slack answers. */
export function learnBot(options: BotOptions, connection: SlackConnection) {
  const { log, now, onRefused } = options
  const web = new SlackClient(options.botToken, connection, hear)
  const trouble = createTrouble(options)
  let isKnown = false
  let refusal: string | undefined
  let askedAt = Number.NEGATIVE_INFINITY

  function pauseAfter(error: unknown, tries: number): number | undefined {
    if (error instanceof SlackError && error.isOfToken) {
      const problem = `SLACK_BOT_TOKEN: Slack refuses it (${error.word}). Copy the bot token again from your app’s page, OAuth & Permissions.`
      onRefused(new ConfigError([problem]))
      return undefined
    }
    const why = String(error instanceof Error ? (error.cause ?? error) : error)
    if (tries === 1) log.warn({ why }, 'waiting for Slack, which does not answer yet')
    return Math.max(pauses(tries), 1000 * (waitSecondsOf(error) ?? 0))
  }

  function hear(refused?: SlackError) {
    refusal = refused?.word
    if (refusal === undefined) trouble.ends('Slack accepts the bot token again')
    else trouble.begins({ refusal }, refusedWords)
    isKnown ||= refusal === undefined
  }

  const learning = retry(async () => installationFrom(await web.auth.test()), {
    ...options,
    pauseAfter,
  })
  // Callers of `learned` get the refusal. While nobody has called, it would be an unhandled rejection.
  learning.catch(() => undefined)

  return {
    web,
    /** Waits until Slack has said who the bot is. @throws When Slack refuses the token, or the bot stops. */
    learned: () => learning,
    isKnown: () => isKnown,
    /** A message's link, which Slack's apps open too. Undefined when Slack has not said the workspace's address. */
    async linkOf({ channelId, ts, threadTs }: Posted): Promise<string | undefined> {
      const { url } = await learning
      const thread = threadTs === undefined ? '' : `?thread_ts=${threadTs}&cid=${channelId}`
      return url && `${url}archives/${channelId}/p${ts.replace('.', '')}${thread}`
    },
    /** Slack's word of refusal; undefined while Slack takes the token. A refusal is checked again, at most every 30 s. */
    refusal(): string | undefined {
      if (refusal !== undefined && now() - askedAt >= askedEveryMs) {
        askedAt = now()
        web.auth.test().catch(() => undefined)
      }
      return refusal
    },
  }
}
