// The HTTP side that the bot calls: Web API and response urls, with ordered faults, every call recorded.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { Refused } from '../check/refused.ts'
import { type Json, parseJson, record, text } from '../model/json.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { answerResponseUrl, type Reply } from './response-url.ts'
import { type Fault, rateLimited, type Trouble } from './trouble.ts'
import { type Answers, callMethod } from './web-api.ts'

export interface ApiServer {
  readonly server: Server
  /** Such as `http://127.0.0.1:40123`. */
  readonly origin: string
  close(): Promise<void>
}

export async function serveApi(
  workspace: Workspace,
  trouble: Trouble,
  ofApp: Answers,
  port: number,
): Promise<ApiServer> {
  const server = createServer((request, response) => {
    const answered = workspace.changes.during(() =>
      answer(request, response, workspace, trouble, ofApp),
    )
    answered.catch((error: unknown) => {
      // The bot hung up while it was sending, or the simulator itself is wrong.
      if (!response.headersSent) response.writeHead(500)
      response.end(JSON.stringify({ ok: false, error: 'fatal_error', detail: String(error) }))
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    server,
    origin: `http://127.0.0.1:${portOf(server.address())}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  workspace: Workspace,
  trouble: Trouble,
  ofApp: Answers,
): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
  const body = await bodyOf(request)
  const isResponseUrl = workspace.responseUrls.isOne(pathname)
  const method = isResponseUrl ? 'response_url' : pathname.replace(/^\/api\//, '')
  const type = request.headers['content-type'] ?? ''
  const args = isResponseUrl
    ? record(parseJson(body))
    : { ...fields(searchParams), ...argsOf(body, type) }
  const call = { method, path: pathname, args: masked(args), startedAt: workspace.options.clock() }
  const from = performance.now()
  workspace.changes.tell({ kind: 'call_started', call })
  const fault =
    trouble.take(method, args) ?? overLimit(workspace.limits.take(method, text(args.channel)))
  if (fault?.kind === 'slow') await wait(fault.delayMs, undefined, { ref: false })
  const reply = (): Reply =>
    isResponseUrl
      ? answerResponseUrl(pathname, parseJson(body), workspace)
      : answerCall(() => callMethod(method, args, bearerOf(request), workspace, ofApp))
  const { status, answer } = fault && fault.kind !== 'slow' ? faulty(fault, reply) : reply()
  const answered = Object.assign(call, { status, answer, tookMs: performance.now() - from })
  workspace.calls.push(answered)
  workspace.changes.tell({ kind: 'call', call: answered })
  if (fault?.kind === 'cut') {
    request.socket.destroy()
    return
  }
  // Nobody is there any more to take the answer.
  if (response.closed) return
  const said = fault?.kind === 'answer' ? fault.body : JSON.stringify(answer)
  await new Promise<void>((resolve) => {
    response.writeHead(status, {
      'content-type': 'application/json; charset=utf-8',
      ...(isResponseUrl ? {} : scopesOf(bearerOf(request) ?? text(args.token), workspace)),
      ...fault?.headers,
    })
    response.on('close', () => resolve())
    response.end(said)
  })
}

function answerCall(call: () => Json): Reply {
  try {
    return { status: 200, answer: call() }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return { status: 200, answer: error.answer }
  }
}

function overLimit(retryAfterSeconds: number | undefined): Fault | undefined {
  return retryAfterSeconds === undefined ? undefined : rateLimited(retryAfterSeconds)
}

/** What the token is good for, on every answer to one. */
function scopesOf(
  token: string | undefined,
  { botToken, appToken, options }: Workspace,
): Record<string, string> {
  if (token === botToken) return { 'x-oauth-scopes': options.botScopes.join(',') }
  return token === appToken ? { 'x-oauth-scopes': options.appScopes.join(',') } : {}
}

function faulty(fault: Fault, reply: () => Reply): Reply {
  if (fault.kind === 'cut')
    return { status: 0, answer: fault.takesEffect ? reply().answer : { ok: false, error: 'cut' } }
  return { status: fault.status, answer: record(parseJson(fault.body)) }
}

function argsOf(body: string, contentType: string): Json {
  if (body === '') return {}
  if (contentType.startsWith('application/json')) return record(parseJson(body))
  return fields(new URLSearchParams(body))
}

function fields(params: URLSearchParams): Json {
  return Object.fromEntries(params)
}

function masked(args: Json): Json {
  return 'token' in args ? { ...args, token: '[masked]' } : args
}

function bearerOf(request: IncomingMessage): string | undefined {
  return /^Bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1]
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts).toString('utf8')
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string')
    throw new Error('the Slack simulator has no port')
  return address.port
}
