// Slack's requests over a socket that the bot opens itself, kept open for as long as the bot runs.
// Slack's client would end the process when a reconnect fails, so the reconnecting is done here.
import type { Logger } from '@slack/bolt'
import type { WebClientOptions } from '@slack/web-api'
import { ConfigError } from '../errors.ts'
import type { Log } from '../log.ts'
import { SocketModeReceiver } from './bolt.ts'
import type { Clock } from './ids.ts'
import { createNoteMisfit, kindOf } from './misfits.ts'
import { refusalOf, tokenRefusalOf } from './refusals.ts'

export interface Socket {
  readonly receiver: SocketModeReceiver
  /** Connects, and again whenever the connection is lost, until `close`. */
  open(): void
  isConnected(): boolean
  close(): Promise<void>
}

const shortestPauseMs = 250
const longestPauseMs = 30_000

export function createSocket(options: {
  readonly appToken: string
  readonly clientOptions: WebClientOptions
  readonly logger: Logger
  readonly log: Log
  readonly now: Clock
  /** Told when Slack refuses the token for good; no further try is made. */
  readonly onRefused: (error: ConfigError) => void
}): Socket {
  const { appToken, clientOptions, log, onRefused } = options
  // What Slack's client calls an error is mended by another connection: one that was lost, or could not be opened, or
  // that an ack came too late for.
  const logger = { ...options.logger, error: options.logger.warn }
  const noteMisfit = createNoteMisfit(options)
  const receiver = new SocketModeReceiver({
    appToken,
    logger,
    autoReconnectEnabled: false,
    installerOptions: { clientOptions },
    // Bolt's own would log what is in it. Not acked, so that whoever pressed is told by Slack.
    async processEventErrorHandler({ event }) {
      noteMisfit(kindOf(event.body) ?? 'unknown')
      return false
    },
  })
  const { client } = receiver
  let isConnected = false
  let isClosed = false
  let pauseMs = shortestPauseMs
  let timer: NodeJS.Timeout | undefined

  async function connect(): Promise<void> {
    try {
      await client.start()
    } catch (error) {
      if (isClosed) return
      const refusal = refusalOf(error) === 'missing_scope' ? 'missing_scope' : tokenRefusalOf(error)
      if (refusal !== undefined) return onRefused(refused(refusal))
      log.warn({ err: error }, 'the socket to Slack could not be opened')
      reconnectLater()
    }
  }

  function reconnectLater(): void {
    if (isClosed || timer !== undefined) return
    timer = setTimeout(() => {
      timer = undefined
      void connect()
    }, pauseMs)
    pauseMs = Math.min(pauseMs * 2, longestPauseMs)
  }

  client.on('connected', () => {
    // It was connecting already when it was closed.
    if (isClosed) return void client.disconnect()
    isConnected = true
    pauseMs = shortestPauseMs
    log.info('connected to Slack by socket')
  })
  client.on('disconnected', () => {
    if (isConnected && !isClosed) log.info('the socket to Slack was closed; opening another')
    isConnected = false
    reconnectLater()
  })

  return {
    receiver,
    open: () => void connect(),
    isConnected: () => isConnected,
    async close() {
      isClosed = true
      clearTimeout(timer)
      if (isConnected) await client.disconnect()
    },
  }
}

function refused(refusal: string): ConfigError {
  return new ConfigError([
    `SLACK_APP_TOKEN: Slack refuses it (${refusal}). It must be an app-level token (xapp-…) with the scope connections:write. Make one, or copy it again, at your app's page, Basic Information, App-Level Tokens.`,
  ])
}
