// Brings one thing to the bot: a signed request, or an envelope on a socket. Reports how it was answered.
import { createHmac } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { type Json, parseJson } from '../model/json.ts'
import type { Delivery, DeliveryKind } from '../model/model.ts'
import type { Socket } from '../wire/socket.ts'
import type { Workspace } from '../workspace/workspace.ts'

/** How long Slack waits for the bot, in real milliseconds. */
export const ACK_MS = 3_000

type Answered = Pick<Delivery, 'outcome' | 'status' | 'body'>
/** How it went, and what came back. */
export type Brought = Pick<
  Delivery,
  'via' | 'request' | 'outcome' | 'status' | 'body' | 'ackedMs' | 'tookMs'
>
type SignedRequest = NonNullable<Delivery['request']>

export interface Courier {
  /** Where signed requests go; undefined for Socket Mode alone. */
  requestUrl: string | undefined
  /** The manifest names an address for what menus ask while somebody types: the same one. By a socket none is needed. */
  hasOptionsUrl: boolean
  /** Of the server that takes response urls. */
  readonly origin: string
  readonly socket: Socket
  readonly ackMs: number
  /** Milliseconds; what signatures are dated with. */
  readonly signingClock: () => number
}

/** Sends a payload the way the bot is connected: on its socket when there is one, otherwise signed over HTTP. */
export async function deliver(
  kind: DeliveryKind,
  payload: Json,
  courier: Courier,
  workspace: Workspace,
  retry?: { readonly number: number; readonly reason: string },
): Promise<Brought> {
  const { socket, requestUrl, ackMs } = courier
  if (socket.isConnected || (requestUrl === undefined && socket.wasConnected)) {
    const started = performance.now()
    const answered = await socket.send(envelopeType(kind), payload, ackMs, retry)
    return { via: 'socket', request: undefined, ...timed(answered, started) }
  }
  if (requestUrl === undefined) {
    throw new Error(
      'The bot is not reachable: call slack.deliverTo(requestUrl), or connect it by Socket Mode',
    )
  }
  const request = sign(kind, payload, courier, workspace, retry)
  return sendSigned(request, requestUrl, ackMs)
}

/** Sends the very same request again, signature and all. */
export function deliverAgain(delivery: Delivery, courier: Courier): Promise<Brought> {
  if (!delivery.request || courier.requestUrl === undefined) {
    throw new Error('Only a delivery over HTTP can be replayed')
  }
  return sendSigned(delivery.request, courier.requestUrl, courier.ackMs)
}

async function sendSigned(request: SignedRequest, url: string, ackMs: number): Promise<Brought> {
  const started = performance.now()
  const answered = await postOnce(url, request, ackMs)
  return { via: 'http', request, ...timed(answered, started) }
}

function timed(
  answered: Answered,
  started: number,
): Answered & Pick<Delivery, 'ackedMs' | 'tookMs'> {
  const wasAnswered = answered.outcome === 'acked' || answered.outcome === 'refused'
  const tookMs = performance.now() - started
  return { ...answered, ackedMs: wasAnswered ? tookMs : undefined, tookMs }
}

function sign(
  kind: DeliveryKind,
  payload: Json,
  courier: Courier,
  workspace: Workspace,
  retry?: { readonly number: number; readonly reason: string },
): SignedRequest {
  const { type, body } = encode(kind, payload)
  const timestamp = String(Math.floor(courier.signingClock() / 1000))
  const hash = createHmac('sha256', workspace.signingSecret)
    .update(`v0:${timestamp}:${body}`)
    .digest('hex')
  const retried: Record<string, string> = retry
    ? { 'x-slack-retry-num': String(retry.number), 'x-slack-retry-reason': retry.reason }
    : {}
  return {
    body,
    headers: {
      'content-type': type,
      'user-agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': `v0=${hash}`,
      ...retried,
    },
  }
}

function encode(
  kind: DeliveryKind,
  payload: Json,
): { readonly type: string; readonly body: string } {
  const form = 'application/x-www-form-urlencoded'
  if (kind === 'event') return { type: 'application/json', body: JSON.stringify(payload) }
  if (kind !== 'slash_commands') {
    return {
      type: form,
      body: new URLSearchParams({ payload: JSON.stringify(payload) }).toString(),
    }
  }
  const fields = Object.entries(payload).map(([name, value]): [string, string] => [
    name,
    String(value),
  ])
  return { type: form, body: new URLSearchParams(fields).toString() }
}

function envelopeType(kind: DeliveryKind): string {
  if (kind === 'slash_commands') return kind
  return kind === 'event' ? 'events_api' : 'interactive'
}

function postOnce(url: string, { headers, body }: SignedRequest, ackMs: number): Promise<Answered> {
  return new Promise((resolve) => {
    const send = url.startsWith('https:') ? httpsRequest : httpRequest
    const request = send(url, { method: 'POST', headers, agent: false }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () => {
        clearTimeout(timer)
        const { statusCode: status } = response
        const text = Buffer.concat(parts).toString('utf8')
        resolve({ outcome: status === 200 ? 'acked' : 'refused', status, body: text })
      })
    })
    const timer = setTimeout(() => {
      resolve({ outcome: 'timeout', status: undefined, body: '' })
      request.destroy()
    }, ackMs)
    request.on('error', () => {
      clearTimeout(timer)
      resolve({ outcome: 'unreachable', status: undefined, body: '' })
    })
    request.end(body)
  })
}

/** The ack's body as JSON, when it is. */
export function ackBody(delivery: Delivery): unknown {
  return parseJson(delivery.body)
}
