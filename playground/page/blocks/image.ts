// Images. The page loads nothing from other hosts, so a picture is shown as its description.
import { html } from 'htm/preact'
import { type Json, text } from '../../slack/model/json.ts'
import type { BlockProps } from './base/block.ts'
import { words } from './text/text.ts'

interface PictureProps {
  readonly of: Json
  /** In a context, beside a section, as a block. */
  readonly size: 'tiny' | 'small' | 'large'
}

export function Picture({ of, size }: PictureProps) {
  const alt = text(of.alt_text) ?? ''
  return html`<span class=${`b-picture b-picture-${size}`} role="img" aria-label=${alt || 'Picture'} title=${alt}>
    ${size === 'tiny' ? '' : html`<span aria-hidden="true">${alt}</span>`}
  </span>`
}

export function ImageBlock({ block }: BlockProps) {
  const title = words(block.title)
  return html`<figure class="b-image">
    ${title !== undefined && html`<figcaption class="b-image-title">${title}</figcaption>`}
    <${Picture} of=${block} size="large" />
  </figure>`
}
