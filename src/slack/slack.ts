// Slack, as operations use it: everything that knows how Slack is talked to, put together.
import type { ConfigError } from '../errors.ts'
import type { HttpsProxy } from '../http/agent.ts'
import type { Log } from '../log/log.ts'
import { createWork, type Work } from '../work/under-way.ts'
import { createTransport } from './client/transport.ts'
import { clientOptionsFor, createPatience, type Patiently, SlackClient } from './client/web-client.ts'
import { type AckedViews, type AnswerForm, createAckedViews, createAnswerForm } from './guard/answer-form.ts'
import { createLimit, type Limit } from './guard/limit.ts'
import type { Clock } from './ids.ts'
import { createDelivery, type Delivery } from './outbound/delivery.ts'
import type { Posted } from './outbound/message.ts'
import { createOutbound, type Outbound, slackUrls } from './outbound/outbound.ts'
import { type Channels, createChannels } from './workspace/channels.ts'
import {
  type Installation,
  learnBot,
  messageLink,
  type WorkspaceName,
  workspaceNameOf,
} from './workspace/installation.ts'
import { createPeople, type People } from './workspace/people.ts'
import { createSlackProbe, type SlackProbe } from './workspace/probe.ts'
import { createScopes, type Scopes, warnOfMissing } from './workspace/scopes.ts'
import { createTokenRefusal, type TokenRefusal } from './workspace/token-refusal.ts'

/** It is for the one workspace, or organisation, that the bot token is of. */
export interface Slack extends Outbound, Delivery {
  /** True once Slack has said whose the bot is. */
  isKnown(): boolean
  /** Resolves once it is known; rejects when the bot stops before. */
  learned(): Promise<Installation>
  readonly people: People
  readonly scopes: Scopes
  readonly channels: Channels
  readonly probe: SlackProbe
  /** The link of a message; undefined when Slack has not said where messages are. */
  linkOf(posted: Posted): Promise<string | undefined>
  workspaceName(): Promise<WorkspaceName>
  readonly patiently: Patiently
  readonly answerForm: AnswerForm
  readonly ackedViews: AckedViews
  /** What one person may ask for. */
  readonly limit: Limit
  /** What is under way; a stop waits for it. */
  readonly work: Work
  readonly tokenRefusal: Pick<TokenRefusal, 'word'>
  /** For Bolt, which makes clients of its own. */
  readonly clientOptions: ReturnType<typeof clientOptionsFor>
  /** Asks Slack no more, and closes what is open. */
  close(): Promise<void>
}

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
  /** Told of each update that waits for nobody's turn. @param askedSeconds - For so long Slack has asked to wait. */
  readonly onUpdate: (askedSeconds: number | undefined) => void
}): Slack {
  const { botToken, apiUrl, perMinute, log, now, wait, onRefused } = slack
  const { fetch, destroy } = createTransport(slack)
  const clientOptions = clientOptionsFor(apiUrl, fetch, log)
  const web = new SlackClient(botToken, clientOptions, (method) => tokenRefusal.suspect(method))
  const { isKnown, learned, stop } = learnBot({ web, log, wait, onRefused })
  void learned().then(
    ({ scopes: granted }) => warnOfMissing(granted, log),
    // Slack refuses the token, or the bot stops: told where that is noticed.
    () => undefined,
  )
  const scopes = createScopes(async () => (await learned()).scopes)
  const probe = createSlackProbe(web, scopes.learn)
  const tokenRefusal = createTokenRefusal({ ask: probe.scopes, log, now })
  const patiently = createPatience(wait)
  const ackedViews = createAckedViews(now, wait)
  const outbound = createOutbound({
    ...slack,
    web,
    fetch,
    isSlackUrl: slackUrls(apiUrl),
    patiently,
    settled: ackedViews.settled,
  })
  return {
    ...outbound,
    ...createDelivery(outbound),
    isKnown,
    learned,
    people: createPeople({ web, installation: learned, patiently }),
    scopes,
    channels: createChannels({ web, scopes, now }),
    probe,
    linkOf: async (posted) => messageLink(await learned(), posted),
    workspaceName: async () => workspaceNameOf(await learned()),
    patiently,
    answerForm: createAnswerForm(outbound, wait),
    ackedViews,
    limit: createLimit(perMinute, now),
    work: createWork(),
    tokenRefusal,
    clientOptions,
    async close() {
      stop()
      await destroy()
    },
  }
}
