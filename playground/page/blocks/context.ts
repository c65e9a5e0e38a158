// The context block: small, quiet texts in a row.
import { html } from 'htm/preact'
import { records } from '../../slack/model/json.ts'
import type { BlockProps } from './base/block.ts'
import { Text } from './text/text.ts'

export function Context({ block, given }: BlockProps) {
  return html`<div class="b-context">
    ${records(block.elements).map((element) => html`<${Text} of=${element} names=${given.names} />`)}
  </div>`
}
