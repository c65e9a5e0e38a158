// The pages of *Connect account*: the form, the result, and a link that doesn't work. Pure.
import type { Connected } from '../account/links.ts'
import { connectedSentences, findQuestion, whereToFind } from '../account/render.ts'
import type { Whom } from '../account/token-page.ts'
import { codePoint } from '../slack/text/typed.ts'
import type { WorkspaceName } from '../slack/workspace/installation.ts'
import { type Html, html, page } from './html.ts'

/** Names of the form's fields. */
export const fields = { token: 'token', form: 'form' } as const

/**
 * @param shown.form - The form token.
 * @param shown.problem - Why the last try failed, raw.
 * @param shown.monitoringUrl - Where people open monitoring in a browser.
 */
export function formPage(shown: {
  readonly whom: Whom
  readonly form: string
  readonly problem?: string | undefined
  readonly monitoringUrl?: string | undefined
}): string {
  const { whom, form, problem, monitoringUrl } = shown
  const wrong =
    problem === undefined
      ? html``
      : html`<p class="problem" id="problem" role="alert"><strong>Not connected.</strong> ${problem}</p>`
  const state = problem === undefined ? html`` : html` aria-invalid="true"`
  const describedBy = problem === undefined ? 'rights' : 'problem rights'
  const main = html`<p>Paste your monitoring API token. Bellhop tests it right away, stores it encrypted, and uses it only for what you ask. It never passes through Slack.</p>
${wrong}
<form method="post" autocomplete="off">
<input type="hidden" name="${fields.form}" value="${form}">
<label for="token">API token</label>
<input id="token" name="${fields.token}" type="password" required maxlength="3000" autocomplete="off" autocapitalize="none" autocorrect="off" spellcheck="false" aria-describedby="${describedBy}"${state}>
<details>
<summary>${findQuestion}</summary>
<p class="soft">${whereToFind} ${openMonitoring(monitoringUrl)}</p>
</details>
<button type="submit">Connect account</button>
<p class="soft" id="rights">The token needs API and READ to look up alerts, and API and CONTAINER_ACCESS to grant access.</p>
</form>`
  return page('Connect account', main, { header: renderWhom(whom), place: placeName(whom.workspace) })
}

/** Opens a window of its own, so that the form stays. */
function openMonitoring(url: string | undefined): Html {
  return url === undefined
    ? html``
    : html`<a class="link" href="${url}" target="_blank" rel="noreferrer">Open monitoring</a>`
}

/** The result, for the browser that connected, each time it opens the page. */
export function connectedPage(connected: Connected): string {
  const { name, handle, workspace, workspaceId, waits, lacksRights } = connected
  const shown = namesOf({ handle, name })
  const [first, ...rest] = [shown.handle, shown.name].filter((one) => one !== undefined)
  const as = first === undefined ? html`` : html` as <strong>${first}</strong>${inBrackets(rest)}`
  const more = connectedSentences(lacksRights, waits).map((sentence) => html`<p>${sentence}</p>\n`)
  const main = html`<p>You’re connected${as}${placeOf(workspace)}.</p>
${more}${backToSlack(workspaceId)}
<p class="soft">You can close this page.${inBrowser(workspace)}</p>`
  return page('Connected', main, { place: placeName(workspace) })
}

/** A used link in any other browser: it doesn't say whose it was. */
export function usedPage(): string {
  return page(
    'This link has been used',
    html`<p>Somebody connected an account with it. If that was you, you’re already connected.</p>
<p>${anotherLink}</p>
${backToSlack()}`,
  )
}

const anotherLink = html`Type <strong>/alert connect</strong> in Slack for a new link.`

/**
 * Opens Slack's app, which most people come from. Only a workspace's id may go into this link: for an organisation, the
 * app opens as it was. On phones, the workspace's web address wouldn't open the app.
 * @param workspaceId - A workspace's or an organisation's.
 */
function backToSlack(workspaceId = ''): Html {
  const team = /^T[A-Z0-9]+$/.test(workspaceId) ? `?team=${workspaceId}` : ''
  return html`<p><a href="slack://open${team}">Back to Slack</a></p>`
}

function inBrowser({ domain }: WorkspaceName): Html {
  return domain === undefined
    ? html``
    : html` No Slack app on this device? <a class="link" href="https://${domain}/" rel="noreferrer">Open Slack in the browser</a>`
}

/** @param problem - Why the try just now failed, raw. */
export function gonePage(problem?: string): string {
  const why =
    problem === undefined
      ? html`<p>It expired after ten minutes, or part of it is missing. If you’ve already connected, you’re done.</p>`
      : html`<p class="problem" role="alert"><strong>Not connected.</strong> ${problem}</p>`
  return page(
    'This link doesn’t work',
    html`${why}
<p>${anotherLink}</p>
${backToSlack()}`,
  )
}

const longestName = 40
const longestEmail = 254

/** Longer names than there can be are cut before anything reads them. */
const longestLook = 400

