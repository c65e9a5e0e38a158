// The actions block: buttons and menus in a row.
import { html } from 'htm/preact'
import { records, text } from '../../slack/json.ts'
import type { BlockProps } from './block.ts'
import { Element } from './element.ts'

export function Actions({ block, given }: BlockProps) {
  return html`<div class="b-actions">
    ${records(block.elements).map((element, index) => {
      const key = text(element.action_id) ?? String(index)
      return html`<${Element} key=${key} element=${element} block=${block} given=${given} />`
    })}
  </div>`
}
