// Slack's requests over a socket that the bot opens itself, kept open for as long as the bot runs.
// Slack closes each connection after some hours and says so before: the next one is open by then, so nothing is missed.
// Slack's client would end the process when a reconnect fails, so the reconnecting is done here.
// A connection takes what comes on it and acks that, and ends the TCP connection, which Slack leaves open after a goodbye.

import type { Logger, Receiver } from '@slack/bolt'
import type { WebClientOptions } from '@slack/web-api'
import { z } from 'zod'
import { ConfigError } from '../../errors.ts'
import type { HttpsProxy } from '../../http/agent.ts'
import { parseJson } from '../../http/read-body.ts'
import type { Log } from '../../log/log.ts'
import { every } from '../../work/repeat.ts'
import { doubling } from '../../work/retry.ts'
import { createWork, inTime } from '../../work/under-way.ts'
import { SocketModeClient } from '../client/bolt.ts'
import { classify } from '../client/refusals.ts'
import { createSocketDialer } from '../client/transport.ts'
import type { Clock } from '../ids.ts'
import type { Intake } from './intake.ts'

export interface Socket {
  readonly receiver: Receiver
  /** Connects, and again whenever the connection is lost, until `close`. */
  open(): void
  isConnected(): boolean
  close(): Promise<void>
}

const shortestPauseMs = 250
const longestPauseMs = 30_000
/** A connection that lived so long is no sign of trouble when it ends. */
const steadyMs = 60_000

/** Pauses before the next try, so that Slack is not asked over and over while connections do not last. */
export function createPauses(): (livedMs: number) => number {
  const pauseAfter = doubling(shortestPauseMs, longestPauseMs)
  let failures = 0
  /** @param livedMs - How long the connection lived since the pause before; 0 when none was made. */
  return (livedMs) => {
    failures = livedMs >= steadyMs ? 1 : failures + 1
    return pauseAfter(failures)
  }
}

/**
 * So long the one before stays, unless Slack closes it sooner: what Slack has sent on it when it hears a goodbye is lost.
 * Slack warns some ten seconds ahead (docs.slack.dev/apis/events-api/using-socket-mode, “Disconnect messages”).
 */
const stayMs = 10_000

export function createSocket(options: {
  readonly appToken: string
  readonly clientOptions: WebClientOptions
  readonly logger: Logger
  readonly intake: Intake
  /** Undefined where Slack is reached directly. */
  readonly proxy: HttpsProxy | undefined
  readonly log: Log
  readonly now: Clock
  readonly wait: (ms: number) => Promise<void>
  /** Told when Slack refuses the token for good; no further try is made. */
  readonly onRefused: (error: ConfigError) => void
}): Socket {
  const { appToken, clientOptions, intake, proxy, log, now, wait, onRefused } = options
  // What Slack's client calls an error is mended by another connection: one that was lost, or could not be opened.
  const logger = { ...options.logger, error: options.logger.warn }
  /** The newest that Slack has said hello on. */
  let current: SocketConnection | undefined
  let connectedAt: number | undefined
  let isOpening = false
  let isClosed = false
  let timer: NodeJS.Timeout | undefined
  /** Those before it, that something may still come on. */
  const staying = new Set<SocketConnection>()
  const pauseAfter = createPauses()
  const ending = createWork()

  async function connect(): Promise<void> {
    isOpening = true
    const next: SocketConnection = createSocketConnection({
      appToken,
      clientOptions,
      logger,
      intake,
      proxy,
      onLeaving(reason) {
        log.info({ reason }, 'Slack is about to close the socket; opening another')
        if (next === current) connectLater()
      },
      onLost() {
        staying.delete(next)
        if (next !== current) return
        current = undefined
        if (!isClosed) log.info('the socket to Slack was closed; opening another')
        connectLater()
      },
    })
    try {
      await next.open()
    } catch (error) {
      isOpening = false
      failed(error)
      return
    }
    isOpening = false
    if (isClosed) {
      // It was connecting already when all was closed.
      end(next)
      return
    }
    const before = current
    current = next
    connectedAt = now()
    log.info('connected to Slack by Socket Mode')
    if (before !== undefined) stay(before)
    if (next.isLeaving()) connectLater()
  }

  function failed(error: unknown): void {
    if (isClosed) return
    const { kind, word } = classify(error)
    if (word !== undefined && (kind === 'token' || word === 'missing_scope')) {
      onRefused(refused(word))
      return
    }
    log.warn({ err: error }, 'the socket to Slack could not be opened')
    connectLater()
  }

  function connectLater(): void {
    if (isClosed || isOpening || timer !== undefined) return
    const pauseMs = pauseAfter(connectedAt === undefined ? 0 : now() - connectedAt)
    connectedAt = undefined
    timer = setTimeout(() => {
      timer = undefined
      void connect()
    }, pauseMs)
  }

  function stay(connection: SocketConnection): void {
    staying.add(connection)
    void wait(stayMs).then(() => {
      if (staying.delete(connection)) end(connection)
    })
  }

  function end(connection: SocketConnection): void {
    void ending.track(connection.end())
  }

  return {
    receiver: {
      init: intake.init,
      // Opened and closed by whoever starts and stops the bot.
      start: async () => undefined,
      stop: async () => undefined,
    },
    open: () => void connect(),
    isConnected: () => current !== undefined,
    async close() {
      isClosed = true
      clearTimeout(timer)
      for (const connection of [...staying, ...(current === undefined ? [] : [current])]) end(connection)
      staying.clear()
      current = undefined
      await ending.done()
    },
  }
}

function refused(refusal: string): ConfigError {
  return new ConfigError([
    `SLACK_APP_TOKEN: Slack refuses it (${refusal}). It must be an app-level token (xapp-…) with the scope connections:write. Copy it again or create one on your app’s page, Basic Information, App-Level Tokens.`,
  ])
}

interface SocketConnection {
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
      if (isAcked) return false
      isAcked = true
      acked.resolve()
      return send(id, content)
    }
    const taken = await intake.take({ ...incoming, ack })
    // Slack would send an event again, which would fail again.
    if (taken === 'held-back' || (taken !== 'handled' && isEvent)) await ack(undefined)
    acked.resolve()
  }

  /** As over HTTP, the work goes on when the connection is gone before its ack. @returns False where it is gone. */
  function send(id: string, content: unknown): boolean {
    if (!client.websocket?.isActive()) {
      logger.warn('an answer to Slack came too late for its connection')
      return false
    }
    const payload = typeof content === 'string' ? { text: content } : (content ?? {})
    client.websocket.send(JSON.stringify({ envelope_id: id, payload }), (error) => {
      if (error) logger.warn('an answer to Slack could not be sent', error)
    })
    return true
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
type Frame =
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
