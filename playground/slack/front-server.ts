// The front of several workspaces: what it answers itself, and what it hands to the workspace that it is about.
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Authorizations } from './authorizations.ts'
import { refuse } from './methods/method.ts'
import { type Json, parseJson, record, text } from './model/json.ts'
import type { Slack } from './slack.ts'
import type { Socket } from './wire/socket.ts'
import type { SharedApp } from './workspace/app.ts'

export interface FrontState {
  readonly app: SharedApp
  readonly authorizations: Authorizations
  readonly socket: Socket
  readonly workspaces: readonly Slack[]
  accessCalls: number
  breaksAccess: boolean
  rotatesTokens: boolean
}

export async function answerFront(
  front: FrontState,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://localhost')
  const body = await bodyOf(request)
  if (url.pathname === '/oauth/v2/authorize') {
    const { status, location, html } = authorize(front, url.searchParams)
    const type = { 'content-type': 'text/html; charset=utf-8' }
    response.writeHead(status, location === undefined ? type : { location: location.href }).end(html)
    return
  }
  if (url.pathname === '/api/oauth.v2.access') {
    front.accessCalls += 1
    if (front.breaksAccess) throw new Error('broken off')
  }
  const args = { ...Object.fromEntries(url.searchParams), ...argsOf(body, request) }
  const [kind, credentials = ''] = (request.headers.authorization ?? '').split(' ')
  const token = kind === 'Bearer' ? credentials : text(args.token)
  const own = answerItself(front, url.pathname, args, kind === 'Basic' ? credentials : undefined, token)
  const owner = url.pathname.startsWith('/api/') ? ownerOf(front, token) : namedIn(front, url.pathname)
  if (own === undefined && owner !== undefined) return forward(owner, request, body, response)
  const answer = own ?? refuse(token ? 'invalid_auth' : 'not_authed')
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(answer))
}

/** What is about the app, not about one installation of it. */
function answerItself(
  { app, authorizations, socket, rotatesTokens }: FrontState,
  path: string,
  args: Json,
  basic: string | undefined,
  token: string | undefined,
): Json | undefined {
  if (path === '/api/oauth.v2.access') {
    const answer = authorizations.exchange(args, basic === undefined ? undefined : pairOf(basic))
    return rotatesTokens ? { ...answer, expires_in: 43_200 } : answer
  }
  if (path !== '/api/apps.connections.open') return undefined
  if (!token) return refuse('not_authed')
  if (token.startsWith('xoxb-')) return refuse('not_allowed_token_type')
  return token === app.appToken ? { ok: true, url: socket.newUrl() } : refuse('invalid_auth')
}

interface Page {
  readonly status: number
  readonly location?: URL
  readonly html?: string
}

/** Without `as`, a page with a link for whoever may be at the browser; each link carries what they choose. */
function authorize({ authorizations, workspaces }: FrontState, query: URLSearchParams): Page {
  const asked = authorizations.read(query)
  if (typeof asked === 'string') return { status: 400, html: `<h1>${asked}</h1>` }
  const userId = query.get('as')
  const slack = workspaces.find(({ workspace }) => workspace.members.has(userId ?? ''))
  if (userId === null || slack === undefined) return { status: 200, html: choices(query, workspaces) }
  if (query.get('answer') === 'cancel') return { status: 302, location: authorizations.cancel(asked) }
  const leftOut = (query.get('without') ?? '').split(',').filter((scope) => scope !== '')
  const isOrgWide = query.get('org') === '1'
  const location = authorizations.allow(asked, { slack, userId, isOrgWide, leftOut })
  if (typeof location === 'string') return { status: 400, html: `<h1>${location}</h1>` }
  return { status: 302, location }
}

function choices(query: URLSearchParams, workspaces: readonly Slack[]): string {
  const links = workspaces.flatMap(({ workspace }) =>
    [...workspace.members.values()]
      .filter(({ isBot }) => !isBot)
      .map(({ id, name }) => {
        const chosen = new URLSearchParams([...query, ['as', id]])
        return `<li><a href="/oauth/v2/authorize?${chosen}">Allow as ${name} in ${workspace.teamName}</a></li>`
      }),
  )
  return `<h1>Bellhop is requesting permission</h1><ul>${links.join('')}</ul>`
}

function ownerOf({ workspaces }: FrontState, token: string | undefined): Slack | undefined {
  if (!token) return undefined
  return workspaces.find(({ botToken, workspace }) => botToken === token || workspace.formerTokens.has(token))
}

/** A response url names its workspace. */
function namedIn({ workspaces }: FrontState, path: string): Slack | undefined {
  return workspaces.find(({ teamId }) => path.split('/').includes(teamId))
}

/** As it came; so are answers, faults and broken connections. */
function forward(
  { apiUrl }: Slack,
  { url, method, headers }: IncomingMessage,
  body: string,
  response: ServerResponse,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const onward = httpRequest(new URL(url ?? '/', apiUrl), { method, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
      answer.on('end', resolve)
      answer.on('error', reject)
    })
    onward.on('error', reject)
    response.on('close', () => onward.destroy())
    onward.end(body)
  })
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts).toString('utf8')
}

function argsOf(body: string, { headers }: IncomingMessage): Json {
  if (headers['content-type']?.startsWith('application/json')) return record(parseJson(body))
  return Object.fromEntries(new URLSearchParams(body))
}

function pairOf(basic: string): readonly [string, string] {
  const credentials = Buffer.from(basic, 'base64').toString()
  const colon = credentials.indexOf(':')
  return [credentials.slice(0, colon), credentials.slice(colon + 1)]
}
