// The room put together: everything that knows how Slack is talked to.
import { WebClient } from '@slack/web-api'
import type { ConfigError } from '../errors.ts'
import type { HttpsProxy } from '../http/agent.ts'
import type { Log } from '../log/log.ts'
import { slackRefusalsTotal, slackSeconds } from '../metrics/metrics.ts'
import { createWork, type Work } from '../work/under-way.ts'
import { kindOfRefusal, NotInstalledError, refusalKinds } from './client/refusals.ts'
import { createTransport } from './client/transport.ts'
import { clientOptionsFor, createPatience, type Patiently, SlackClient } from './client/web-client.ts'
import { createGate, type Gate } from './gate/gate.ts'
import { type AnswerForm, createAckedViews, createAnswerForm } from './guard/answer-form.ts'
import { createGuard, type Guard } from './guard/guard.ts'
import type { Once } from './guard/once.ts'
import type { GuardRoom } from './guard/room.ts'
import { createPersonOf } from './guard/who.ts'
import type { Clock, PerWorkspace } from './ids.ts'
import { createDelivery, type Delivery } from './outbound/delivery.ts'
import type { Posted } from './outbound/message.ts'
import { createOutbound, type Outbound } from './outbound/outbound.ts'
import {
  createHeldAcks,
  createPostToUrl,
  type HeldAcks,
  type PostToUrl,
  slackUrls,
} from './outbound/response-url.ts'
import {
  type ChannelMembers,
  createChannelMembers,
  createSharedChannels,
  type SharedChannels,
} from './workspace/channels.ts'
import {
  type Installation,
  learnBot,
  messageLink,
  type WorkspaceName,
  workspaceIdOf,
  workspaceNameOf,
} from './workspace/installation.ts'
import { createPeople, type People } from './workspace/people.ts'
import { createSlackProbe, isTokenGood, type SlackProbe } from './workspace/probe.ts'
import { createScopes, type Scopes, warnOfMissing } from './workspace/scopes.ts'
import { createTokenRefusal, type TokenRefusal } from './workspace/token-refusal.ts'

/** The link of a message; undefined when Slack has not said where messages of that workspace are. */
export type LinkOf = (workspaceId: string, posted: Posted) => Promise<string | undefined>

/** Told of each update that waits for nobody's turn. @param askedSeconds - For so long Slack has asked to wait. */
export type OnUpdate = (workspaceId: string, askedSeconds: number | undefined) => void

/** Clients and knowledge of a workspace: they work for the bot's own, and for no other. */
interface Workspaces {
  readonly outbound: PerWorkspace<Outbound>
  readonly people: PerWorkspace<People>
  readonly scopes: PerWorkspace<Scopes>
  readonly probe: PerWorkspace<SlackProbe>
  readonly sharedChannels: PerWorkspace<SharedChannels>
  readonly members: PerWorkspace<ChannelMembers>
  readonly linkOf: LinkOf
  workspaceName(workspaceId: string): Promise<WorkspaceName>
}

export interface SlackRoom extends Workspaces {
  /** True once Slack has said whose the bot is. */
  isKnown(): boolean
  /** Resolves once it is known; rejects when the bot stops before. */
  learned(): Promise<Installation>
  readonly patiently: Patiently
  readonly delivery: Delivery
  readonly answerForm: AnswerForm
  readonly guard: Guard
  readonly work: Work
  /** Acks the held command now, because its answer has to wait for monitoring. */
  readonly ackNow: HeldAcks['ackNow']
  /** For listeners of events, which the guard charges to nobody. */
  readonly gate: Pick<Gate, 'chargeSilently'>
  readonly tokenRefusal: Pick<TokenRefusal, 'word'>
  /** For Bolt, which makes clients of its own. */
  readonly clientOptions: ReturnType<typeof clientOptionsFor>
  /** Asks Slack no more, and closes what is open. */
  close(): Promise<void>
}

