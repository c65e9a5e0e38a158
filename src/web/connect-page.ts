// `/connect/<secret>`: the one-time page on which somebody gives their token, so that it does not pass through Slack.
// Opening it uses nothing up. Once a token is stored, the browser is sent to the same address, which then says so: a
// reload sends no form again. No secret of it is logged.
import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { TokenPage, Whom } from '../account/token-page.ts'
import { type BodyBudget, readBody } from '../http/read-body.ts'
import type { Log } from '../log/log.ts'
import { clientAddress, createVisitLimit } from './address.ts'
import { cookieIn, type PageAnswer, plainPage, sendPage, tooOften } from './html.ts'
import { connectedPage, fields, formPage, gonePage, usedPage } from './render-connect.ts'
import type { Handler, Routes } from './server.ts'

/** The longest token with every sign of it encoded, and some more. */
const mostBytes = 10_000
const perMinute = { opened: 120, sent: 30 }
/** Kept while the form is open. */
const formCookie = { name: 'bellhop_form', seconds: 600, sameSite: 'Strict' }
/**
 * Kept by the browser in which somebody has connected: nobody else reads whose link it was. It gives nothing away but
 * that, so it may come along when the link is opened from Slack.
 */
const usedCookie = { name: 'bellhop_used', seconds: 3600, sameSite: 'Lax' }

const notFromHere =
  'This page was opened again meanwhile, or your browser blocks its cookies. Paste the token again.'

/**
 * @param room.publicUrl - Without a last slash; where browsers reach these pages.
 * @param room.monitoringUrl - Where people open monitoring in a browser; undefined when nobody has said so.
 */
export function connectRoutes(room: {
  readonly page: TokenPage
  readonly publicUrl: string
  readonly monitoringUrl: string | undefined
  readonly bodies: BodyBudget
  readonly log: Pick<Log, 'error'>
  readonly now: () => number
}): Routes {
  const { page, publicUrl, monitoringUrl, bodies, log, now } = room
  const paces = {
    opened: createVisitLimit(perMinute.opened, now),
    sent: createVisitLimit(perMinute.sent, now),
  }
  const { protocol, pathname, origin } = new URL(publicUrl)
  const isSecure = protocol === 'https:'
  const basePath = pathname.replace(/\/$/, '')

  function cookie(
    secret: string,
    {
      name,
      seconds,
      sameSite,
    }: { readonly name: string; readonly seconds: number; readonly sameSite: string },
    value: string,
  ): string {
    const lasts = value === '' ? 0 : seconds
    const parts = [`${name}=${value}`, `Path=${basePath}/connect/${secret}`, `Max-Age=${lasts}`]
    return [...parts, 'HttpOnly', `SameSite=${sameSite}`, ...(isSecure ? ['Secure'] : [])].join('; ')
  }

  async function look(request: IncomingMessage, secret: string): Promise<PageAnswer> {
    const seen = await page.look(secret, cookieIn(request, usedCookie.name) ?? '')
    if (seen.kind === 'gone') return gone()
    if (seen.kind === 'used') return { status: 410, body: usedPage() }
    if (seen.kind === 'connected') return { status: 200, body: connectedPage(seen.as) }
    return form(secret, seen.whom)
  }

  /** A form token belongs to one opened page. */
  function form(secret: string, whom: Whom, problem?: string, status = 200): PageAnswer {
    const token = randomBytes(32).toString('base64url')
    const headers = { 'set-cookie': cookie(secret, formCookie, token) }
    return { status, body: formPage({ whom, form: token, problem, monitoringUrl }), headers }
  }

  /** The form, and why the last try did not work; in place of it what became of the link meanwhile. */
  async function again(secret: string, problem: string, status: number): Promise<PageAnswer> {
    const seen = await page.look(secret, '')
    if (seen.kind === 'gone') return gone(problem)
    return seen.kind === 'works' ? form(secret, seen.whom, problem, status) : toResult(secret)
  }

  /** @param browser - By which this browser is known from now on; undefined when it was another that connected. */
  function toResult(secret: string, browser?: string): PageAnswer {
    const cookies =
      browser === undefined ? [] : [cookie(secret, usedCookie, browser), cookie(secret, formCookie, '')]
    // The same address, wherever the proxy has it.
    return { status: 303, body: '', headers: { location: secret, 'set-cookie': cookies } }
  }

  async function take(request: IncomingMessage, secret: string): Promise<PageAnswer> {
    const body = await readSentForm(request, mostBytes, bodies)
    if (body.kind !== 'form') return unreadable(body.kind)
    const form = body.fields.get(fields.form) ?? ''
    if (!isFromHere(request, origin, form)) return again(secret, notFromHere, 403)
    const given = await page.give(secret, body.fields.get(fields.token) ?? '', form)
    if (given.kind === 'connected') return toResult(secret, form)
    if (given.kind === 'not-connected') return again(secret, given.problem, 422)
    if (given.problem !== undefined) return gone(given.problem)
    // Sent again after it had worked, as by going back.
    const seen = await page.look(secret, form)
    if (seen.kind === 'connected') return toResult(secret, form)
    return seen.kind === 'used' ? toResult(secret) : gone()
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
        log.error({ err: error }, 'the token page failed')
        send(broken)
      } finally {
        // Of what is not read, no more than what is on its way.
        request.resume()
      }
    }
  }

  return new Map([
    ['GET /connect/*', handler('opened', look)],
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
  const sentence = 'Bellhop couldn’t read what your browser sent. Open the link in Slack again.'
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
  const kept = cookieIn(request, formCookie.name)
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
