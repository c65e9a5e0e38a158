// The pages of *Connect account*: the form, what came of it, and a link that does not work. Pure.
import type { Whom } from '../account/token-page.ts'
import { html, page } from './html.ts'
import { renderWhom } from './render-whom.ts'

/** Names of the form's fields. */
export const fields = { token: 'token', form: 'form' } as const

/**
 * @param shown.form - The form token.
 * @param shown.problem - Why the last try did not work, raw.
 */
export function formPage(shown: {
  readonly whom: Whom
  readonly form: string
  readonly problem?: string | undefined
}): string {
  const { whom, form, problem } = shown
  const wrong =
    problem === undefined
      ? html``
      : html`<p class="problem" id="problem" role="alert"><strong>Not connected.</strong> ${problem}</p>`
  const state = problem === undefined ? html`` : html` aria-invalid="true"`
  const describedBy = problem === undefined ? 'rights' : 'problem rights'
  const main = html`<p>Paste your API token of the monitoring service. It is tried at once, kept encrypted, and used only for what you ask Bellhop to do. It does not pass through Slack.</p>
${wrong}
<form method="post" autocomplete="off">
<input type="hidden" name="${fields.form}" value="${form}">
<label for="token">API token</label>
<input id="token" name="${fields.token}" type="password" required maxlength="3000" autocomplete="off" autocapitalize="none" autocorrect="off" spellcheck="false" aria-describedby="${describedBy}"${state}>
<button type="submit">Connect account</button>
<p class="soft" id="rights">The token needs API and READ to look up alerts, API and CONTAINER_ACCESS to grant access.</p>
</form>`
  return page('Connect account', main, renderWhom(whom))
}

/** @param sentences - What came of it, raw. */
export function connectedPage(sentences: readonly string[]): string {
  const said = sentences.map((sentence) => html`<p>${sentence}</p>\n`)
  return page('Connect account', html`${said}<p>You can close this page and go back to Slack.</p>`)
}

/** @param problem - Why nothing was connected just now, raw. */
export function gonePage(problem?: string): string {
  const why =
    problem === undefined
      ? html``
      : html`<p class="problem" role="alert"><strong>Not connected.</strong> ${problem}</p>`
  return page(
    'This link does not work',
    html`${why}<p>It has been used, is older than 10 minutes, or is not whole. For a new one, type <strong>/alert connect</strong> in Slack.</p>`,
  )
}
