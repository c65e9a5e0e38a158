// Slack's requests over HTTP: headers first, then the body, within bounds; then its signature, on the raw bytes. Only what
// Slack has signed gets to Bolt, which reads and answers it.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger, Receiver } from '@slack/bolt'
import { readBody } from '../../http/read-body.ts'
import { HTTPReceiver, isValidSlackRequest } from '../client/bolt.ts'
import type { Clock } from '../ids.ts'
import { NobodyListens } from './followed-app.ts'
import { headerProblem, type Signatures } from './signatures.ts'

/** Many times what Slack sends. */
const mostBytes = 512 * 1024

export interface HttpInbound {
  readonly receiver: Receiver
  /** Answers `POST /slack/events`. Never rejects. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
}

export function createHttpInbound(room: {
  readonly signingSecret: string
  readonly logger: Logger
  readonly signatures: Signatures
  readonly now: Clock
}): HttpInbound {
  const { signingSecret, logger, signatures, now } = room
  const receiver = new HTTPReceiver({
    // Checked here, before anything is parsed.
    signatureVerification: false,
    signingSecret,
    logger,
    // It is in the log by then.
    async processEventErrorHandler({ error, response }) {
      if (!response.headersSent) response.writeHead(error instanceof NobodyListens ? 404 : 500).end()
      return true
    },
  })

  return {
    receiver,
    async handle(request, response) {
      const problem = headerProblem(request.headers, now())
      if (problem !== undefined) {
        signatures.refused(problem.reason, problem.apartSeconds)
        return end(response, 401)
      }
      // Whoever sent half of it and went away is nobody's trouble.
      const rawBody = await readBody(request, mostBytes).catch(() => 'lost' as const)
      if (rawBody === 'lost') return
      if (rawBody === undefined) return end(response, 413)
      const headers = {
        'x-slack-request-timestamp': Number(request.headers['x-slack-request-timestamp']),
        'x-slack-signature': String(request.headers['x-slack-signature']),
      }
      const signed = { signingSecret, headers, body: rawBody.toString(), nowMilliseconds: now() }
      if (!isValidSlackRequest(signed)) {
        signatures.refused('secret')
        return end(response, 401)
      }
      signatures.accepted()
      receiver.requestListener(Object.assign(request, { rawBody }), response)
    },
  }
}

/** With the connection: what is not read of a body must not be taken for the next request. */
function end(response: ServerResponse, status: number): void {
  response.writeHead(status, { connection: 'close' }).end()
}
