// The way in for Slack's requests: HTTP, or a socket that the bot opens itself. Bolt hands them out either way.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger, Receiver } from '@slack/bolt'
import type { WebClientOptions } from '@slack/web-api'
import type { ConfigError } from '../../errors.ts'
import type { HttpsProxy } from '../../http/proxy.ts'
import type { BodyBudget } from '../../http/read-body.ts'
import type { Log } from '../../log/log.ts'
import type { Clock } from '../ids.ts'
import type { SlackObserver } from '../observer.ts'
import { createIntake } from './intake.ts'
import { createHttpReceiver } from './receiver.ts'
import type { SignatureState, Signatures } from './signatures.ts'
import { createSocket } from './socket.ts'

export type How =
  | { readonly kind: 'http'; readonly signingSecret: string }
  | { readonly kind: 'socket'; readonly appToken: string }

/** Times are milliseconds since 1970. */
export type InboundState = {
  /** When Slack said last that it holds back events; undefined when it has not since the start. */
  readonly heldBackAt?: number | undefined
} & (
  | { readonly kind: 'socket'; readonly isConnected: boolean }
  /** When the last signed event came since the start; undefined when none did. */
  | {
      readonly kind: 'http'
      readonly lastEventAt: number | undefined
      readonly signatures: SignatureState
    }
)

export interface Inbound {
  readonly receiver: Receiver
  /** Takes the requests of Slack that come over HTTP; undefined where none do. */
  readonly handle: ((request: IncomingMessage, response: ServerResponse) => Promise<void>) | undefined
  /** Connects, where it is the bot that does. */
  open(): void
  isOpen(): boolean
  state(): InboundState
  close(): Promise<void>
}

/** @param room.onRefused - Told when Slack refuses the app-level token for good. */
export function openInbound(
  how: How,
  room: {
    readonly clientOptions: WebClientOptions
    readonly proxy: HttpsProxy | undefined
    readonly logger: Logger
    readonly observer: SlackObserver
    readonly log: Log
    readonly now: Clock
    readonly wait: (ms: number) => Promise<void>
    readonly onRefused: (error: ConfigError) => void
    readonly bodies: BodyBudget
    readonly signatures: Signatures
  },
): Inbound {
  const { clientOptions, proxy, logger, log, now, wait, onRefused, bodies, signatures } = room
  const intake = createIntake({ observer: room.observer, log, now })
  const { heldBackAt, lastEventAt } = intake
  if (how.kind === 'socket') {
    const { receiver, open, close, isConnected } = createSocket({
      appToken: how.appToken,
      clientOptions,
      logger,
      intake,
      proxy,
      log,
      now,
      wait,
      onRefused,
    })
    return {
      receiver,
      handle: undefined,
      open,
      isOpen: isConnected,
      state: () => ({ kind: 'socket', isConnected: isConnected(), heldBackAt: heldBackAt() }),
      close,
    }
  }
  const receiver = createHttpReceiver({
    signingSecret: how.signingSecret,
    now,
    intake,
    bodies,
    signatures,
  })
  return {
    receiver,
    handle: receiver.handle,
    open: () => undefined,
    isOpen: () => true,
    state: () => ({
      kind: 'http',
      lastEventAt: lastEventAt(),
      heldBackAt: heldBackAt(),
      signatures: signatures.state(),
    }),
    close: async () => undefined,
  }
}
