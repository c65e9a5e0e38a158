// The room put together: everything that knows how Slack is talked to, in each workspace the bot is installed in.
import { WebClient, type WebClientOptions } from '@slack/web-api'
import { LRUCache } from 'lru-cache'
import type { ConfigError } from '../errors.ts'
import type { HttpsProxy } from '../http/agent.ts'
import type { Log } from '../log/log.ts'
import { createWork, type Work } from '../work/under-way.ts'
import { kindOfRefusal, NotInstalledError } from './client/refusals.ts'
import { createTransport, type Exchange } from './client/transport.ts'
import { clientOptionsFor, createPatience, type Patiently, SlackClient } from './client/web-client.ts'
import { createGate, type Gate } from './gate/gate.ts'
import { type AnswerForm, createAckedViews, createAnswerForm } from './guard/answer-form.ts'
import { createGuard, type Guard } from './guard/guard.ts'
import type { Once } from './guard/once.ts'
import type { GuardRoom } from './guard/room.ts'
import { createSuggesting, type Suggesting } from './guard/suggestions.ts'
import { createPersonOf } from './guard/who.ts'
import { createInstallationFinder } from './guard/whose.ts'
import type { Clock, PerWorkspace } from './ids.ts'
import { nobodyCounts, type SlackObserver } from './observer.ts'
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
  type Bots,
  type Installation,
  learnBot,
  messageLink,
  type WorkspaceName,
  workspaceNameOf,
} from './workspace/installation.ts'
import { createPeople, type People } from './workspace/people.ts'
import { createSlackProbe, isTokenGood, type SlackProbe } from './workspace/probe.ts'
import { createRefusedTokens, type RefusedTokens } from './workspace/refused-tokens.ts'
import { createScopes, type Scopes, warnOfMissing } from './workspace/scopes.ts'

/** The link of a message; undefined when Slack has not said where messages of that workspace are. */
export type LinkOf = (workspaceId: string, posted: Posted) => Promise<string | undefined>

/** Told of each update that waits for nobody's turn. @param askedSeconds - For so long Slack has asked to wait. */
export type OnUpdate = (workspaceId: string, askedSeconds: number | undefined) => void

/** Clients and knowledge of one workspace, for each that the bot is installed in. */
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
  /** True once it is known where the bot is installed. */
  isKnown(): boolean
  readonly patiently: Patiently
  readonly delivery: Delivery
  readonly answerForm: AnswerForm
  readonly guard: Guard
  readonly work: Work
  /** Acks the held command now, because its answer has to wait for monitoring. */
  readonly ackNow: HeldAcks['ackNow']
  /** Whether Slack asks for suggestions. */
  readonly suggesting: Suggesting
  /** For listeners of events, which the guard charges to nobody. */
  readonly gate: Pick<Gate, 'chargeSilently'>
  readonly refusedTokens: Pick<RefusedTokens, 'count' | 'first'>
  /** For Bolt, which makes clients of its own. */
  readonly clientOptions: ReturnType<typeof clientOptionsFor>
  /** Asks Slack no more, and closes what is open. */
  close(): Promise<void>
}

/** The token of one workspace, or whoever keeps those of several. */
export type Whose =
  | { readonly kind: 'one'; readonly botToken: string }
  | {
      readonly kind: 'several'
      readonly bots: Bots
      /** Where somebody adds the bot to their workspace. */
      readonly installUrl: string | undefined
    }

