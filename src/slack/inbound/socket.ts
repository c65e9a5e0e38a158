// Slack's requests over sockets that the bot opens: two of Slack's clients side by side. Slack closes each connection
// after some hours, and its client then misses requests for five to twelve seconds: the other one takes them.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { App, Receiver, ReceiverEvent } from '@slack/bolt'
import { SocketModeClient } from '@slack/socket-mode'
import { ConfigError } from '../../errors.ts'
import { createAgent, type HttpsProxy } from '../../http/http.ts'
import type { Log } from '../../log/log.ts'
import { createWork, inTime } from '../../work/under-way.ts'
import { SlackClient, type SlackConnection, SlackError } from '../client.ts'
import type { Clock } from '../person.ts'

export interface Inbound {
  readonly receiver: Receiver
  /** Answers `POST /slack/events`. Undefined when requests come over sockets. */
  readonly handle?: (request: IncomingMessage, response: ServerResponse) => Promise<void>
  /** Connects sockets, and reconnects lost ones until `close`. */
  open(): void
  isOpen(): boolean
  close(): Promise<void>
}

export interface InboundOptions {
  readonly connection: SlackConnection
  readonly proxy: HttpsProxy | undefined
  readonly log: Log
  readonly now: Clock
  /** Called when Slack refuses the app-level token; no further try is made. */
  readonly onRefused: (error: ConfigError) => void
  readonly socketOptions?: SocketOptions | undefined
}

export interface SocketOptions {
  /** Time between opening the two sockets, so that Slack does not close both at once. */
  readonly apartMs?: number
  /** Both the wait before reconnecting and the wait for an answer to a ping. */
  readonly reconnectMs?: number
}

const connectMs = 10_000
/** Longest wait for acks at a stop: Slack waits no longer, either. */
const longestAckMs = 3_000
/** Time for Slack's goodbye, after which the connection is cut. */
const goodbyeMs = 250

/** Takes requests by two of Slack’s clients. Each reconnects for ever, unless Slack refuses the token at the start. */
export function openSocket(appToken: string, options: InboundOptions): Inbound {
  const { connection, log, onRefused } = options
  const { apartMs = 10_000, reconnectMs = 5_000 } = options.socketOptions ?? {}
  const dispatcher = createAgent({ proxy: options.proxy, connectMs, answerMs: 0 })
  // Errors of Slack's client become warnings: another connection fixes them.
  const { logger: slacks, fetch } = connection.options
  const logger = { ...slacks, error: slacks.warn }
  const unacked = createWork()
  const up = new Set<SocketModeClient>()
  let isClosed = false
  let timer: NodeJS.Timeout | undefined

  const clients = [1, 2].map(() => {
    const client = new SocketModeClient({
      appToken,
      logger,
      dispatcher,
      clientPingTimeout: reconnectMs,
      clientOptions: {
        ...connection.options,
        // A client that gives up never connects again. After `close`, none may ask Slack.
        retryConfig: { forever: true, factor: 1.3, minTimeout: 500, maxTimeout: 30_000 },
        fetch: (url, init) => (isClosed ? new Promise(() => undefined) : fetch(url, init)),
      },
    })
    client.on('connected', () => {
      // Slack's client may have been connecting when it was told to disconnect.
      if (isClosed) return void client.disconnect()
      up.add(client)
      log.info('connected to Slack by Socket Mode')
    })
    client.on('close', () => {
      if (up.delete(client) && !isClosed) log.info('a socket to Slack was closed; opening another')
    })
    return client
  })

  async function connect() {
    try {
      // The answer isn’t used: Slack is asked only whether it takes the token, as its clients would try again for ever.
      await new SlackClient(appToken, connection).apps.connections.open()
    } catch (error) {
      // Other failures pass, and Slack's client asks again.
      if (error instanceof SlackError && (error.isOfToken || error.word === 'missing_scope'))
        return onRefused(
          new ConfigError([`SLACK_APP_TOKEN: Slack refuses it (${error.word}). ${anotherToken}`]),
        )
    }
    const [first, second] = clients
    start(first)
    timer = setTimeout(() => start(second), apartMs)
    timer.unref()
  }

  function start(client: SocketModeClient | undefined) {
    if (isClosed) return
    client?.start().catch((error: unknown) => {
      if (!isClosed) log.error({ err: error }, 'a socket to Slack could not be opened')
    })
  }

  function take(app: App, { body, ack }: ReceiverEvent) {
    const { promise, resolve } = Promise.withResolvers<void>()
    unacked.track(promise)
    const ackIt: ReceiverEvent['ack'] = (response) => {
      resolve()
      return ack(response)
    }
    // Failures are in the log by then.
    void app.processEvent({ body, ack: ackIt }).then(resolve, resolve)
  }

  return {
    receiver: {
      init(app) {
        for (const client of clients)
          client.on('slack_event', (event: ReceiverEvent) => take(app, event))
      },
      // `open` and `close` do the work of these two.
      start: async () => undefined,
      stop: async () => undefined,
    },
    open: () => void connect(),
    isOpen: () => up.size > 0,
    async close() {
      isClosed = true
      clearTimeout(timer)
      await inTime(unacked.done(), longestAckMs)
      await inTime(Promise.all(clients.map((client) => client.disconnect())), goodbyeMs)
      // Slack leaves the connection open after its goodbye.
      await dispatcher.destroy()
    },
  }
}

const anotherToken =
  'It must be an app-level token (xapp-…) with the scope connections:write. Copy it again or create one on your app’s page, Basic Information, App-Level Tokens.'
