// Pages on which somebody installs the bot: where they start, and where Slack sends them back to. No state, code or token
// is logged.
import type { IncomingMessage } from 'node:http'
import {
  beginInstall,
  finishInstall,
  type InstallOutcome,
  type InstallRoom,
  installPaths,
  stateMs,
} from '../install/install.ts'
import type { Log } from '../log/log.ts'
import { cookieIn, type Html, html, type PageAnswer, page, plainPage, sendPage } from './html.ts'
import type { Handler, Routes } from './server.ts'

const cookieName = 'bellhop_install'
/** More than any address of Bellhop's has. */
const mostCharacters = 4_000

/** @param room.publicUrl - Without a last slash; where browsers reach these pages. */
export function installRoutes(room: {
  readonly install: InstallRoom
  /** As the manifest has them. */
  readonly scopes: readonly string[]
  readonly publicUrl: string
  readonly log: Pick<Log, 'error'>
}): Routes {
  const { install, scopes, publicUrl, log } = room
  const installUrl = publicUrl + installPaths.begin
  const basePath = new URL(publicUrl).pathname.replace(/\/$/, '')

  function cookie(value: string, seconds: number): Readonly<Record<string, string>> {
    const parts = [`${cookieName}=${value}`, `Path=${basePath}/slack`, `Max-Age=${seconds}`]
    // Lax: browsers send it when Slack sends them back.
    return { 'set-cookie': [...parts, 'HttpOnly', 'Secure', 'SameSite=Lax'].join('; ') }
  }

  async function begin(request: IncomingMessage): Promise<PageAnswer> {
    const begun = await beginInstall(install, cookieIn(request, cookieName), scopes)
    return { status: 200, body: beginPage(begun.pageUrl), headers: cookie(begun.cookie, stateMs / 1000) }
  }

  async function end(request: IncomingMessage): Promise<PageAnswer> {
    const { searchParams } = new URL(request.url ?? '/', publicUrl)
    const of = (name: string) => searchParams.get(name) || undefined
    const outcome = await finishInstall(install, {
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
        send(await work(request))
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

/** The next step; looks like a button. */
function link(href: string, text: string): Html {
  return html`<p><a href="${href}">${text}</a></p>`
}

/** @param pageUrl - Slack's. */
function beginPage(pageUrl: string): string {
  return page(
    'Add Bellhop to Slack',
    html`<p>Bellhop shows alerts from monitoring with /alert, and gives people access with /grant.</p>
<p>Slack shows you what Bellhop may do in your workspace, and asks you to allow it. You can leave out optional permissions.</p>
${link(pageUrl, 'Add to Slack')}
<p class="soft">After that, everyone connects their own monitoring account. Bellhop has none.</p>`,
  )
}

/** The result, in a title and a sentence. @param installUrl - Where to begin again. */
function endPage(outcome: InstallOutcome, installUrl: string): string {
  if (outcome.kind === 'installed') return installedPage(outcome.bot.installation)
  if (outcome.kind === 'by-slack') return oneMoreStep(installUrl)
  const sentence =
    outcome.kind === 'refused'
      ? `Slack didn’t let Bellhop in (${outcome.why}). Start again. If that doesn’t help, tell whoever runs Bellhop.`
      : sentences[outcome.kind]
  const title = outcome.kind === 'used' ? 'Opened before' : 'Not installed'
  return page(title, html`<p>${sentence}</p>\n${link(installUrl, 'Start again')}`)
}

const sentences = {
  cancelled: 'You cancelled in Slack, so nothing has changed.',
  elsewhere: 'You didn’t start in this browser, or it blocks cookies. Start again here.',
  expired: 'It took longer than ten minutes. Start again.',
  used: 'This page was opened before, so Bellhop may already be in your Slack. If it isn’t, start again.',
  'no-answer': 'Slack didn’t answer. Start again in a minute.',
} satisfies Record<Exclude<InstallOutcome['kind'], 'installed' | 'by-slack' | 'refused'>, string>

/** Somebody installed the app on Slack's own pages. */
function oneMoreStep(installUrl: string): string {
  return page(
    'One more step',
    html`<p>Slack added Bellhop, but hasn’t given it access yet. Add it once more from here to finish.</p>
${link(installUrl, 'Add to Slack')}`,
  )
}

function installedPage({ teamName, isOrgWide, url }: Place): string {
  const name = teamName ?? 'your workspace'
  const where = isOrgWide
    ? html`<p>Bellhop is in the organisation <strong><bdi>${name}</bdi></strong>. Its admins choose the workspaces it works in.</p>`
    : html`<p>Bellhop is in <strong><bdi>${name}</bdi></strong>.</p>`
  return page(
    'Installed',
    html`${where}
<p>To begin, type /alert help there. Admins choose the channels for the audit trail and for approvals with /alert settings.</p>
${url === undefined ? '' : link(url, 'Go to Slack')}`,
  )
}

type Place = Extract<InstallOutcome, { kind: 'installed' }>['bot']['installation']
