// One connection of Socket Mode, from its opening to its end: takes what comes on it, acks that, and ends the TCP
// connection, which Slack leaves open after a goodbye.

import type { Logger } from '@slack/bolt'
import type { WebClientOptions } from '@slack/web-api'
import { z } from 'zod'
import type { HttpsProxy } from '../../http/proxy.ts'
import { parseJson } from '../../http/read-body.ts'
import { every } from '../../work/repeat.ts'
import { createWork, inTime } from '../../work/under-way.ts'
import { SocketModeClient } from '../client/bolt.ts'
import { createSocketDialer } from '../client/transport.ts'
import type { Intake } from './intake.ts'

export interface SocketConnection {
  /** Resolves when Slack says hello. @throws what Slack's client throws; undefined when it was lost before. */
  open(): Promise<void>
  /** True once Slack has said that it will close this connection. */
  isLeaving(): boolean
  /** Says goodbye once everything that came is acked, and resolves when it is closed. */
  end(): Promise<void>
}

/** Acks are waited for so long: Slack waits no longer either. */
const longestAckMs = 3_000
/** Slack's goodbye takes a moment; then the connection is cut. */
const goodbyeMs = 250
/** How often it is looked whether Slack has said goodbye by itself. */
const lookMs = 250
/** WebSocket's own number for a connection on which a goodbye was said. */
const closing = 2

export function createSocketConnection(options: {
  readonly appToken: string
  readonly clientOptions: WebClientOptions
  readonly logger: Logger
  readonly intake: Intake
  /** Undefined where Slack is reached directly. */
  readonly proxy: HttpsProxy | undefined
  /** Slack will close it: another has to be opened before. */
  readonly onLeaving: (reason: string) => void
  /** It was open, and is not any more. */
  readonly onLost: () => void
  /** For tests: how long Slack's hello is waited for. Default 10 s. */
  readonly helloMs?: number | undefined
}): SocketConnection {
  const { appToken, clientOptions, logger, intake, onLeaving, onLost } = options
  const { helloMs = 10_000 } = options
  const dialer = createSocketDialer(options.proxy)
  const { dispatcher } = dialer
  const client = new FrameClient(
    { appToken, clientOptions, logger, dispatcher, autoReconnectEnabled: false },
    take,
  )
  const unacked = createWork()
  let isOpen = false
  let isLeaving = false
  let isEnding = false

  let noHello: NodeJS.Timeout | undefined
  // Slack's client would notice by its watchdog, some six seconds later.
  const looking = every(lookMs, async () => {
    if (!isEnding && client.websocket?.readyState === closing) await hangUp()
  })

  // It has an address to connect to.
  client.on('authenticated', () => {
    noHello = setTimeout(hangUp, helloMs)
  })
  client.on('connected', () => {
    clearTimeout(noHello)
    isOpen = true
    looking.start()
  })
  client.on('disconnected', () => {
    clearTimeout(noHello)
    void looking.stop()
    dialer.cut()
    const wasOpen = isOpen
    isOpen = false
    if (wasOpen && !isEnding) onLost()
  })

  async function hangUp(): Promise<void> {
    const closed = client.disconnect()
    // The second time, Slack's client does not wait for the other side any more.
    const cut = setTimeout(() => void client.disconnect(), goodbyeMs)
    await closed
    clearTimeout(cut)
  }

  function take(frame: Frame): void {
    switch (frame.kind) {
      case 'disconnect':
        isLeaving = true
        onLeaving(frame.reason)
        return
      case 'envelope':
        void takeEnvelope(frame)
        return
      case 'empty':
        intake.note('unreadable')
        // Slack sends an event again for as long as it is not acked, and tells a person who waits that nothing answered.
        if (frame.isEvent) send(frame.id, undefined)
        return
      case 'hello':
      case 'unreadable':
        intake.note('unreadable')
        return
      default:
        frame satisfies never
    }
  }

  /** Never rejects. */
  async function takeEnvelope({ id, isEvent, ...incoming }: Frame & { kind: 'envelope' }): Promise<void> {
    const acked = Promise.withResolvers<void>()
    unacked.track(acked.promise)
    let isAcked = false
    const ack = async (content: unknown) => {
      if (isAcked) return
      isAcked = true
      send(id, content)
      acked.resolve()
    }
    const taken = await intake.take({ ...incoming, ack })
    if (taken === 'held-back' || (taken === 'unreadable' && isEvent)) await ack(undefined)
    acked.resolve()
  }

  /** As over HTTP, the work goes on when the connection is gone before its ack. */
  function send(id: string, content: unknown): void {
    if (!client.websocket?.isActive()) {
      logger.warn('an answer to Slack came too late for its connection')
      return
    }
    const payload = typeof content === 'string' ? { text: content } : (content ?? {})
    client.websocket.send(JSON.stringify({ envelope_id: id, payload }), (error) => {
      if (error) logger.warn('an answer to Slack could not be sent', error)
    })
  }

  return {
    async open() {
      await client.start()
      if (!isOpen) throw new Error('Slack closed the socket as soon as it was open')
    },
    isLeaving: () => isLeaving,
    async end() {
      isEnding = true
      await inTime(unacked.done(), longestAckMs)
      await hangUp()
    },
  }
}

