// The table block: its first row is the head.
import { html } from 'htm/preact'
import { type Json, list, record, records, text } from '../../slack/model/json.ts'
import type { BlockProps } from './base/block.ts'
import { RichText } from './rich-text.ts'

export function Table({ block, given }: BlockProps) {
  const [head, ...rows] = list(block.rows).map(records)
  const columns = list(block.column_settings).map(record)
  const look = (index: number) => {
    const { align, is_wrapped: isWrapped } = columns[index] ?? {}
    return `b-cell b-align-${text(align) ?? 'left'}${isWrapped === true ? ' b-wrapped' : ''}`
  }
  const show = (cell: Json) =>
    cell.type === 'rich_text' ? html`<${RichText} block=${cell} given=${given} />` : text(cell.text)
  return html`<div class="b-table" role="region" aria-label="Table" tabindex="0">
    <table>
      <thead>
        <tr>${head?.map((cell, index) => html`<th scope="col" class=${look(index)}>${show(cell)}</th>`)}</tr>
      </thead>
      <tbody>
        ${rows.map((row) => html`<tr>${row.map((cell, index) => html`<td class=${look(index)}>${show(cell)}</td>`)}</tr>`)}
      </tbody>
    </table>
  </div>`
}
