// The markdown block.
import { html } from 'htm/preact'
import { text } from '../../slack/model/json.ts'
import type { BlockProps } from './base/block.ts'
import { Link } from './text/link.ts'
import { type Chunk, readMarkdown, readSpans } from './text/markdown-tree.ts'

export function Markdown({ block }: BlockProps) {
  return html`<div class="b-markdown">${readMarkdown(text(block.text) ?? '').map(showChunk)}</div>`
}

function showChunk(chunk: Chunk) {
  switch (chunk.is) {
    case 'heading':
      return html`<h3 class="b-markdown-heading">${spans(chunk.text)}</h3>`
    case 'paragraph':
      return html`<p class="b-markdown-words">${spans(chunk.text)}</p>`
    case 'quote':
      return html`<blockquote class="b-quote">${spans(chunk.text)}</blockquote>`
    case 'code':
      return html`<pre class="b-pre">${chunk.text}</pre>`
    case 'rule':
      return html`<hr class="b-divider" />`
    case 'list': {
      const items = chunk.items.map((item) => html`<li>${spans(item)}</li>`)
      return chunk.isOrdered
        ? html`<ol class="b-list b-marks-0">${items}</ol>`
        : html`<ul class="b-list b-marks-0">${items}</ul>`
    }
    default:
      return chunk satisfies never
  }
}

function spans(source: string) {
  return readSpans(source).map(({ is, text: words, url = '' }) => {
    switch (is) {
      case 'text':
        return words
      case 'bold':
        return html`<b>${words}</b>`
      case 'italic':
        return html`<i>${words}</i>`
      case 'strike':
        return html`<s>${words}</s>`
      case 'code':
        return html`<code class="b-code">${words}</code>`
      case 'link':
        return html`<${Link} url=${url}>${words || url}<//>`
      default:
        return is satisfies never
    }
  })
}
