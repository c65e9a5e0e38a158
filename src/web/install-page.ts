// `/slack/install` and `/slack/oauth_redirect`: where somebody starts to install the bot, and where Slack sends them
// back to. No state, code or token is logged.
import type { IncomingMessage } from 'node:http'
import { type Installing, type InstallOutcome, installPaths, stateMs } from '../install/install.ts'
import type { Log } from '../log/log.ts'
import { clientAddress, createVisitLimit } from './address.ts'
import { cookieIn, type PageAnswer, plainPage, sendPage, tooOften } from './html.ts'
import { beginPage, endPage } from './render-install.ts'
import type { Handler, Routes } from './server.ts'

const perMinute = 30
const cookieName = 'bellhop_install'
/** More than any address of Bellhop's has. */
const mostCharacters = 4_000

/** @param room.publicUrl - Without a last slash; where browsers reach these pages. */
export function installRoutes(room: {
  readonly installing: Installing
  /** As the manifest has them. */
  readonly scopes: readonly string[]
  readonly publicUrl: string
  readonly log: Pick<Log, 'error'>
  readonly now: () => number
}): Routes {
  const { installing, scopes, publicUrl, log, now } = room
  const pace = createVisitLimit(perMinute, now)
  const installUrl = publicUrl + installPaths.begin
  const basePath = new URL(publicUrl).pathname.replace(/\/$/, '')

  function cookie(value: string, seconds: number): Readonly<Record<string, string>> {
    const parts = [`${cookieName}=${value}`, `Path=${basePath}/slack`, `Max-Age=${seconds}`]
    // Lax: browsers send it when Slack sends them back.
    return { 'set-cookie': [...parts, 'HttpOnly', 'Secure', 'SameSite=Lax'].join('; ') }
  }

  async function begin(request: IncomingMessage): Promise<PageAnswer> {
    const begun = await installing.begin(cookieIn(request, cookieName), scopes)
    return { status: 200, body: beginPage(begun.pageUrl), headers: cookie(begun.cookie, stateMs / 1000) }
  }

  async function end(request: IncomingMessage): Promise<PageAnswer> {
    const { searchParams } = new URL(request.url ?? '/', publicUrl)
    const of = (name: string) => searchParams.get(name) || undefined
    const outcome = await installing.finish({
      code: of('code'),
      state: of('state'),
      error: of('error'),
      cookie: cookieIn(request, cookieName),
    })
    return { status: statuses[outcome.kind], body: endPage(outcome, installUrl) }
  }

  function handler(work: (request: IncomingMessage) => Promise<PageAnswer>): Handler {
    return async (request, response) => {
      const send = (answer: PageAnswer) => sendPage(response, publicUrl, answer)
      try {
        // Asking for the headers alone must use nothing up.
        if (request.method === 'HEAD') return send({ status: 200, body: '' })
        if ((request.url ?? '').length > mostCharacters) return send(tooLong)
        send(pace(clientAddress(request)) ? await work(request) : tooOften)
      } catch (error) {
        log.error({ err: error }, 'an install page failed')
        send(broken)
      } finally {
        request.resume()
      }
    }
  }

  return new Map([
    [`GET ${installPaths.begin}`, handler(begin)],
    [`GET ${installPaths.end}`, handler(end)],
  ])
}

const statuses = {
  installed: 200,
  cancelled: 200,
  'by-slack': 200,
  elsewhere: 400,
  expired: 400,
  used: 400,
  refused: 502,
  'no-answer': 502,
} satisfies Record<InstallOutcome['kind'], number>

const tooLong: PageAnswer = {
  status: 414,
  body: plainPage('Not installed', 'That address is too long. Start again from Bellhop’s install page.'),
}
const broken: PageAnswer = {
  status: 500,
  body: plainPage('Not installed', 'Something went wrong in Bellhop. Try again in a minute.'),
}
