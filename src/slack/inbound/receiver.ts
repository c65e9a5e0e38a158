// Slack's requests over HTTP: read with a bound, verified on the raw bytes, handed to Bolt, acked.
// Bolt's own receiver can be ended by one signed `null`, and verifies at a third of the speed.
import { isUtf8 } from 'node:buffer'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Receiver } from '@slack/bolt'
import { type BodyBudget, parseJson, readBody } from '../../http/read-body.ts'
import type { Clock } from '../ids.ts'
import type { Intake } from './intake.ts'
import { headerProblem, isSignedBySlack, type Signatures } from './signatures.ts'

const maxBodyBytes = 1024 * 1024

export interface HttpReceiver extends Receiver {
  /** Answers `POST /slack/events`. Never throws. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
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

const longestCheckBytes = 1024

export function createHttpReceiver(options: {
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
      const taken = await intake.take({ body, ...retryOf(headers), ack: acking(answer) })
      if (taken === 'unreadable') return refuse(answer)
      if (taken === 'held-back') return answer(200, '')
      answer(404, 'nothing listens to this')
    },
  }
}

function retryOf(headers: IncomingMessage['headers']) {
  const retryNum = Number(headers['x-slack-retry-num'])
  const retryReason = headers['x-slack-retry-reason']
  return {
    retryNum: Number.isInteger(retryNum) ? retryNum : undefined,
    retryReason: typeof retryReason === 'string' ? retryReason : undefined,
  }
}

function acking(answer: Answer) {
  return async (content: unknown): Promise<void> => {
    if (content === undefined || content === null || content === '') return answer(200, '')
    if (typeof content === 'string') return answer(200, content)
    return answer(200, JSON.stringify(content), 'application/json')
  }
}

type Answer = (status: number, text: string, contentType?: string) => void

/** Bolt lets a listener ack more than once; only the first answer counts. */
function answerOnce(response: ServerResponse): Answer {
  return (status, text, contentType = 'text/plain') => {
    if (response.headersSent || response.destroyed) return
    // What was not read of a refused body must not be taken for the next request; and to whoever is not Slack, no
    // connection is left.
    if (status === 413 || status === 401) response.setHeader('connection', 'close')
    response.writeHead(status, { 'content-type': `${contentType}; charset=utf-8` }).end(text)
  }
}
