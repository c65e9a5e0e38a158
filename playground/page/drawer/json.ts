// JSON, pretty printed.
import { html } from 'htm/preact'

/** `undefined` and functions, which JSON has no words for, become `null`. */
export function prettyJson(json: unknown): string {
  return JSON.stringify(json, null, 2) ?? 'null'
}

export function JsonText({ json }: { readonly json: unknown }) {
  if (json === '' || json === undefined) return html`<p class="d-none">Empty.</p>`
  return html`<pre class="d-json"><code>${prettyJson(json)}</code></pre>`
}
