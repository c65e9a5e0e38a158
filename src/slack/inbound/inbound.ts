// Takes Slack's requests, over HTTP (if Slack has signed them) or by sockets, and follows each until it is done.
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { App, HTTPReceiver, type Receiver, type ReceiverEvent } from '@slack/bolt'
import type { Config } from '../../config/config.ts'
import { readBody } from '../../http/http.ts'
import { asRequest, createTrouble, type Log } from '../../log/log.ts'
import { ackSeconds, requestsTotal, signaturesRefusedTotal } from '../../metrics/metrics.ts'
import { slackLogger } from '../client.ts'
import { type Inbound, type InboundOptions, openSocket } from './socket.ts'

export function openInbound(how: Config['slack']['transport'], options: InboundOptions): Inbound {
  return how.kind === 'socket'
    ? openSocket(how.appToken, options)
    : openHttp(how.signingSecret, options)
}

const mostBytes = 512 * 1024
const toleranceSeconds = 300

const probably = {
  clock: 'this machine’s clock is more than five minutes off; turn on time synchronisation',
  secret: 'SLACK_SIGNING_SECRET is probably wrong; copy it again from your app, Basic Information',
}

function openHttp(signingSecret: string, options: InboundOptions): Inbound {
  const { log, now } = options
  // Made once: Bolt's own check makes three keys for each request, a sixth of what an ack costs.
  const key = createSecretKey(signingSecret, 'utf8')
  const receiver = new HTTPReceiver({
    // `handle` checks the signature, before anything is parsed.
    signatureVerification: false,
    signingSecret,
    logger: slackLogger(log),
    // Answers only: the error is in the log by then.
    async processEventErrorHandler({ error, response }) {
      if (!response.headersSent)
        response.writeHead(error instanceof NobodyListens ? 404 : 500).end()
      return true
    },
  })
  const trouble = createTrouble(options)

  /** A flood of forged requests logs one warning, and another only after a genuine request. */
  function refuse(response: ServerResponse, reason: 'headers' | 'clock' | 'secret') {
    end(response, 401)
    signaturesRefusedTotal.inc({ reason })
    if (reason === 'headers') return
    trouble.begins({ reason }, `requests to /slack/events are refused: ${probably[reason]}`)
  }

  return {
    receiver,
    open: () => undefined,
    isOpen: () => true,
    close: async () => undefined,
    /** Never rejects. Source: docs.slack.dev/authentication/verifying-requests-from-slack. */
    async handle(request: IncomingMessage, response: ServerResponse) {
      const timestamp = String(request.headers['x-slack-request-timestamp'])
      const signature = String(request.headers['x-slack-signature'])
      if (!/^\d{1,12}$/.test(timestamp) || !/^v0=[0-9a-f]{64}$/.test(signature))
        return refuse(response, 'headers')
      if (Math.abs(now() / 1000 - Number(timestamp)) > toleranceSeconds)
        return refuse(response, 'clock')
      // A sender who went away half-way needs no answer.
      const rawBody = await readBody(request, mostBytes).catch(() => 'lost' as const)
      if (rawBody === 'lost') return
      if (rawBody === undefined) return end(response, 413)
      // The text is checked, as it is what will be read: bytes that are not UTF-8 don't fit their signature.
      const expected = createHmac('sha256', key).update(`v0:${timestamp}:${rawBody}`).digest()
      if (!timingSafeEqual(Buffer.from(signature.slice(3), 'hex'), expected))
        return refuse(response, 'secret')
      trouble.ends('Slack’s requests are accepted again')
      receiver.requestListener(Object.assign(request, { rawBody }), response)
    },
  }
}

/** Closes the connection, too: an unread rest of a body must not be taken for the next request. */
function end(response: ServerResponse, status: number) {
  response.writeHead(status, { connection: 'close' }).end()
}

export class FollowedApp extends App {
  readonly #log: Log

  constructor(receiver: Receiver, log: Log) {
    super({
      receiver,
      logger: slackLogger(log),
      // Bolt makes a client for each request, which Bellhop does not use: it gets no token.
      authorize: async () => ({}),
      convoStore: false,
      // Bolt does not know who the bot is; the guard leaves out what bots write.
      ignoreSelf: false,
    })
    this.#log = log
    // Bolt's own handler would log the request's content; the error itself is in the log by then.
    this.error(async (error) => {
      throw error
    })
  }

  /** @throws NobodyListens, or why the request failed, which is in the log by then. */
  override processEvent(event: ReceiverEvent): Promise<void> {
    const log = this.#log
    return asRequest(async (request) => {
      const from = performance.now()
      const { command, type } = event.body
      // Slack's own names; a command has none.
      const kind = command === undefined ? String(type) : 'command'
      log.debug({ kind }, 'a request came in')
      let isAcked = false
      /** Sends only the first ack. */
      async function ack(response: unknown) {
        if (isAcked) return
        isAcked = true
        // An ack that fails is ignored: the work goes on without its socket, as it would over HTTP.
        await event.ack(response).catch(() => undefined)
        const ms = performance.now() - from
        ackSeconds.observe({ kind }, ms / 1000)
        log.debug({ ms: Math.round(ms) }, 'acked')
      }
      try {
        await super.processEvent({ ...event, ack })
        if (request.name === undefined && kind !== 'event_callback') throw new NobodyListens()
      } catch (error) {
        request.outcome = 'failed'
        // Bolt wraps an error in one of its own.
        const err = error instanceof Error && 'original' in error ? error.original : error
        if (!(error instanceof NobodyListens)) log.error({ err, kind }, 'a request failed')
        throw error
      } finally {
        const { outcome, about = 'none', name, user, workspace, recorded } = request
        requestsTotal.inc({ kind, about, outcome })
        const ms = Math.round(performance.now() - from)
        const audit = recorded.length === 0 ? undefined : recorded
        log.info({ name, user, workspace, kind, about, outcome, ms, audit }, 'handled')
      }
    })
  }
}

/** Thrown for a command, button or form of another app or version: Slack would else wait three seconds for an ack. */
class NobodyListens extends Error {
  override readonly name = 'NobodyListens'
}
