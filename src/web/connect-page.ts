// `/connect/<secret>`: the one-time page on which somebody gives their token, so that it does not pass through Slack.
// Opening it uses nothing up. No secret of it is logged.
import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { TokenPage } from '../account/token-page.ts'
import { type BodyBudget, readBody } from '../http/read-body.ts'
import type { Log } from '../log/log.ts'
import { clientAddress, createVisitLimit } from './address.ts'
import { cookieIn, type PageAnswer, plainPage, sendPage, tooOften } from './html.ts'
import { connectedPage, fields, formPage, gonePage } from './render-connect.ts'
import type { Handler, Routes } from './server.ts'

/** The longest token with every sign of it encoded, and some more. */
const mostBytes = 10_000
const perMinute = { opened: 120, sent: 30 }
const formCookie = 'bellhop_form'
const cookieSeconds = 600

const notFromHere =
  'The page was opened again since, or the browser keeps no cookies for it. Paste the token again.'

/** @param room.publicUrl - Without a last slash; where browsers reach these pages. */
export function connectRoutes(room: {
  readonly page: TokenPage
  readonly publicUrl: string
  readonly bodies: BodyBudget
  readonly log: Pick<Log, 'error'>
  readonly now: () => number
}): Routes {
  const { page, publicUrl, bodies, log, now } = room
  const paces = {
    opened: createVisitLimit(perMinute.opened, now),
    sent: createVisitLimit(perMinute.sent, now),
  }
  const { protocol, pathname, origin } = new URL(publicUrl)
  const isSecure = protocol === 'https:'
  const basePath = pathname.replace(/\/$/, '')

  function cookie(secret: string, value: string, seconds: number): Readonly<Record<string, string>> {
    const parts = [`${formCookie}=${value}`, `Path=${basePath}/connect/${secret}`, `Max-Age=${seconds}`]
    const bounds = ['HttpOnly', 'SameSite=Strict', ...(isSecure ? ['Secure'] : [])]
    return { 'set-cookie': [...parts, ...bounds].join('; ') }
  }

  /** A form token belongs to one opened page. */
  async function form(secret: string, problem?: string, status = 200): Promise<PageAnswer> {
    const whom = await page.whom(secret)
    if (whom === undefined) return gone(problem)
    const token = randomBytes(32).toString('base64url')
    const headers = cookie(secret, token, cookieSeconds)
    return { status, body: formPage({ whom, form: token, problem }), headers }
  }

  async function take(request: IncomingMessage, secret: string): Promise<PageAnswer> {
    const body = await readSentForm(request, mostBytes, bodies)
    if (body.kind !== 'form') return unreadable(body.kind)
    if (!isFromHere(request, origin, body.fields.get(fields.form) ?? ''))
      return form(secret, notFromHere, 403)
    const given = await page.give(secret, body.fields.get(fields.token) ?? '')
    if (given.kind === 'gone') return gone(given.problem)
    if (given.kind === 'not-connected') return form(secret, given.problem, 422)
    return { status: 200, body: connectedPage(given.sentences), headers: cookie(secret, '', 0) }
  }

  function handler(pace: keyof typeof paces, work: typeof take): Handler {
    return async (request, response) => {
      const send = (answer: PageAnswer) => sendPage(response, publicUrl, answer)
      try {
        if (!paces[pace](clientAddress(request))) return send(tooOften)
        const secret = secretIn(request)
        send(secret === undefined ? gone() : await work(request, secret))
      } catch (error) {
        if (response.destroyed) return
        log.error({ err: error }, 'the page for tokens failed')
        send(broken)
      } finally {
        // Of what is not read, no more than what is on its way.
        request.resume()
      }
    }
  }

  return new Map([
    ['GET /connect/*', handler('opened', (_request, secret) => form(secret))],
    ['POST /connect/*', handler('sent', take)],
  ])
}

const broken: PageAnswer = {
  status: 500,
  body: plainPage('Not connected', 'Something went wrong in Bellhop. Try again in a minute.'),
}

function gone(problem?: string): PageAnswer {
  return { status: 404, body: gonePage(problem) }
}

function unreadable(why: 'too-large' | 'other-type'): PageAnswer {
  const sentence = 'Bellhop does not understand what was sent. Open the link in Slack again.'
  return { status: why === 'too-large' ? 413 : 415, body: plainPage('Not connected', sentence) }
}

/** Undefined for what no link of ours ends with. */
function secretIn({ url = '' }: IncomingMessage): string | undefined {
  return /^\/connect\/([\w-]{43})(?:\?|$)/.exec(url)?.[1]
}

/**
 * Sent by a page that was opened here: what stands in the form stands in its cookie too.
 * @param own - The origin of these pages.
 */
function isFromHere(request: IncomingMessage, own: string, form: string): boolean {
  const { 'sec-fetch-site': site, origin } = request.headers
  if (site !== undefined && site !== 'same-origin') return false
  // From these pages it is `null` in browsers of today: they send no referrer, so that the link stays secret. Source:
  // fetch.spec.whatwg.org, “append a request Origin header”. A page elsewhere can have it be `null` as well, and has no
  // cookie of this one.
  if (origin !== undefined && origin !== 'null' && origin !== own) return false
  const kept = cookieIn(request, formCookie)
  if (kept === undefined || kept === '' || kept.length !== form.length) return false
  const [left, right] = [Buffer.from(kept), Buffer.from(form)]
  return left.length === right.length && timingSafeEqual(left, right)
}

type FormBody =
  | { readonly kind: 'form'; readonly fields: URLSearchParams }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'other-type' }

/**
 * Reads what a browser's form sends, and no more of it than a form of ours can be. Rejects when the connection
 * breaks. What is not read has to be answered with an end of the connection.
 */
async function readSentForm(
  request: IncomingMessage,
  mostBytes: number,
  bodies: BodyBudget,
): Promise<FormBody> {
  const [type = ''] = (request.headers['content-type'] ?? '').split(';', 1)
  if (type.trim().toLowerCase() !== 'application/x-www-form-urlencoded') return { kind: 'other-type' }
  const body = await readBody(request, mostBytes, bodies)
  if (body === undefined) return { kind: 'too-large' }
  return { kind: 'form', fields: new URLSearchParams(body.toString('utf8')) }
}
