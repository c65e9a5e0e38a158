// The pages of *Connect account*: the form, the result, and a link that doesn't work. Pure.
import { connectedSentences, findQuestion, rightsNeeded, whereToFind } from '../account/render.ts'
import type { Connected, LinkOwner } from '../account/token-page.ts'
import { oneLine } from '../log/log.ts'
import { type Html, html, page } from './html.ts'

export const tokenField = 'token'

/**
 * @param problem - Why the last try failed, raw.
 * @param monitoringUrl - Monitoring's website, which opens in a window of its own, so that the form stays.
 */
export function formPage(whom: LinkOwner, problem?: string, monitoringUrl?: string): string {
  const describedBy = problem === undefined ? 'rights' : 'problem rights'
  const main = html`<p>Paste your monitoring API token. Bellhop tests it right away, stores it encrypted, and uses it only for what you ask. It never passes through Slack.</p>
${problem && wrong(problem)}
<form method="post" autocomplete="off">
<label for="token">API token</label>
<input id="token" name="${tokenField}" type="password" required maxlength="3000" autocomplete="off" autocapitalize="none" autocorrect="off" spellcheck="false" aria-describedby="${describedBy}"${problem && html` aria-invalid="true"`}>
<details>
<summary>${findQuestion}</summary>
<p class="soft">${whereToFind} ${monitoringUrl && html`<a class="link" href="${monitoringUrl}" target="_blank" rel="noreferrer">Open monitoring</a>`}</p>
</details>
<button type="submit">Connect account</button>
<p class="soft" id="rights">${rightsNeeded}</p>
</form>`
  return page('Connect account', main, renderWhom(whom))
}

function wrong(problem: string): Html {
  return html`<p class="problem" id="problem" role="alert"><strong>Not connected.</strong> ${problem}</p>`
}

export function connectedPage({ handle, workspace, workspaceId, waits, trial }: Connected): string {
  const as = handle && html` as <strong>${isolated(`@${handle}`)}</strong>`
  const more = connectedSentences(trial, waits).map((sentence) => html`<p>${sentence}</p>\n`)
  const main = html`<p>You’re connected${as}${placeOf(workspace)}.</p>
${more}${backToSlack(workspaceId)}
<p class="soft">You can close this page.</p>`
  return page('Connected', main)
}

const anotherLink = html`Type <strong>/alert connect</strong> in Slack for a new link.`

/**
 * A link that opens Slack’s app. The link can name a workspace, but no organisation: without a workspace, the app opens
 * where it was left. On phones, the workspace’s web address wouldn’t open the app.
 * @param workspaceId - A workspace's or an organisation's.
 */
function backToSlack(workspaceId = ''): Html {
  const team = /^T[A-Z0-9]+$/.test(workspaceId) ? `?team=${workspaceId}` : ''
  return html`<p><a href="slack://open${team}">Back to Slack</a></p>`
}

const expired =
  'It expired after ten minutes, or part of it is missing. If you’ve already connected, you’re done.'

/** @param problem - Why the try just now failed, raw. */
export function gonePage(problem?: string): string {
  const main = html`${problem === undefined ? html`<p>${expired}</p>` : wrong(problem)}
<p>${anotherLink}</p>
${backToSlack()}`
  return page('This link doesn’t work', main)
}

/**
 * The head of the token page. Somebody may send their own link to a colleague, who would then connect a token to the wrong
 * account. So the page shows first what the link's owner can't choose: the address that Slack has verified.
 */
export function renderWhom({ email, handle, workspace }: LinkOwner): Html {
  const address = email && html` <strong class="address">${isolated(email)}</strong>`
  const called =
    handle && (email ? html` (${isolated(`@${handle}`)})` : html` ${isolated(`@${handle}`)}`)
  return html`<p>This connects the Slack account${address}${called}${placeOf(workspace)}.</p>
${email === undefined ? html`<p>${noAddress}</p>\n` : undefined}<p>${notYours}</p>`
}

const notYours =
  'If this isn’t you, close this page: whoever sent you the link would act with your token.'
const noAddress =
  'Bellhop couldn’t find out its email address. Continue only if you opened this link yourself, from Bellhop’s message in Slack.'

function placeOf(name: string | undefined): Html | undefined {
  return name ? html` in the Slack workspace <strong>${isolated(name)}</strong>` : undefined
}

/** A name that can’t change the sentence around it: a name from right to left would, or one with a line break in it. */
function isolated(name: string): Html {
  return html`<bdi>${oneLine(name.toWellFormed())}</bdi>`
}