export function openSlack(room: {
  readonly botToken: string
  /** Ends with a slash. */
  readonly apiUrl: string
  /** Undefined where Slack is reached directly. */
  readonly proxy: HttpsProxy | undefined
  readonly log: Log
  readonly undone: GuardRoom['undone']
  readonly monitorSentence: GuardRoom['monitorSentence']
  readonly now: Clock
  readonly wait: (ms: number) => Promise<void>
  /** Told when Slack refuses the token for good. */
  readonly onRefused: (error: ConfigError) => void
  readonly once: Once
  readonly onUpdate: OnUpdate
  /** What a person may ask for; 0 sets no limit. */
  readonly perMinute: number
  /** Aborts when the bot stops. */
  readonly stopping: AbortSignal
}): SlackRoom {
  const { botToken, apiUrl, log, now, wait, onRefused, once, stopping } = room
  const { perMinute, undone, monitorSentence } = room
  // An alert looks at them, and `increase()` does not see a series begin.
  for (const kind of refusalKinds) slackRefusalsTotal.inc({ kind }, 0)
  const { fetch, destroy } = createTransport(room.proxy, {
    apiUrl,
    onCall(method, status, ms, refusal) {
      slackSeconds.observe({ method, status }, ms / 1000)
      if (refusal !== undefined) slackRefusalsTotal.inc({ kind: kindOfRefusal(refusal) })
      log.debug({ method, status, refusal, ms: Math.round(ms) }, 'Slack was called')
    },
  })
  const clientOptions = clientOptionsFor(apiUrl, fetch, log)
  const bot = learnBot({ web: new WebClient(botToken, clientOptions), log, wait, onRefused })
  const { isKnown, learned } = bot
  void learned().then(
    ({ scopes }) => warnOfMissing(scopes, log),
    // Slack refuses the token, or the bot stops: told where that is noticed.
    () => undefined,
  )

  const work = createWork()
  const patiently = createPatience(wait)
  const heldAcks = createHeldAcks(createPostToUrl({ fetch, isSlackUrl: slackUrls(apiUrl) }))
  const { postTo, ackNow } = heldAcks
  const ackedViews = createAckedViews(now, wait)
  const workspaces: Workspaces = createWorkspaces({
    learned,
    web: new SlackClient(botToken, clientOptions, (method) => tokenRefusal.suspect(method)),
    postTo,
    patiently,
    onUpdate: room.onUpdate,
    log,
    now,
    settled: ackedViews.settled,
  })
  const tokenRefusal = createTokenRefusal({
    ask: async () => workspaces.probe.in(workspaceIdOf(await learned())).scopes(),
    log,
    now,
  })
  const { people, scopes, outbound } = workspaces
  const answerForm = createAnswerForm({ outbound, wait })
  const delivery = createDelivery(outbound)
  const personOf = createPersonOf({ people, scopes, now, wait })
  const gate = createGate({ perMinute, undone, now })
  const guard = createGuard({
    isKnown,
    installation: learned,
    isTokenGood: async () => isTokenGood(workspaces.probe.in(workspaceIdOf(await learned()))),
    personOf,
    people,
    scopes,
    gate,
    once,
    ackedViews,
    heldAcks,
    delivery,
    undone,
    monitorSentence,
    work,
    log,
    now,
    wait,
    stopping,
  })
  return {
    ...workspaces,
    isKnown,
    learned,
    patiently,
    delivery,
    answerForm,
    guard,
    work,
    ackNow,
    gate,
    tokenRefusal,
    clientOptions,
    async close() {
      bot.stop()
      await destroy()
    },
  }
}

function createWorkspaces(room: {
  readonly learned: () => Promise<Installation>
  /** With the bot token. */
  readonly web: WebClient
  readonly postTo: PostToUrl
  readonly patiently: Patiently
  /** Resolves when no ack is about to change this view. */
  readonly settled: (viewId: string) => Promise<void>
  readonly onUpdate: OnUpdate
  readonly log: Log
  readonly now: Clock
}): Workspaces {
  const { learned, web, postTo, patiently, settled, log, now } = room
  const webOf = (workspaceId: string) => () => clientOf(workspaceId)

  /** @throws NotInstalledError for another workspace: the database may hold something of one. */
  async function installationOf(workspaceId: string): Promise<Installation> {
    const installation = await learned()
    if (workspaceIdOf(installation) !== workspaceId) throw new NotInstalledError(workspaceId)
    return installation
  }

  async function clientOf(workspaceId: string): Promise<WebClient> {
    await installationOf(workspaceId)
    return web
  }

  const scopes = createScopes(async (workspaceId) => (await installationOf(workspaceId)).scopes)

  return {
    outbound: {
      in: (workspaceId) =>
        createOutbound({
          postTo,
          patiently,
          settled,
          log,
          web: webOf(workspaceId),
          onUpdate: (askedSeconds) => room.onUpdate(workspaceId, askedSeconds),
        }),
    },
    people: {
      in: (workspaceId) =>
        createPeople({ patiently, web: webOf(workspaceId), installation: () => installationOf(workspaceId) }),
    },
    scopes,
    probe: { in: (workspaceId) => createSlackProbe(webOf(workspaceId), scopes.in(workspaceId).learn) },
    sharedChannels: createSharedChannels({ clientOf, scopes, now }),
    members: createChannelMembers({ clientOf, scopes, now }),
    linkOf: async (_, posted) => messageLink(await learned(), posted),
    workspaceName: async (workspaceId) => workspaceNameOf(await installationOf(workspaceId)),
  }
}
