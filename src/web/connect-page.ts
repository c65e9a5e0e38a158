// `/connect/<secret>`: the one-time page where people enter their token, so that it doesn't pass through Slack.
// Opening it uses nothing up, and a token that is stored does. Nothing secret is logged.
import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { createTokenPage, type Whom } from '../account/token-page.ts'
import type { House } from '../house.ts'
import { readBody } from '../http/read-body.ts'
import { cookieIn, type PageAnswer, plainPage, sendPage } from './html.ts'
import { connectedPage, fields, formPage, gonePage } from './render-connect.ts'
import type { Handler, Routes } from './server.ts'

/** The longest token with every character encoded, and some more. */
const mostBytes = 10_000
/** Set while the form is open. */
const formCookie = 'bellhop_form'
const notFromHere =
  'This page was opened again meanwhile, or your browser blocks its cookies. Paste the token again.'

const unreadable = 'Bellhop couldn’t read what your browser sent. Open the link in Slack again.'

/** None without `PUBLIC_URL`. */
export function pageRoutes(house: House): Routes {
  const { config, log } = house
  const { publicUrl } = config
  if (publicUrl === undefined) return new Map()
  const page = createTokenPage(house)
  // The operator names a web address only for alerts; the API is not for browsers.
  const { alertUrl } = config.monitor
  const monitoringUrl = alertUrl === undefined ? undefined : new URL(alertUrl).origin
  const { protocol, pathname, origin } = new URL(publicUrl)
  const isSecure = protocol === 'https:'

  /** Each form has its own form token, which its cookie holds too. */
  function form(secret: string, whom: Whom, problem?: string, status = 200): PageAnswer {
    const token = randomBytes(32).toString('base64url')
    const path = `Path=${pathname.replace(/\/$/, '')}/connect/${secret}`
    const cookie = [`${formCookie}=${token}`, path, 'Max-Age=600', 'HttpOnly', 'SameSite=Strict']
    const headers = { 'set-cookie': [...cookie, ...(isSecure ? ['Secure'] : [])].join('; ') }
    return { status, body: formPage({ whom, form: token, problem, monitoringUrl }), headers }
  }

  /** The form, with the reason why the last try failed where there was one. */
  async function look(secret: string, problem?: string, status?: number): Promise<PageAnswer> {
    const whom = await page.look(secret)
    return whom === undefined ? gone(problem) : form(secret, whom, problem, status)
  }

  async function take(secret: string, request: IncomingMessage): Promise<PageAnswer> {
    const sent = await readSentForm(request)
    if (typeof sent === 'number') return { status: sent, body: plainPage('Not connected', unreadable) }
    if (!isFromHere(request, origin, sent.get(fields.form) ?? '')) return look(secret, notFromHere, 403)
    const given = await page.give(secret, sent.get(fields.token) ?? '')
    if (given.kind === 'connected') return { status: 200, body: connectedPage(given.as) }
    return given.kind === 'gone' ? gone() : look(secret, given.problem, 422)
  }

  function handler(work: typeof take): Handler {
    return async (request, response) => {
      const send = (answer: PageAnswer) => sendPage(response, isSecure, answer)
      try {
        const secret = secretIn(request)
        send(secret === undefined ? gone() : await work(secret, request))
      } catch (error) {
        if (response.destroyed) return
        log.error({ err: error }, 'the token page failed')
        send(broken)
      } finally {
        // Drops the rest of the body.
        request.resume()
      }
    }
  }

  return new Map([
    ['GET /connect/*', handler((secret) => look(secret))],
    ['POST /connect/*', handler(take)],
  ])
}

const broken: PageAnswer = {
  status: 500,
  body: plainPage('Not connected', 'Something went wrong in Bellhop. Try again in a minute.'),
}

function gone(problem?: string): PageAnswer {
  return { status: 404, body: gonePage(problem) }
}

/** The end of the link; undefined if Bellhop makes no such link. */
function secretIn({ url = '' }: IncomingMessage): string | undefined {
  return /^\/connect\/([\w-]{43})(?:\?|$)/.exec(url)?.[1]
}

/**
 * Whether a page opened here sent it: then its form and its cookie hold the same.
 * @param own - The origin of these pages.
 */
function isFromHere(request: IncomingMessage, own: string, form: string): boolean {
  const { 'sec-fetch-site': site, origin } = request.headers
  if (site !== undefined && site !== 'same-origin') return false
  // These pages have browsers send no referrer, so that the link stays secret; the origin is then `null`. Source:
  // fetch.spec.whatwg.org, “append a request Origin header”. Pages elsewhere can make it `null` too, but lack the cookie.
  if (origin !== undefined && origin !== 'null' && origin !== own) return false
  const kept = cookieIn(request, formCookie) ?? ''
  const [left, right] = [Buffer.from(kept), Buffer.from(form)]
  return kept !== '' && left.length === right.length && timingSafeEqual(left, right)
}

/**
 * Reads a form that a browser sent, up to the size of Bellhop's own. Rejects if the connection breaks. If the form is
 * not read, the answer has to end the connection.
 */
async function readSentForm(request: IncomingMessage): Promise<URLSearchParams | 413 | 415> {
  const [type = ''] = (request.headers['content-type'] ?? '').split(';', 1)
  if (type.trim().toLowerCase() !== 'application/x-www-form-urlencoded') return 415
  const body = await readBody(request, mostBytes)
  return body === undefined ? 413 : new URLSearchParams(body.toString('utf8'))
}
