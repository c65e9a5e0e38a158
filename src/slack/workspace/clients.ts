// Slack's client of each workspace, made when it is first needed. A token that changes gets a client of its own.
import type { WebClient, WebClientOptions } from '@slack/web-api'
import { LRUCache } from 'lru-cache'
import { NotInstalledError } from '../client/refusals.ts'
import type { Send } from '../client/transport.ts'
import { SlackClient } from '../client/web-client.ts'
import type { Bots } from './bots.ts'

export interface Clients {
  /** @throws NotInstalledError where the bot is not installed, or not any more. */
  of(workspaceId: string): Promise<WebClient>
}

/** What is used least is made anew when it is needed again. */
const mostClients = 500

/** @param onTokenRefused - Told of each call that Slack refuses for the token's sake. */
export function createClients(
  bots: Bots,
  options: WebClientOptions & { readonly slackApiUrl: string },
  send: Send,
  onTokenRefused: (workspaceId: string, method: string) => void,
): Clients {
  const clients = new LRUCache<string, WebClient>({ max: mostClients })
  return {
    async of(workspaceId) {
      const bot = await bots.find(workspaceId)
      if (bot === undefined) throw new NotInstalledError(workspaceId)
      const key = JSON.stringify([workspaceId, bot.token])
      const client =
        clients.get(key) ??
        new SlackClient(bot.token, options, send, (method) => onTokenRefused(workspaceId, method))
      clients.set(key, client)
      return client
    },
  }
}
