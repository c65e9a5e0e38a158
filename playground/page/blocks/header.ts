// The header block.
import { html } from 'htm/preact'
import type { BlockProps } from './base/block.ts'
import { words } from './text/text.ts'

export function Header({ block }: BlockProps) {
  return html`<h3 class="b-header">${words(block.text)}</h3>`
}
