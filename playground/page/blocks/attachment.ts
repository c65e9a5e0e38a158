// A legacy attachment, or one of blocks: what other tools hang under their messages, and what an unfurl is.
import { html } from 'htm/preact'
import { type Json, records, text } from '../../slack/model/json.ts'
import type { Names, Offers, Use } from './base/use.ts'
import { Blocks } from './blocks.ts'
import { Link } from './text/link.ts'
import { Mrkdwn } from './text/mrkdwn.ts'

interface AttachmentProps {
  readonly attachment: Json
  readonly names: Names
  readonly offers: Offers
  /** Undefined for those of other apps: nobody here would hear of it. */
  readonly use: Use | undefined
  /** Who attached it, where that is not who wrote the message. */
  readonly addedBy?: string
}

export function Attachment({ attachment, names, offers, use, addedBy }: AttachmentProps) {
  const at = (name: string) => text(attachment[name]) || undefined
  const marked = (name: string) => at(name) && html`<${Mrkdwn} text=${at(name)} names=${names} />`
  const fields = records(attachment.fields)
  const blocks = records(attachment.blocks)
  const said = ['pretext', 'author_name', 'title', 'text', 'footer'].some(at)
  const isEmpty = !said && fields.length === 0 && blocks.length === 0
  const alt = at('image_url') ?? at('thumb_url')
  const foot = [at('footer'), addedBy && `Added by ${addedBy}`].filter(Boolean).join(' · ')
  const bar = barColour(at('color'))
  return html`
    ${at('pretext') && html`<div class="b-attachment-pretext">${marked('pretext')}</div>`}
    <div class="b-attachment" style=${bar ? { borderLeftColor: bar } : undefined}>
      ${at('author_name') && html`<${Linked} class="b-attachment-author" words=${at('author_name')} url=${at('author_link')} />`}
      ${at('title') && html`<${Linked} class="b-attachment-title" words=${at('title')} url=${at('title_link')} />`}
      ${marked('text')}
      ${isEmpty && marked('fallback')}
      ${fields.length > 0 && html`<${Fields} fields=${fields} names=${names} />`}
      ${blocks.length > 0 && html`<${Blocks} isMessage blocks=${blocks} names=${names} offers=${offers} use=${use} />`}
      ${alt && html`<span class="b-picture b-picture-large" role="img" aria-label="Picture">Picture</span>`}
      ${foot && html`<p class="b-attachment-foot">${foot}</p>`}
    </div>
  `
}

interface LinkedProps {
  readonly class: string
  readonly words: string | undefined
  readonly url: string | undefined
}

function Linked({ class: look, words, url }: LinkedProps) {
  return html`<p class=${look}>${url === undefined ? words : html`<${Link} url=${url}>${words}<//>`}</p>`
}

/** Short ones stand side by side. */
function Fields({ fields, names }: { readonly fields: readonly Json[]; readonly names: Names }) {
  return html`<dl class="b-attachment-fields">
    ${fields.map(
      ({ title, value, short }) => html`<div class=${short === true ? '' : 'b-attachment-long'}>
        <dt>${text(title)}</dt>
        <dd><${Mrkdwn} text=${String(value ?? '')} names=${names} /></dd>
      </div>`,
    )}
  </dl>`
}

const named: Readonly<Record<string, string>> = { good: '#2eb886', warning: '#daa038', danger: '#a30200' }

/** Undefined for what Slack would not take for a colour. */
function barColour(colour = ''): string | undefined {
  if (Object.hasOwn(named, colour)) return named[colour]
  const [, hex] = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/i.exec(colour) ?? []
  return hex === undefined ? undefined : `#${hex}`
}
