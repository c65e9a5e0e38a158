// The rich_text block: sections, lists with bullets, quotes and preformatted text.
import { html } from 'htm/preact'
import { type Json, records } from '../../slack/model/json.ts'
import type { BlockProps } from './base/block.ts'
import type { Names } from './base/use.ts'
import { Inline } from './text/rich-text-inline.ts'

export function RichText({ block, given }: BlockProps) {
  return html`<div class="b-rich">${records(block.elements).map((part) => showPart(part, given.names))}</div>`
}

function showPart(part: Json, names: Names) {
  switch (part.type) {
    case 'rich_text_section':
      return html`<div class="b-rich-section">${inlines(part, names)}</div>`
    case 'rich_text_quote':
      return html`<blockquote class="b-quote">${inlines(part, names)}</blockquote>`
    case 'rich_text_preformatted':
      return html`<pre class="b-pre">${inlines(part, names)}</pre>`
    case 'rich_text_list':
      return html`<ul class="b-list">${records(part.elements).map((item) => html`<li>${inlines(item, names)}</li>`)}</ul>`
    default:
      return null
  }
}

function inlines(part: Json, names: Names) {
  return records(part.elements).map(
    (element) => html`<${Inline} element=${element} names=${names} />`,
  )
}