/** Slack's client, which gets to see hellos alone. */
class FrameClient extends SocketModeClient {
  readonly #onFrame: (frame: Frame) => void

  constructor(options: ConstructorParameters<typeof SocketModeClient>[0], onFrame: (frame: Frame) => void) {
    super(options)
    this.#onFrame = onFrame
  }

  protected override async onWebSocketMessage(data: string | ArrayBuffer, isBinary: boolean): Promise<void> {
    const frame = readFrame(typeof data === 'string' && !isBinary ? data : undefined)
    if (frame.kind === 'hello') return super.onWebSocketMessage(data, isBinary)
    this.#onFrame(frame)
  }
}

/**
 * Frames of Socket Mode, told apart before Slack's client sees them: one that it cannot read would end the process.
 * Source: docs.slack.dev/apis/events-api/using-socket-mode; slackapi/node-slack-sdk#2167.
 */
export type Frame =
  | { readonly kind: 'hello' }
  /** Slack is about to close this connection. */
  | { readonly kind: 'disconnect'; readonly reason: string }
  | {
      readonly kind: 'envelope'
      readonly id: string
      readonly body: Readonly<Record<string, unknown>>
      readonly isEvent: boolean
      readonly retryNum: number | undefined
      readonly retryReason: string | undefined
    }
  /** An envelope with nothing in it that could be handed on. */
  | { readonly kind: 'empty'; readonly id: string; readonly isEvent: boolean }
  | { readonly kind: 'unreadable' }

const frame = z.object({
  type: z.string(),
  reason: z.string().catch('unknown'),
  envelope_id: z.string().min(1).optional().catch(undefined),
  payload: z.record(z.string(), z.unknown()).optional().catch(undefined),
  retry_attempt: z.int().optional().catch(undefined),
  retry_reason: z.string().optional().catch(undefined),
})

/** @param data - A frame's text; undefined for one of bytes, which Slack does not send. */
function readFrame(data: string | undefined): Frame {
  const read = frame.safeParse(parseJson(data ?? ''))
  if (!read.success) return { kind: 'unreadable' }
  const { type, reason, envelope_id: id, payload: body, retry_attempt, retry_reason } = read.data
  if (type === 'hello') return { kind: 'hello' }
  if (type === 'disconnect') return { kind: 'disconnect', reason }
  if (id === undefined) return { kind: 'unreadable' }
  const isEvent = type === 'events_api'
  if (body === undefined) return { kind: 'empty', id, isEvent }
  return {
    kind: 'envelope',
    id,
    body,
    isEvent,
    retryNum: retry_attempt,
    retryReason: retry_reason || undefined,
  }
}
