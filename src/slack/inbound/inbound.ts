// The way in for Slack's requests: over HTTP, or by sockets that the bot opens itself. Bolt hands them out either way.
// Over HTTP come headers first, then the body, within bounds; then its signature, on the raw bytes. Only what Slack has
// signed gets to Bolt. What is refused is counted, and told to the operator with what is probably wrong.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { HTTPReceiver, isValidSlackRequest } from '@slack/bolt'
import { readBody } from '../../http/exchange.ts'
import { createTrouble } from '../../log/log.ts'
import { signaturesRefusedTotal } from '../../metrics/metrics.ts'
import { NobodyListens } from './followed-app.ts'
import { type Inbound, type InboundOptions, openSocket } from './socket.ts'

/** The way that Slack's requests take to the bot. */
export type InboundWay =
  | { readonly kind: 'http'; readonly signingSecret: string }
  | { readonly kind: 'socket'; readonly appToken: string }

export function openInbound(how: InboundWay, options: InboundOptions): Inbound {
  return how.kind === 'socket' ? openSocket(how.appToken, options) : openHttp(how.signingSecret, options)
}

/** Many times what Slack sends. */
const mostBytes = 512 * 1024
const toleranceSeconds = 300

function openHttp(signingSecret: string, options: InboundOptions): Inbound {
  const { clientOptions, now } = options
  const receiver = new HTTPReceiver({
    // Checked here, before anything is parsed.
    signatureVerification: false,
    signingSecret,
    logger: clientOptions.logger,
    // It is in the log by then.
    async processEventErrorHandler({ error, response }) {
      if (!response.headersSent) response.writeHead(error instanceof NobodyListens ? 404 : 500).end()
      return true
    },
  })
  const trouble = createTrouble(options)

  /** Whoever floods the bot has one warning, and another each time that Slack's own request has come in between. */
  function refuse(response: ServerResponse, reason: 'headers' | 'clock' | 'secret', why = ''): void {
    end(response, 401)
    signaturesRefusedTotal.inc({ reason })
    if (reason === 'headers') return
    trouble.begins({ reason }, `requests to /slack/events are refused: ${why}`)
  }

  return {
    receiver,
    open: () => undefined,
    isOpen: () => true,
    close: async () => undefined,
    /** Answers `POST /slack/events`. Never rejects. */
    async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
      const apartSeconds = secondsApart(request.headers, now())
      if (apartSeconds === undefined) return refuse(response, 'headers')
      if (Math.abs(apartSeconds) > toleranceSeconds)
        return refuse(response, 'clock', wrongClock(apartSeconds))
      // Whoever sent half of it and went away is nobody's trouble.
      const rawBody = await readBody(request, mostBytes).catch(() => 'lost' as const)
      if (rawBody === 'lost') return
      if (rawBody === undefined) return end(response, 413)
      const headers = {
        'x-slack-request-timestamp': Number(request.headers['x-slack-request-timestamp']),
        'x-slack-signature': String(request.headers['x-slack-signature']),
      }
      const signed = { signingSecret, headers, body: rawBody.toString(), nowMilliseconds: now() }
      if (!isValidSlackRequest(signed)) return refuse(response, 'secret', wrongSecret)
      trouble.ends('Slack’s requests are accepted again')
      receiver.requestListener(Object.assign(request, { rawBody }), response)
    },
  }
}

/**
 * How far this machine's clock is ahead of the sender's; undefined where these cannot be the headers of a signature.
 * Source: docs.slack.dev/authentication/verifying-requests-from-slack.
 */
function secondsApart(headers: IncomingHttpHeaders, nowMs: number): number | undefined {
  const timestamp = String(headers['x-slack-request-timestamp'])
  const hasForm = /^v0=[0-9a-f]{64}$/.test(String(headers['x-slack-signature']))
  return hasForm && /^\d{1,12}$/.test(timestamp) ? nowMs / 1000 - Number(timestamp) : undefined
}

const wrongSecret = 'SLACK_SIGNING_SECRET is probably wrong; copy it again from your app, Basic Information'

function wrongClock(apartSeconds: number): string {
  const side = apartSeconds >= 0 ? 'ahead of' : 'behind'
  return `this machine’s clock is ${Math.abs(Math.round(apartSeconds))} seconds ${side} Slack’s; turn on time synchronisation`
}

/** With the connection: what is not read of a body must not be taken for the next request. */
function end(response: ServerResponse, status: number): void {
  response.writeHead(status, { connection: 'close' }).end()
}
