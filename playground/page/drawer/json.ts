// JSON, pretty printed, with a little colour.
import { html } from 'htm/preact'

/** `undefined` and functions, which JSON has no words for, become `null`. */
export function prettyJson(json: unknown): string {
  return JSON.stringify(json, null, 2) ?? 'null'
}

/** Keys with their colon, strings, numbers, words; everything between them is punctuation. */
const tokens =
  /(?<key>"(?:[^"\\]|\\.)*")(?=:)|(?<string>"(?:[^"\\]|\\.)*")|(?<number>-?\d[\d.eE+-]*)|(?<word>true|false|null)/g

export function JsonText({ json }: { readonly json: unknown }) {
  if (json === '' || json === undefined) return html`<p class="d-none">Empty.</p>`
  return html`<pre class="d-json"><code>${coloured(prettyJson(json))}</code></pre>`
}

function coloured(source: string) {
  const pieces: unknown[] = []
  let from = 0
  for (const match of source.matchAll(tokens)) {
    const [token] = match
    const kind = Object.entries(match.groups ?? {}).find(([, found]) => found !== undefined)?.[0]
    pieces.push(source.slice(from, match.index), html`<span class=${`d-json-${kind}`}>${token}</span>`)
    from = match.index + token.length
  }
  return [...pieces, source.slice(from)]
}