/**
 * The head of the token page: whose Slack account it connects. Somebody may send their own link to a colleague, who
 * would then connect a token to the wrong account. So the page shows first what the link's owner can't choose: the
 * address that Slack has verified. The workspace's domain isn't theirs to choose either.
 * @param whom - All raw.
 */
export function renderWhom(whom: Whom): Html {
  const email = shownAddress(whom.email ?? '')
  return html`<p>This connects ${accountOf(whom, email)}${placeOf(whom.workspace)}.</p>
${email === undefined ? html`<p>${noAddress}</p>\n` : ''}<p>${notYours}</p>`
}

const notYours = 'If this isn’t you, close this page: whoever sent you the link would act with your token.'
const noAddress =
  'Bellhop couldn’t find out its email address. Continue only if you opened this link yourself, from Bellhop’s message in Slack.'

function accountOf(whom: Whom, email: string | undefined): Html {
  const { handle, name } = namesOf(whom)
  const quoted = name === undefined ? [] : [name]
  if (email !== undefined) {
    const rest = [...(handle === undefined ? [] : [handle]), ...quoted]
    return html`the Slack account <strong class="address"><bdi>${email}</bdi></strong>${inBrackets(rest)}`
  }
  if (handle !== undefined) return html`the Slack account <strong>${handle}</strong>${inBrackets(quoted)}`
  return name === undefined ? html`a Slack account` : html`the Slack account of ${name}`
}

/** Undefined if there is nothing to show, or if the name is the same as the handle. */
function namesOf({ handle, name }: Pick<Whom, 'handle' | 'name'>): {
  readonly handle: Html | undefined
  readonly name: Html | undefined
} {
  const shown = {
    handle: shownHandle(handle ?? ''),
    name: name === handle ? undefined : shownName(name ?? ''),
  }
  return {
    handle: shown.handle === undefined ? undefined : isolated(shown.handle),
    name: shown.name === undefined ? undefined : html`“${isolated(shown.name)}”`,
  }
}

function placeName({ name }: WorkspaceName): Html | undefined {
  const shown = shownName(name ?? '')
  return shown === undefined ? undefined : isolated(shown)
}

function placeOf(workspace: WorkspaceName): Html {
  const name = shownName(workspace.name ?? '')
  const domain =
    workspace.domain === undefined ? undefined : html`<strong><bdi>${workspace.domain}</bdi></strong>`
  if (name === undefined && domain === undefined) return html``
  if (name === undefined) return html` in the Slack workspace ${domain ?? ''}`
  return html` in the Slack workspace <strong>${isolated(name)}</strong>${inBrackets(domain === undefined ? [] : [domain])}`
}

function inBrackets(parts: readonly Html[]): Html {
  const [first, ...rest] = parts
  return first === undefined ? html`` : html` (${first}${rest.map((part) => html`, ${part}`)})`
}

/** Isolates a name's direction from the sentence, in browsers and in copied text. */
function isolated(name: string): Html {
  return html`<bdi>\u2068${name}\u2069</bdi>`
}

/**
 * A name that somebody chose, for themselves or their workspace: letters, digits and little else, so that it can't look
 * like an address, a domain or a part of the sentence. Undefined if nothing in it can be read.
 */
function shownName(name: string): string | undefined {
  const plain = wellFormed(name)
    .replaceAll(/[^\p{L}\p{M}\p{N} .,'’&+_-]/gu, ' ')
    // Fillers are letters that can't be seen.
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, ' ')
    .replaceAll(/(\p{M}{2})\p{M}+/gu, '$1')
    .replaceAll('.', '. ')
    .replaceAll(/ +/g, ' ')
    .trim()
  return /[\p{L}\p{N}]/u.test(plain) ? cut(plain) : undefined
}

/** Slack's handles are one word of letters, digits and a few symbols. Anything else isn't from Slack. */
function shownHandle(handle: string): string | undefined {
  const plain = wellFormed(handle)
  const isHandle = /^[\p{L}\p{N}._-]+$/u.test(plain) && !/\p{Default_Ignorable_Code_Point}/u.test(plain)
  return isHandle ? `@${cut(plain)}` : undefined
}

/** Turns wide and styled letters into plain ones, so that symbols are recognised by their code. */
function wellFormed(text: string): string {
  return text.slice(0, longestLook).toWellFormed().normalize('NFKC')
}

function cut(text: string): string {
  const characters = [...text]
  return characters.length <= longestName ? text : `${characters.slice(0, longestName - 1).join('')}…`
}

/** Spells out letters beyond a to z, so that an address can't look like another. */
function shownAddress(email: string): string | undefined {
  const [, local, domain] = /^([^\s@]+)@([^\s@]+)$/.exec(email.length > longestEmail ? '' : email) ?? []
  if (local === undefined || domain === undefined) return undefined
  return `${spelled(local)}@${spelled(domain)}`
}

function spelled(text: string): string {
  return text.replaceAll(/[^\w.!#$%&'*+/=?^`{|}~-]/gu, (character) => `[${codePoint(character)}]`)
}
