// The pages on which somebody installs the bot. Pure.
import type { InstallOutcome } from '../install/installing.ts'
import { type Html, html, page } from './html.ts'

/** What is to be done next; looks like a button. */
function link(href: string, text: string): Html {
  return html`<p><a href="${href}">${text}</a></p>`
}

/** @param pageUrl - Slack's. */
export function beginPage(pageUrl: string): string {
  return page(
    'Add Bellhop to Slack',
    html`<p>Bellhop shows alerts of the monitoring service with /alert, and gives people access to it with /grant.</p>
<p>Slack shows you what it may do in your workspace, and asks whether you want that. Optional permissions can be left out.</p>
${link(pageUrl, 'Add to Slack')}
<p class="soft">Everybody connects an account of their own at the monitoring service afterwards. Bellhop has none.</p>`,
  )
}

/** What became of it, in a title and a sentence. @param installUrl - Where to begin again. */
export function endPage(outcome: InstallOutcome, installUrl: string): string {
  if (outcome.kind === 'installed') return installedPage(outcome.bot.installation)
  if (outcome.kind === 'by-slack') return oneMoreStep(installUrl)
  const sentence =
    outcome.kind === 'refused'
      ? `Slack did not let Bellhop in (${outcome.why}). Start again; if that does not help, tell whoever runs Bellhop.`
      : sentences[outcome.kind]
  const title = outcome.kind === 'used' ? 'Opened before' : 'Not installed'
  return page(title, html`<p>${sentence}</p>\n${link(installUrl, 'Start again')}`)
}

const sentences = {
  cancelled: 'You cancelled it in Slack, so nothing has changed.',
  elsewhere: 'This was not started in this browser, or the browser keeps no cookies. Start again here.',
  expired: 'It took longer than ten minutes, which is too long. Start again.',
  used: 'This page was opened before, so Bellhop may be in your Slack already. If it is not, start again.',
  'no-answer': 'Slack did not answer. Start again in a minute.',
} satisfies Record<Exclude<InstallOutcome['kind'], 'installed' | 'by-slack' | 'refused'>, string>

/** Somebody installed the app on Slack's own pages. */
function oneMoreStep(installUrl: string): string {
  return page(
    'One more step',
    html`<p>Slack added Bellhop, but gave it no access yet. Add it once more from here, and Bellhop can answer.</p>
${link(installUrl, 'Add to Slack')}`,
  )
}

function installedPage({ teamName, isOrgWide, url }: Place): string {
  const name = teamName ?? 'your workspace'
  const where = isOrgWide
    ? html`<p>Bellhop is in the organisation <strong><bdi>${name}</bdi></strong>. Its admins choose for which workspaces.</p>`
    : html`<p>Bellhop is in <strong><bdi>${name}</bdi></strong>.</p>`
  return page(
    'Installed',
    html`${where}
<p>Type /alert help there. Admins set the channels for audit lines and approvals with /alert settings.</p>
${url === undefined ? '' : link(url, 'Go to Slack')}`,
  )
}

type Place = Extract<InstallOutcome, { kind: 'installed' }>['bot']['installation']
