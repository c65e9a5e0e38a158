// The way in for Slack's requests: over HTTP, or by a socket that the bot opens itself. Bolt hands them out either way.

import { isUtf8 } from 'node:buffer'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger, Receiver } from '@slack/bolt'
import type { WebClientOptions } from '@slack/web-api'
import type { ConfigError } from '../../errors.ts'
import type { HttpsProxy } from '../../http/agent.ts'
import { type BodyBudget, parseJson, readBody } from '../../http/read-body.ts'
import type { Log } from '../../log/log.ts'
import type { Clock } from '../ids.ts'
import type { SlackObserver } from '../observer.ts'
import { createIntake, type Intake } from './intake.ts'
import { headerProblem, isSignedBySlack, type Signatures } from './signatures.ts'
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
    readonly clientOptions: WebClientOptions
    readonly proxy: HttpsProxy | undefined
    readonly logger: Logger
    readonly observer: SlackObserver
    readonly log: Log
    readonly now: Clock
    readonly onRefused: (error: ConfigError) => void
    readonly bodies: BodyBudget
    readonly signatures: Signatures
    readonly socketOptions: SocketOptions | undefined
  },
): Inbound {
  const { clientOptions, proxy, logger, log, now, onRefused, bodies, signatures } = room
  const intake = createIntake({ observer: room.observer, log, now })
  if (how.kind === 'socket') {
    const { receiver, open, close, isConnected } = createSocket({
      appToken: how.appToken,
      clientOptions,
      logger,
      intake,
      proxy,
      log,
      onRefused,
      options: room.socketOptions,
    })
    return {
      receiver,
      handle: undefined,
      open,
      isOpen: isConnected,
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
    close: async () => undefined,
  }
}

const maxBodyBytes = 1024 * 1024
/** Of Slack's check of the address, which is not signed. */
const longestCheckBytes = 1024

/**
 * Slack's requests over HTTP: read with a bound, verified on the raw bytes, handed to Bolt, acked. Bolt's own receiver can
 * be ended by one signed `null`, and verifies at a third of the speed.
 */
interface HttpReceiver extends Receiver {
  /** Answers `POST /slack/events`. Never throws. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
}

function createHttpReceiver(options: {
  readonly signingSecret: string
  readonly now: Clock
  readonly intake: Intake
  readonly bodies: BodyBudget
  readonly signatures: Pick<Signatures, 'accepted' | 'refused'>
}): HttpReceiver {
  const { signingSecret, now, intake, bodies, signatures } = options

  function refuse(answer: Answer): void {
    answer(400, 'not a payload of Slack')
  }

  return {
    init: intake.init,
    // The server that routes here is started and stopped by `main`.
    start: async () => undefined,
    stop: async () => undefined,
    async handle(request, response) {
      const answer = answerOnce(response)
      const { headers } = request
      const signed = {
        timestamp: headers['x-slack-request-timestamp'],
        signature: headers['x-slack-signature'],
      }
      const notSigned = (...why: Parameters<Signatures['refused']>) => {
        signatures.refused(...why)
        answer(401, 'not signed by Slack')
      }
      const problem = headerProblem(signed, now())
      if (problem !== undefined && !mayBeCertificateCheck(request)) {
        return notSigned(problem.reason, problem.apartSeconds)
      }
      // Whoever sent half of it and went away is nobody's trouble.
      const raw = await readBody(request, maxBodyBytes, bodies).catch(() => 'lost' as const)
      if (raw === 'lost') return
      if (raw === undefined) return answer(413, 'too large')
      const contentType = headers['content-type']
      if (isCertificateCheck(contentType, raw)) return answer(200, '')
      if (problem !== undefined) return notSigned(problem.reason, problem.apartSeconds)
      if (!isSignedBySlack(signingSecret, signed, raw, now())) return notSigned('secret')
      signatures.accepted()
      const body = parseBody(contentType, raw)
      if (body === undefined) {
        intake.note('unreadable')
        return refuse(answer)
      }
      if (body.type === 'url_verification') {
        if (typeof body.challenge === 'string') {
          return answer(200, JSON.stringify({ challenge: body.challenge }), 'application/json')
        }
        intake.note('url_verification')
        return refuse(answer)
      }
      const taken = await intake.take({ body, ...retryOf(headers), ack: acking(response, answer) })
      if (taken === 'unreadable') return refuse(answer)
      if (taken === 'failed') return answer(500, 'failed')
      if (taken === 'held-back') return answer(200, '')
      // Nothing happens where somebody has acked.
      answer(404, 'nothing listens to this')
    },
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The payload of a verified request; undefined when it is not one that Slack sends. */
function parseBody(contentType: string | undefined, raw: Buffer): Record<string, unknown> | undefined {
  // Broken bytes would become other characters.
  if (!isUtf8(raw)) return undefined
  const body = raw.toString()
  if (contentType?.startsWith('application/json')) {
    const parsed = parseJson(body)
    return isRecord(parsed) ? parsed : undefined
  }
  const fields = new URLSearchParams(body)
  const payload = fields.get('payload')
  if (payload === null) return Object.fromEntries(fields)
  const parsed = parseJson(payload)
  return isRecord(parsed) ? parsed : undefined
}

/** Whether an unsigned request may be read at all: a form that says beforehand how little it is. */
function mayBeCertificateCheck({ headers }: IncomingMessage): boolean {
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true
  return isForm && Number(headers['content-length']) <= longestCheckBytes
}

/** Slack checks now and then whether it reaches the address, and does not sign that. Nothing is done for it. */
function isCertificateCheck(contentType: string | undefined, raw: Buffer): boolean {
  // Most bodies are none, and need not be taken apart twice.
  if (raw.length > longestCheckBytes || !raw.includes('ssl_check=1')) return false
  if (contentType?.startsWith('application/json')) return false
  return new URLSearchParams(raw.toString()).get('ssl_check') === '1'
}

function retryOf(headers: IncomingMessage['headers']) {
  const retryNum = Number(headers['x-slack-retry-num'])
  const retryReason = headers['x-slack-retry-reason']
  return {
    retryNum: Number.isInteger(retryNum) ? retryNum : undefined,
    retryReason: typeof retryReason === 'string' ? retryReason : undefined,
  }
}

function acking(response: ServerResponse, answer: Answer) {
  return async (content: unknown): Promise<boolean> => {
    if (!isOpen(response)) return false
    if (content === undefined || content === null || content === '') answer(200, '')
    else if (typeof content === 'string') answer(200, content)
    else answer(200, JSON.stringify(content), 'application/json')
    return true
  }
}

/** Whether it still takes an answer: it has none, and whoever asked has not gone away. */
function isOpen(response: ServerResponse): boolean {
  return !response.headersSent && !response.destroyed
}

type Answer = (status: number, text: string, contentType?: string) => void

/** Answers a request once: Bolt lets a listener ack more often, and only the first answer counts. */
function answerOnce(response: ServerResponse): Answer {
  return (status, text, contentType = 'text/plain') => {
    if (!isOpen(response)) return
    // The unread rest of a body that is too large must not be taken for the next request, and nobody but Slack keeps a
    // connection.
    if (status === 413 || status === 401) response.setHeader('connection', 'close')
    response.writeHead(status, { 'content-type': `${contentType}; charset=utf-8` }).end(text)
  }
}
