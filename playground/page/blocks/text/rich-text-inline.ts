// Pieces of a line of rich text: words, links, mentions, dates.
import { html } from 'htm/preact'
import { type Json, record, text } from '../../../slack/model/json.ts'
import type { Names } from '../base/use.ts'
import { Link } from './link.ts'
import { Broadcast, Mention } from './mention.ts'
import { Moment } from './moment.ts'

interface InlineProps {
  readonly element: Json
  readonly names: Names
}

export function Inline({ element, names }: InlineProps) {
  const { bold, italic, code } = record(element.style)
  let shown: unknown = show(element, names)
  if (code === true) shown = html`<code class="b-code">${shown}</code>`
  if (italic === true) shown = html`<i>${shown}</i>`
  if (bold === true) shown = html`<b>${shown}</b>`
  return shown
}

function show(element: Json, names: Names): unknown {
  const at = (name: string) => text(element[name]) ?? ''
  switch (element.type) {
    case 'text':
      return at('text')
    case 'link':
      return html`<${Link} url=${at('url')}>${at('text') || at('url')}<//>`
    case 'user':
      return html`<${Mention} sign="@" id=${at('user_id')} names=${names} />`
    case 'channel':
      return html`<${Mention} sign="#" id=${at('channel_id')} names=${names} />`
    case 'usergroup':
      return html`<${Mention} sign="@" id=${at('usergroup_id')} names=${names} />`
    case 'broadcast':
      return html`<${Broadcast} range=${at('range')} />`
    case 'date': {
      const { timestamp, url } = element
      const address = text(url)
      return html`<${Moment} timestamp=${Number(timestamp)} format=${at('format')} fallback=${at('fallback')} url=${address} />`
    }
    default:
      return ''
  }
}
