// mrkdwn as Slack shows it.
import { html } from 'htm/preact'
import { useMemo } from 'preact/hooks'
import type { Names } from '../base/use.ts'
import { Link } from './link.ts'
import { Broadcast, Mention } from './mention.ts'
import { Moment } from './moment.ts'
import { type Piece, readMrkdwn } from './mrkdwn-tree.ts'

interface MrkdwnProps {
  readonly text: string
  readonly names: Names
}

export function Mrkdwn({ text, names }: MrkdwnProps) {
  const pieces = useMemo(() => readMrkdwn(text), [text])
  return html`<span class="b-mrkdwn">${show(pieces, names)}</span>`
}

function show(pieces: readonly Piece[], names: Names): unknown {
  return pieces.map((piece) => {
    switch (piece.is) {
      case 'text':
        return piece.text
      case 'code':
        return html`<code class="b-code">${piece.text}</code>`
      case 'preformatted':
        return html`<pre class="b-pre">${piece.text}</pre>`
      case 'bold':
        return html`<b>${show(piece.pieces, names)}</b>`
      case 'italic':
        return html`<i>${show(piece.pieces, names)}</i>`
      case 'strike':
        return html`<s>${show(piece.pieces, names)}</s>`
      case 'quote':
        return html`<blockquote class="b-quote">${show(piece.pieces, names)}</blockquote>`
      case 'link':
        return html`<${Link} url=${piece.url}>${show(piece.pieces, names)}<//>`
      case 'user':
      case 'channel': {
        const sign = piece.is === 'user' ? '@' : '#'
        return html`<${Mention} sign=${sign} id=${piece.id} label=${piece.label} names=${names} />`
      }
      case 'broadcast':
        return html`<${Broadcast} range=${piece.range} />`
      case 'date': {
        const { timestamp, format, url, fallback } = piece
        return html`<${Moment} timestamp=${timestamp} format=${format} url=${url} fallback=${fallback} />`
      }
      default:
        return piece satisfies never
    }
  })
}
