// The barest bot, for the tests of the simulator: answers each signed request as the test says.
import { createServer } from 'node:http'
import type { SlackOptions } from '../../playground/slack/options.ts'
import { type Slack, startSlack } from '../../playground/slack/simulator.ts'

export interface Answer {
  readonly status?: number
  /** An object goes out as JSON. */
  readonly body?: unknown
}

export interface Heard {
  readonly headers: Readonly<Record<string, unknown>>
  /** A form's fields; `payload` and JSON bodies are parsed. */
  readonly fields: Readonly<Record<string, unknown>>
}

export interface BareBot {
  readonly slack: Slack
  readonly heard: Heard[]
  /** What the bot does next; `undefined` as an answer means that it never answers. */
  answers(how: (heard: Heard) => Answer | undefined): void
  /** Calls the Web API; the answer as Slack gave it. */
  call(method: string, args: Record<string, unknown>): Promise<Record<string, unknown>>
  /** Posts to a response_url. */
  respond(url: unknown, body: unknown): Promise<{ status: number; body: unknown }>
  stop(): Promise<void>
}

export async function startBareBot(options: SlackOptions = {}): Promise<BareBot> {
  const slack = await startSlack(options)
  const heard: Heard[] = []
  let answer: (heard: Heard) => Answer | undefined = () => ({})
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const one = {
      headers: request.headers,
      fields: fieldsOf(Buffer.concat(parts).toString('utf8')),
    }
    heard.push(one)
    const given = answer(one)
    if (!given) return
    const { status = 200, body } = given
    const isText = typeof body === 'string'
    response.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json' })
    response.end(isText ? body : body === undefined ? '' : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the bot has no port')
  slack.deliverTo(`http://127.0.0.1:${address.port}/`)
  return {
    slack,
    heard,
    answers: (how) => {
      answer = how
    },
    call: async (method, args) => {
      const headers = {
        authorization: `Bearer ${slack.botToken}`,
        'content-type': 'application/json',
      }
      const init = { method: 'POST', headers, body: JSON.stringify(args) }
      return object(await (await fetch(slack.apiUrl + method, init)).json())
    },
    respond: async (url, body) => {
      const response = await fetch(String(url), { method: 'POST', body: JSON.stringify(body) })
      return { status: response.status, body: await response.json() }
    },
    stop: async () => {
      await slack.stop()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function fieldsOf(body: string): Readonly<Record<string, unknown>> {
  if (body.startsWith('{')) return object(JSON.parse(body))
  const fields = Object.fromEntries(new URLSearchParams(body))
  return fields.payload === undefined ? fields : object(JSON.parse(fields.payload))
}

export function object(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value))
    : {}
}
