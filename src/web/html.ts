// Bellhop's pages: calm, readable on a phone, in light and dark, without scripts. Nobody may cache or frame them.
import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'

/** HTML that is safe to put into a page. Only `html` makes it, which escapes what is put in. */
export interface Html {
  readonly markup: string
}

function markupOf(part: Part): string {
  if (part === undefined) return ''
  if (typeof part === 'string')
    return part.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
  return 'markup' in part ? part.markup : part.map(markupOf).join('')
}

/** A part that is put into a template; undefined puts nothing in. */
type Part = string | Html | readonly Html[] | undefined

/** Makes HTML from a template. Texts that are put in are escaped; values of attributes need quotes in the template. */
export function html(pieces: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { markup: pieces.map((piece, index) => piece + markupOf(parts[index])).join('') }
}

const style = `
:root { color-scheme: light dark; --back: #f4f5f7; --card: #fff; --ink: #1b2430; --soft: #566274;
  --line: #8793a5; --blue: #1a5fb4; --on-blue: #fff; --who: #fff1cf; --who-ink: #463400; --wrong: #a51d2d; --wrong-back: #fdeced }
@media (prefers-color-scheme: dark) { :root { --back: #14181e; --card: #1e242c; --ink: #e8ecf1; --soft: #a9b4c2;
  --line: #6d7a8c; --blue: #8ab8f5; --on-blue: #0d1a2b; --who: #3c3013; --who-ink: #ffe7ad; --wrong: #ffb3ba; --wrong-back: #43191e } }
* { box-sizing: border-box }
body { margin: 0; background: var(--back); color: var(--ink); font: 1.0625rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere }
header { padding: 1rem 1.25rem; background: var(--who); color: var(--who-ink); text-align: center }
header p { margin: 0 auto; max-width: 40rem }
header p + p { margin-top: .375rem }
.address { font-size: 1.25rem }
main { max-width: 30rem; margin: 1.5rem auto; padding: 1.5rem 1.25rem; background: var(--card) }
.brand { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem .625rem; margin-bottom: 1.25rem }
.brand svg { width: 2rem; height: 2rem }
h1 { margin: 0 0 .75rem; font-size: 1.375rem; line-height: 1.25 }
main p { margin: 0 0 1rem }
main > :last-child, form > :last-child { margin-bottom: 0 }
label { display: block; margin-bottom: .375rem; font-weight: 600 }
input, button, a { display: block; width: 100%; min-height: 3rem; padding: .625rem .875rem; border-radius: .5rem; font: inherit }
input { border: 1px solid var(--line); background: transparent; color: inherit }
button, a { border: 0; background: var(--blue); color: var(--on-blue); font-weight: 600; text-align: center; text-decoration: none; cursor: pointer }
button { margin: 1rem 0 }
details { margin-top: .5rem }
summary { padding: .625rem 0; color: var(--blue); cursor: pointer }
.link { display: inline; min-height: 0; padding: 0; background: none; color: var(--blue); font-weight: inherit; text-decoration: underline }
:focus-visible { outline: 3px solid var(--blue); outline-offset: 2px }
.soft { color: var(--soft); font-size: .9375rem }
.problem { padding: .75rem .875rem; border-radius: .5rem; background: var(--wrong-back); color: var(--wrong) }
@media (min-width: 32rem) { main { margin-top: 3rem; padding: 2rem; border-radius: .75rem } }
`

/** The header Content-Security-Policy: allows this style, forms to here, and nothing else. */
const pagePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

const icon = html`<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="7" fill="#1f3a5f"/><path d="M16 7a2 2 0 0 1 2 2v.6A8 8 0 0 1 24 17v3H8v-3a8 8 0 0 1 6-7.4V9a2 2 0 0 1 2-2z" fill="#f4c95d"/><rect x="6" y="21.5" width="20" height="3" rx="1.5" fill="#fff"/></svg>`

export function page(title: string, main: Html, header?: Html): string {
  const { markup } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Bellhop</title>
<style>${{ markup: style }}</style>
</head>
<body>
${header && html`<header>${header}</header>`}
<main>
<p class="brand">${icon}<strong>Bellhop</strong></p>
<h1>${title}</h1>
${main}
</main>
</body>
</html>
`
  return markup
}

export function plainPage(title: string, sentence: string): string {
  return page(title, html`<p>${sentence}</p>`)
}

export interface PageAnswer {
  readonly status: number
  readonly body: string
}

const always = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': pagePolicy,
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
}
/** Statuses that end the connection: a browser has nothing more to ask, and strangers can’t keep connections open. */
const lastAnswers = new Set([404, 413])

/** Answers once; later answers are dropped. */
export function sendPage(response: ServerResponse, { status, body }: PageAnswer): void {
  if (response.headersSent || response.destroyed) return
  // If a part of the request wasn’t read, the connection ends: that part would be taken for the next request.
  if (!response.req.complete || lastAnswers.has(status)) response.setHeader('connection', 'close')
  response.writeHead(status, always).end(body)
}
