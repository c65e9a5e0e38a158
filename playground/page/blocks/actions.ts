// The actions block: buttons and menus in a row.
import { html } from 'htm/preact'
import { useRef } from 'preact/hooks'
import { records, text } from '../../slack/model/json.ts'
import type { BlockProps } from './base/block.ts'
import { useFocusInRow } from './controls/focus.ts'
import { Element } from './element.ts'

export function Actions({ block, given }: BlockProps) {
  const row = useRef<HTMLDivElement>(null)
  useFocusInRow(row)
  return html`<div class="b-actions" ref=${row}>
    ${records(block.elements).map((element, index) => {
      const key = text(element.action_id) ?? String(index)
      return html`<${Element} key=${key} element=${element} block=${block} given=${given} />`
    })}
  </div>`
}
