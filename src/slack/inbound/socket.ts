// Slack's requests over a socket that the bot opens itself, kept open for as long as the bot runs.
// Slack closes each connection after some hours and says so before: the next one is open by then, so nothing is missed.
// Slack's client would end the process when a reconnect fails, so the reconnecting is done here.
import type { Logger, Receiver } from '@slack/bolt'
import type { WebClientOptions } from '@slack/web-api'
import { ConfigError } from '../../errors.ts'
import type { HttpsProxy } from '../../http/proxy.ts'
import type { Log } from '../../log/log.ts'
import { doubling } from '../../work/retry.ts'
import { createWork } from '../../work/under-way.ts'
import { classify } from '../client/refusals.ts'
import type { Clock } from '../ids.ts'
import type { Intake } from './intake.ts'
import { createSocketConnection, type SocketConnection } from './socket-connection.ts'

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
    log.info('connected to Slack by socket')
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
    `SLACK_APP_TOKEN: Slack refuses it (${refusal}). It must be an app-level token (xapp-…) with the scope connections:write. Make one, or copy it again, at your app's page, Basic Information, App-Level Tokens.`,
  ])
}
