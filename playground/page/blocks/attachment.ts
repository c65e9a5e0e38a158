// A legacy attachment, or one of blocks: what other tools hang under their messages, and what an unfurl is.
import { html } from 'htm/preact'
import { type Json, records, text } from '../../slack/model/json.ts'
import type { Names, Use } from './base/use.ts'
import { Blocks } from './blocks.ts'
import { Link } from './text/link.ts'
import { Mrkdwn } from './text/mrkdwn.ts'

interface AttachmentProps {
  readonly attachment: Json
  readonly names: Names
  /** Undefined for those of other apps: nobody here would hear of it. */
  readonly use: Use | undefined
  /** Who attached it, where that is not who wrote the message. */
  readonly addedBy?: string
}

export function Attachment({ attachment, names, use, addedBy }: AttachmentProps) {
  const at = (name: string) => text(attachment[name]) || undefined
  const marked = (name: string) => at(name) && html`<${Mrkdwn} text=${at(name)} names=${names} />`
  const fields = records(attachment.fields)
  const blocks = records(attachment.blocks)
  const isEmpty = !at('title') && !at('text') && fields.length === 0 && blocks.length === 0
  const bar = barColour(at('color'))
  return html`
    <div class="b-attachment" style=${bar ? { borderLeftColor: bar } : undefined}>
      ${at('title') && html`<p class="b-attachment-title"><${Link} url=${at('title_link') ?? ''}>${at('title')}<//></p>`}
      ${marked('text')}
      ${isEmpty && marked('fallback')}
      ${fields.length > 0 && html`<${Fields} fields=${fields} names=${names} />`}
      ${blocks.length > 0 && html`<${Blocks} isMessage blocks=${blocks} names=${names} use=${use} />`}
      ${addedBy && html`<p class="b-attachment-foot">Added by ${addedBy}</p>`}
    </div>
  `
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

const named: Readonly<Record<string, string>> = {
  good: '#2eb886',
  warning: '#daa038',
  danger: '#a30200',
}

/** Undefined for what Slack would not take for a colour. */
function barColour(colour = ''): string | undefined {
  if (Object.hasOwn(named, colour)) return named[colour]
  const [, hex] = /^#?([0-9a-f]{6}|[0-9a-f]{3})$/i.exec(colour) ?? []
  return hex === undefined ? undefined : `#${hex}`
}
