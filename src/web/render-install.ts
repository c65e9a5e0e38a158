// The pages on which somebody installs the bot. Pure.
import type { InstallOutcome } from '../install/install.ts'
import { type Html, html, page } from './html.ts'

/** The next step; looks like a button. */
function link(href: string, text: string): Html {
  return html`<p><a href="${href}">${text}</a></p>`
}

/** @param pageUrl - Slack's. */
export function beginPage(pageUrl: string): string {
  return page(
    'Add Bellhop to Slack',
    html`<p>Bellhop shows alerts from monitoring with /alert, and gives people access with /grant.</p>
<p>Slack shows you what Bellhop may do in your workspace, and asks you to allow it. You can leave out optional permissions.</p>
${link(pageUrl, 'Add to Slack')}
<p class="soft">After that, everyone connects their own monitoring account. Bellhop has none.</p>`,
  )
}

/** The result, in a title and a sentence. @param installUrl - Where to begin again. */
export function endPage(outcome: InstallOutcome, installUrl: string): string {
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
