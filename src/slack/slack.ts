// Slack, as operations use it: everything that knows how Slack is talked to, put together.
import type { ConfigError } from '../errors.ts'
import type { HttpsProxy } from '../http/agent.ts'
import type { Log } from '../log/log.ts'
import { createWork } from '../work/under-way.ts'
import { connectToSlack, createPatience, SlackClient } from './client/web-client.ts'
import { createLimit } from './guard/limit.ts'
import type { Clock } from './ids.ts'
import { createDelivery } from './outbound/delivery.ts'
import type { Posted } from './outbound/message.ts'
import { createOutbound } from './outbound/outbound.ts'
import { createChannels } from './workspace/channels.ts'
import { learnBot, messageLink, workspaceNameOf } from './workspace/installation.ts'
import { createPeople } from './workspace/people.ts'
import { createSlackProbe } from './workspace/probe.ts'
import { createScopes, warnOfMissing } from './workspace/scopes.ts'
import { followToken } from './workspace/token.ts'

/** It is for the one workspace, or organisation, that the bot token is of. */
export type Slack = ReturnType<typeof openSlack>

/** @param slack.apiUrl - Ends with a slash. `proxy`: undefined where Slack is reached directly. */
export function openSlack(slack: {
  readonly botToken: string
  readonly apiUrl: string
  readonly proxy: HttpsProxy | undefined
  /** What a person may ask for; 0 sets no limit. */
  readonly perMinute: number
  readonly log: Log
  readonly now: Clock
  readonly wait: (ms: number) => Promise<void>
  /** Told when Slack refuses the token for good. */
  readonly onRefused: (error: ConfigError) => void
}) {
  const { botToken, perMinute, log, now, wait, onRefused } = slack
  const { options: clientOptions, destroy } = connectToSlack(slack)
  const token = followToken({ ask: () => web.auth.test(), log, now })
  const web = new SlackClient(botToken, clientOptions, log, token)
  const { isKnown, learned, stop } = learnBot({ web, log, wait, onRefused })
  void learned().then(
    () => warnOfMissing(token.scopes(), log),
    // Slack refuses the token, or the bot stops: told where that is noticed.
    () => undefined,
  )
  const scopes = createScopes(() => learned().then(token.scopes, token.scopes))
  const patiently = createPatience(wait)
  const outbound = createOutbound({ web, options: clientOptions, patiently, log })
  return {
    ...outbound,
    ...createDelivery(outbound),
    /** True once Slack has said whose the bot is. */
    isKnown,
    /** Resolves once it is known; rejects when the bot stops before. */
    learned,
    people: createPeople({ web, installation: learned, patiently, now }),
    scopes,
    channels: createChannels({ web, scopes, now }),
    probe: createSlackProbe(web),
    /** The link of a message; undefined when Slack has not said where messages are. */
    linkOf: async (posted: Posted) => messageLink(await learned(), posted),
    workspaceName: async () => workspaceNameOf(await learned()),
    patiently,
    /** What one person may ask for. */
    limit: createLimit(perMinute, now),
    /** What is under way; a stop waits for it. */
    work: createWork(),
    /** Slack's word for why it refuses the token; undefined while it takes it. */
    refusal: token.refusal,
    /** For Bolt, which makes clients of its own. */
    clientOptions,
    /** Asks Slack no more, and closes what is open. */
    async close(): Promise<void> {
      stop()
      await destroy()
    },
  }
}
