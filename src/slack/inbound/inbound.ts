// The way in for Slack's requests: over HTTP, or by sockets that the bot opens itself. Bolt hands them out either way.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger, Receiver } from '@slack/bolt'
import type { ConfigError } from '../../errors.ts'
import type { HttpsProxy } from '../../http/agent.ts'
import type { Log } from '../../log/log.ts'
import type { ClientOptions } from '../client/web-client.ts'
import type { Clock } from '../ids.ts'
import { createHttpInbound } from './http.ts'
import { createSocket, type SocketOptions } from './socket.ts'

/** The way that Slack's requests take to the bot. */
export type InboundWay =
  | { readonly kind: 'http'; readonly signingSecret: string }
  | { readonly kind: 'socket'; readonly appToken: string }

export interface Inbound {
  readonly receiver: Receiver
  /** Takes the requests of Slack that come over HTTP; undefined where none do. */
  readonly handle: ((request: IncomingMessage, response: ServerResponse) => Promise<void>) | undefined
  /** Connects, where it is the bot that does. */
  open(): void
  isOpen(): boolean
  close(): Promise<void>
}

/** @param room.onRefused - Told when Slack refuses the app-level token for good. */
export function openInbound(
  how: InboundWay,
  room: {
    readonly clientOptions: ClientOptions
    readonly proxy: HttpsProxy | undefined
    readonly logger: Logger
    readonly log: Log
    readonly now: Clock
    readonly onRefused: (error: ConfigError) => void
    readonly socketOptions?: SocketOptions | undefined
  },
): Inbound {
  if (how.kind === 'socket') {
    const socket = createSocket({ ...room, appToken: how.appToken, options: room.socketOptions })
    return { ...socket, handle: undefined, isOpen: socket.isConnected }
  }
  const { receiver, handle } = createHttpInbound({ ...room, signingSecret: how.signingSecret })
  return { receiver, handle, open: () => undefined, isOpen: () => true, close: async () => undefined }
}
