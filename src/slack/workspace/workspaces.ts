// Clients and knowledge of one workspace, for each that the bot is installed in.
import type { WebClient, WebClientOptions } from '@slack/web-api'
import { LRUCache } from 'lru-cache'
import type { Log } from '../../log/log.ts'
import { NotInstalledError } from '../client/refusals.ts'
import type { Exchange } from '../client/transport.ts'
import { type Patiently, SlackClient } from '../client/web-client.ts'
import type { Clock, PerWorkspace } from '../ids.ts'
import type { Posted } from '../outbound/message.ts'
import { createOutbound, type Outbound } from '../outbound/outbound.ts'
import type { PostToUrl } from '../outbound/response-url.ts'
import {
  type ChannelMembers,
  createChannelMembers,
  createMembersKept,
  createSharedChannels,
  createSharedKept,
  type SharedChannels,
} from './channels.ts'
import {
  type Bots,
  type Installation,
  messageLink,
  type WorkspaceName,
  workspaceNameOf,
} from './installation.ts'
import { createPeople, type People } from './people.ts'
import { createSlackProbe, type SlackProbe } from './probe.ts'
import { createScopes, type Scopes, type ScopesKept } from './scopes.ts'

/** The link of a message; undefined when Slack has not said where messages of that workspace are. */
export type LinkOf = (workspaceId: string, posted: Posted) => Promise<string | undefined>

/** Told of each update that waits for nobody's turn. @param askedSeconds - For so long Slack has asked to wait. */
export type OnUpdate = (workspaceId: string, askedSeconds: number | undefined) => void

export interface Workspaces {
  readonly outbound: PerWorkspace<Outbound>
  readonly people: PerWorkspace<People>
  readonly scopes: PerWorkspace<Scopes>
  readonly probe: PerWorkspace<SlackProbe>
  readonly sharedChannels: PerWorkspace<SharedChannels>
  readonly members: PerWorkspace<ChannelMembers>
  readonly linkOf: LinkOf
  workspaceName(workspaceId: string): Promise<WorkspaceName>
}

const mostScopesKept = 500

export function createWorkspaces(room: {
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
  const clients = createClients(bots, clientOptions, send, room.onTokenRefused)
  const kept: ScopesKept = new LRUCache({ max: mostScopesKept })
  const sharedKept = createSharedKept(now)
  const membersKept = createMembersKept(now)
  const webOf = (workspaceId: string) => () => clients.of(workspaceId)

  async function installationOf(workspaceId: string): Promise<Installation> {
    const bot = await bots.find(workspaceId)
    if (bot === undefined) throw new NotInstalledError(workspaceId)
    return bot.installation
  }

  const scopesAndProbeIn = (workspaceId: string) =>
    createScopes({
      workspaceId,
      probe: createSlackProbe(webOf(workspaceId)),
      atFirst: async () => (await installationOf(workspaceId)).scopes,
      kept,
    })

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
    scopes: { in: (workspaceId) => scopesAndProbeIn(workspaceId).scopes },
    probe: { in: (workspaceId) => scopesAndProbeIn(workspaceId).probe },
    sharedChannels: {
      in: (workspaceId) =>
        createSharedChannels({
          workspaceId,
          web: webOf(workspaceId),
          scopes: scopesAndProbeIn(workspaceId).scopes,
          kept: sharedKept,
        }),
    },
    members: {
      in: (workspaceId) =>
        createChannelMembers({
          workspaceId,
          web: webOf(workspaceId),
          scopes: scopesAndProbeIn(workspaceId).scopes,
          kept: membersKept,
        }),
    },
    async linkOf(workspaceId, posted) {
      const bot = await bots.find(workspaceId)
      return bot && messageLink(bot.installation, posted)
    },
    workspaceName: async (workspaceId) => workspaceNameOf(await installationOf(workspaceId)),
  }
}

interface Clients {
  /** @throws NotInstalledError where the bot is not installed, or not any more. */
  of(workspaceId: string): Promise<WebClient>
}

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
): Clients {
  const clients = new LRUCache<string, WebClient>({ max: mostClients })
  return {
    of: (workspaceId) =>
      bots.find(workspaceId).then((bot) => {
        if (bot === undefined) throw new NotInstalledError(workspaceId)
        const key = JSON.stringify([workspaceId, bot.token])
        const client =
          clients.get(key) ??
          new SlackClient(bot.token, options, send, (method) => onTokenRefused(workspaceId, method))
        clients.set(key, client)
        return client
      }),
  }
}