export function openSlack(room: {
  readonly whose: Whose
  /** Ends with a slash. */
  readonly apiUrl: string
  /** Undefined where Slack is reached directly. */
  readonly proxy: HttpsProxy | undefined
  readonly log: Log
  readonly undone: GuardRoom['undone']
  readonly monitorSentence: GuardRoom['monitorSentence']
  readonly now: Clock
  readonly wait: (ms: number) => Promise<void>
  /** Told when Slack refuses the token of the one workspace for good. */
  readonly onRefused: (error: ConfigError) => void
  readonly once: Once
  /** Slack asks for suggestions without an address in the manifest: by Socket Mode. */
  readonly alwaysSuggests: boolean
  readonly onUpdate: OnUpdate
  /** What a person may ask for; 0 sets no limit. */
  readonly perMinute: number
  readonly observer?: SlackObserver
  /** Aborts when the bot stops. */
  readonly stopping: AbortSignal
  /** For tests. */
  readonly tokenPause?: ((ms: number) => Promise<void>) | undefined
}): SlackRoom {
  const { whose, apiUrl, log, now, wait, onRefused, once, stopping, tokenPause } = room
  const { perMinute, undone, monitorSentence, observer = nobodyCounts } = room
  const { send, fetch, destroy } = createTransport(room.proxy, {
    apiUrl,
    onCall(method, status, ms, refusal) {
      observer.called(method, status, ms)
      if (refusal !== undefined) observer.refused(kindOfRefusal(refusal))
      log.debug({ method, status, refusal, ms: Math.round(ms) }, 'Slack was called')
    },
  })
  const clientOptions = clientOptionsFor(apiUrl, fetch, log)
  const { bots, only, isKnown, stop } = learnBots()

  function learnBots() {
    if (whose.kind === 'several') {
      return { bots: whose.bots, only: undefined, isKnown: () => true, stop: () => undefined }
    }
    const { botToken } = whose
    const bot = learnBot({ botToken, web: new WebClient(botToken, clientOptions), log, wait, onRefused })
    void bot.learned().then(
      ({ installation }) => warnOfMissing(installation.scopes, log),
      // Slack refuses the token, or the bot stops: told where that is noticed.
      () => undefined,
    )
    const only = async () => (await bot.learned()).installation
    return { bots: bot, only, isKnown: bot.isKnown, stop: bot.stop }
  }

  const work = createWork()
  const patiently = createPatience(wait)
  const heldAcks = createHeldAcks(createPostToUrl({ send, isSlackUrl: slackUrls(apiUrl) }))
  const { postTo, ackNow } = heldAcks
  const ackedViews = createAckedViews(now, wait)
  const workspaces: Workspaces = createWorkspaces({
    bots,
    clientOptions,
    send,
    postTo,
    patiently,
    onUpdate: room.onUpdate,
    log,
    now,
    settled: ackedViews.settled,
    onTokenRefused: (workspaceId, method) => refusedTokens.suspect(workspaceId, method),
  })
  const refusedTokens = createRefusedTokens({
    whose: whose.kind,
    log,
    now,
    stopping,
    tokenPause,
    ask: (workspaceId) => workspaces.probe.in(workspaceId).scopes(),
  })
  const { people, scopes, outbound } = workspaces
  const answerForm = createAnswerForm({ outbound, wait })
  const delivery = createDelivery(outbound)
  const isGood = (workspaceId: string) => isTokenGood(workspaces.probe.in(workspaceId))
  const installations = createInstallationFinder({ bots, log, only, isGood })
  const personOf = createPersonOf({ people, scopes, now, wait })
  const gate = createGate({ perMinute, undone, now })
  const suggesting = createSuggesting({ always: room.alwaysSuggests, proofs: once, log, now })
  const guard = createGuard({
    suggesting,
    isKnown,
    installations,
    personOf,
    people,
    scopes,
    gate,
    once,
    ackedViews,
    heldAcks,
    delivery,
    outbound,
    undone,
    monitorSentence,
    work,
    observer,
    log,
    now,
    wait,
    stopping,
    installUrl: whose.kind === 'several' ? whose.installUrl : undefined,
  })
  return {
    ...workspaces,
    isKnown,
    patiently,
    delivery,
    answerForm,
    guard,
    work,
    suggesting,
    ackNow,
    gate,
    refusedTokens,
    clientOptions,
    async close() {
      stop()
      await destroy()
    },
  }
}

function createWorkspaces(room: {
  readonly bots: Bots
  readonly clientOptions: WebClientOptions & { readonly slackApiUrl: string }
  readonly send: Exchange
  readonly postTo: PostToUrl
  readonly patiently: Patiently
  /** Resolves when no ack is about to change this view. */
  readonly settled: (viewId: string) => Promise<void>
  readonly onUpdate: OnUpdate
  /** Told of each call that Slack refuses for the token's sake. */
  readonly onTokenRefused: (workspaceId: string, method: string) => void
  readonly log: Log
  readonly now: Clock
}): Workspaces {
  const { bots, clientOptions, send, postTo, patiently, settled, log, now } = room
  const clientOf = createClients(bots, clientOptions, send, room.onTokenRefused)
  const webOf = (workspaceId: string) => () => clientOf(workspaceId)

  async function installationOf(workspaceId: string): Promise<Installation> {
    const bot = await bots.find(workspaceId)
    if (bot === undefined) throw new NotInstalledError(workspaceId)
    return bot.installation
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
    async linkOf(workspaceId, posted) {
      const bot = await bots.find(workspaceId)
      return bot && messageLink(bot.installation, posted)
    },
    workspaceName: async (workspaceId) => workspaceNameOf(await installationOf(workspaceId)),
  }
}

/** @throws NotInstalledError where the bot is not installed, or not any more. */
type ClientOf = (workspaceId: string) => Promise<WebClient>

/** What is used least is made anew when it is needed again. */
const mostClients = 500

/**
 * Slack's client of each workspace, made when it is first needed. A token that changes gets a client of its own. Measured,
 * CPU for one that is made (Node 24): 32 µs, more than for a message that it sends.
 * @param onTokenRefused - Told of each call that Slack refuses for the token's sake.
 */
function createClients(
  bots: Bots,
  options: WebClientOptions & { readonly slackApiUrl: string },
  send: Exchange,
  onTokenRefused: (workspaceId: string, method: string) => void,
): ClientOf {
  const clients = new LRUCache<string, WebClient>({ max: mostClients })
  return async (workspaceId) => {
    const bot = await bots.find(workspaceId)
    if (bot === undefined) throw new NotInstalledError(workspaceId)
    const key = JSON.stringify([workspaceId, bot.token])
    const client =
      clients.get(key) ??
      new SlackClient(bot.token, options, send, (method) => onTokenRefused(workspaceId, method))
    clients.set(key, client)
    return client
  }
}
