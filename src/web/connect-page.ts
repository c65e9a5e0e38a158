// `/connect/<secret>`: the one-time page where people enter their token, so that it doesn't pass through Slack.
// Opening the page doesn't use up its link; storing a token does. Nothing secret is logged. There is no session that
// another site could ride on: the link alone is the right to send a token.
import type { IncomingMessage } from 'node:http'
import { type Given, giveOnPage, lookAtLink } from '../account/token-page.ts'
import type { House } from '../house.ts'
import { readBody } from '../http/http.ts'
import { withId } from '../log/log.ts'
import { singleFlights } from '../work/under-way.ts'
import { type PageAnswer, plainPage, sendPage } from './html.ts'
import { connectedPage, formPage, gonePage, tokenField } from './render-connect.ts'
import type { Handler, Routes } from './server.ts'

const mostBytes = 10_000

/** @param house - Its settings have a `PUBLIC_URL`. */
export function pageRoutes(house: House): Routes {
  // The address of monitoring’s website is a part of MONITOR_ALERT_URL: no other setting has an address for browsers.
  const { alertUrl } = house.config
  const monitoringUrl = alertUrl === undefined ? undefined : new URL(alertUrl).origin
  /** Tries under way: a second press of the button gets the result of the first. */
  const underWay = singleFlights<Given>()

  async function look(secret: string, problem?: string): Promise<PageAnswer> {
    const whom = await lookAtLink(house, secret)
    if (whom === undefined) return gone(problem)
    return {
      status: problem === undefined ? 200 : 422,
      body: formPage(whom, problem, monitoringUrl),
    }
  }

  async function take(secret: string, request: IncomingMessage): Promise<PageAnswer> {
    const body = await readBody(request, mostBytes)
    if (body === undefined)
      return { status: 413, body: plainPage('Not connected', 'That’s too long for a token.') }
    const typed = new URLSearchParams(body.toString('utf8')).get(tokenField) ?? ''
    const given = await underWay(`${secret} ${typed}`, () =>
      withId(() => giveOnPage(house, secret, typed)),
    )
    return 'problem' in given
      ? look(secret, given.problem)
      : { status: 200, body: connectedPage(given) }
  }

  function handler(work: typeof take): Handler {
    return async (request, response) => {
      try {
        // Undefined if the address has not the form of Bellhop’s links.
        const secret = /^\/connect\/([\w-]{43})(?:\?|$)/.exec(request.url ?? '')?.[1]
        sendPage(response, secret === undefined ? gone() : await work(secret, request))
      } catch (error) {
        if (response.destroyed) return
        house.log.error({ err: error }, 'the token page failed')
        sendPage(response, broken)
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

const wentWrong = 'Something went wrong in Bellhop. Try again in a minute.'
const broken: PageAnswer = { status: 500, body: plainPage('Not connected', wentWrong) }

const gone = (problem?: string): PageAnswer => ({ status: 404, body: gonePage(problem) })
