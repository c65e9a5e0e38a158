// The rich_text block: sections, lists, quotes and preformatted text.
import { html } from 'htm/preact'
import { type Json, records } from '../../slack/model/json.ts'
import type { BlockProps } from './base/block.ts'
import type { Names } from './base/use.ts'
import { Inline } from './text/rich-text-inline.ts'

export function RichText({ block, given }: BlockProps) {
  return html`<div class="b-rich">${records(block.elements).map((part) => showPart(part, given.names))}</div>`
}

function showPart(part: Json, names: Names) {
  const bordered = part.border === 1 ? ' b-bordered' : ''
  switch (part.type) {
    case 'rich_text_section':
      return html`<div class="b-rich-section">${inlines(part, names)}</div>`
    case 'rich_text_quote':
      return html`<blockquote class="b-quote">${inlines(part, names)}</blockquote>`
    case 'rich_text_preformatted':
      return html`<pre class="b-pre">${inlines(part, names)}</pre>`
    case 'rich_text_list':
      return showList(part, names, bordered)
    default:
      return null
  }
}

/** Nested lists come as lists one after the other, each with its depth; `offset` goes on counting. */
function showList(part: Json, names: Names, bordered: string) {
  const depth = Math.min(Math.max(Number(part.indent) || 0, 0), 8)
  const look = `b-list b-indent-${depth} b-marks-${depth % 3}${bordered}`
  const items = records(part.elements).map((item) => html`<li>${inlines(item, names)}</li>`)
  if (part.style !== 'ordered') return html`<ul class=${look}>${items}</ul>`
  return html`<ol class=${look} start=${(Number(part.offset) || 0) + 1}>${items}</ol>`
}

function inlines(part: Json, names: Names) {
  return records(part.elements).map((element) => html`<${Inline} element=${element} names=${names} />`)
}
